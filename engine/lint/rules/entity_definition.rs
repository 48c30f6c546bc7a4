//! Document types and entity definitions, which are refused.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("entity-definition"),
    severity: Severity::Error,
    summary: "the file has a document type or defines entities, which the engine refuses to read",
    page: include_str!("../../../spec/rules/entity-definition.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    for fault in &document.parsed.faults {
        if fault.kind != FaultKind::EntityDefinition {
            continue;
        }
        let written = document.source.slice(fault.span).to_ascii_uppercase();
        let (message, help) = if written.contains("<!ENTITY") {
            (
                "entities are defined, and the engine expands none",
                "write the text itself in place of each `&name;`",
            )
        } else if document.role.instructs() {
            (
                "a document type is declared, and the engine reads none",
                "remove the `<!DOCTYPE …>`; `bmad lint` checks the tags",
            )
        } else {
            continue;
        };
        findings.add(fault.span, message).help = Some(help.to_owned());
    }
}
