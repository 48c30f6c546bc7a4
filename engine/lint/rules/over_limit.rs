//! Text that is nested or unfolded past the engine's limits.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::{FaultKind, MAX_ATTRIBUTES, MAX_DEPTH};

pub(super) const RULE: Rule = Rule {
    code: Code("over-limit"),
    severity: Severity::Error,
    summary: "tags, attributes or aliases go past the engine's limits",
    page: include_str!("../../../spec/rules/over-limit.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in &unit.document.parsed.faults {
        let message = match fault.kind {
            FaultKind::NestedTooDeep => format!("nested deeper than {MAX_DEPTH} levels"),
            FaultKind::TooManyAttributes => format!("more than {MAX_ATTRIBUTES} attributes on one tag"),
            FaultKind::AliasBomb => "the aliases of this file unfold without end".to_owned(),
            FaultKind::UnclosedTag
            | FaultKind::StrayClose
            | FaultKind::BadFrontmatter
            | FaultKind::BadYaml
            | FaultKind::BadToml
            | FaultKind::NotUtf8
            | FaultKind::NulByte
            | FaultKind::FileTooLarge
            | FaultKind::Unreadable
            | FaultKind::EntityDefinition
            | FaultKind::DuplicateKey => continue,
        };
        findings.add(fault.span, message).help = Some("what goes past the limit was not read; make it smaller".to_owned());
    }
}
