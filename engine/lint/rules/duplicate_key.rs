//! Keys that are given twice in one map.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("duplicate-key"),
    severity: Severity::Warning,
    summary: "a key is given twice, so only one of its values counts",
    page: include_str!("../../../spec/rules/duplicate-key.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::DuplicateKey) {
        findings
            .add(fault.span, format!("the key `{}` is given twice", fault.detail))
            .help = Some("remove one of them; readers differ about which one counts".to_owned());
    }
}
