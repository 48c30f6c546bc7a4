//! Close tags without their open.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("stray-close"),
    severity: Severity::Warning,
    summary: "a tag is closed that is not open",
    page: include_str!("../../../spec/rules/stray-close.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in unit.document.parsed.faults.iter().filter(|fault| fault.kind == FaultKind::StrayClose && unit.document.role.instructs()) {
        findings
            .add(fault.span, format!("`</{}>` closes nothing", fault.detail))
            .help = Some("remove it, or open the tag where its content begins".to_owned());
    }
}
