//! Document types and entity definitions, which are refused.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("entity-definition"),
    severity: Severity::Error,
    summary: "the file defines entities, which the engine refuses to expand",
    page: include_str!("../../../spec/rules/entity-definition.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::EntityDefinition) {
        findings
            .add(fault.span, format!("document types and entity definitions are refused"))
            .help = Some("remove the `<!DOCTYPE …>`; write the text itself".to_owned());
    }
}
