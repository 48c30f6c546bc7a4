//! Keys that are given twice in one map.

use crate::diagnostic::{Code, Label, Severity};
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
    for fault in &unit.document.parsed.faults {
        if fault.kind != FaultKind::DuplicateKey {
            continue;
        }
        let found = findings.add(fault.span, format!("the key `{}` is given twice", fault.detail));
        found.labels.extend(fault.related.map(|span| Label {
            span,
            text: "first given here".to_owned(),
        }));
        found.help =
            Some("remove one of them; readers differ about which one counts, and some refuse the file".to_owned());
    }
}
