//! YAML files that are not YAML.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-yaml"),
    severity: Severity::Error,
    summary: "the file is not valid YAML",
    page: include_str!("../../../spec/rules/bad-yaml.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::BadYaml) {
        findings
            .add(fault.span, format!("the file is not YAML: {}", fault.detail))
            .help = Some("what follows this place was not read".to_owned());
    }
}
