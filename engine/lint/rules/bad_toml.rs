//! TOML files that are not TOML.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-toml"),
    severity: Severity::Error,
    summary: "the file is not valid TOML",
    page: include_str!("../../../spec/rules/bad-toml.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::BadToml) {
        findings
            .add(fault.span, format!("the file is not TOML: {}", fault.detail))
            .help = Some("what follows this place was not read".to_owned());
    }
}
