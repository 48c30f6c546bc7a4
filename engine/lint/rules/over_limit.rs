//! Text that is nested or unfolded past the engine's limits.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::{FaultKind, MAX_ATTRIBUTES, MAX_DEPTH, Tag};

pub(super) const RULE: Rule = Rule {
    code: Code("over-limit"),
    severity: Severity::Error,
    summary: "tags, attributes or aliases go past the engine's limits",
    page: include_str!("../../../spec/rules/over-limit.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in &unit.document.parsed.faults {
        let (message, help) = match fault.kind {
            FaultKind::NestedTooDeep if Tag::named(&fault.detail).is_none() => (
                format!("nested deeper than {MAX_DEPTH} levels"),
                "nothing deeper was read; make it flatter",
            ),
            FaultKind::NestedTooDeep => (
                format!("`<{}>` is nested deeper than {MAX_DEPTH} levels", fault.detail),
                "deeper tags were read as text; close the tags above it, or make it flatter",
            ),
            FaultKind::TooManyAttributes => (
                format!("more than {MAX_ATTRIBUTES} attributes on one tag"),
                "the others were not read; put the values into the text, or into a file",
            ),
            FaultKind::AliasBomb => (
                "the aliases of this file unfold too far".to_owned(),
                "nothing after this place was read; write the values out, or refer to fewer of them",
            ),
            FaultKind::UnclosedTag
            | FaultKind::StrayClose
            | FaultKind::BadFrontmatter
            | FaultKind::BadYaml
            | FaultKind::BadToml
            | FaultKind::NotUtf8
            | FaultKind::NulByte
            | FaultKind::FileTooLarge
            | FaultKind::Unreadable
            | FaultKind::ClosedFolder
            | FaultKind::EntityDefinition
            | FaultKind::DuplicateKey => continue,
        };
        findings.add(fault.span, message).help = Some(help.to_owned());
    }
}
