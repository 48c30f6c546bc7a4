//! Files that could not be read as text.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("unreadable-file"),
    severity: Severity::Error,
    summary: "a file is too large, is not UTF-8 or holds a NUL byte, or it or a folder cannot be opened",
    page: include_str!("../../../spec/rules/unreadable-file.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for fault in &unit.document.parsed.faults {
        let (message, help) = match fault.kind {
            FaultKind::NotUtf8 => (
                format!("the file is not UTF-8: {}", fault.detail),
                "save it as UTF-8; nothing after this place was read",
            ),
            FaultKind::NulByte => (
                "the file holds a NUL byte, so it is no text".to_owned(),
                "nothing of it was read; remove the byte, or the file from where workflows are",
            ),
            FaultKind::FileTooLarge => (
                format!("the file is too large: {}", fault.detail),
                "split it, or keep it out of where workflows are",
            ),
            FaultKind::Unreadable => (
                format!("the file cannot be read: {}", fault.detail),
                "look at its permissions and at who owns it",
            ),
            FaultKind::ClosedFolder => (
                format!("the folder cannot be opened: {}", fault.detail),
                "nothing in it was looked at; look at its permissions and at who owns it",
            ),
            FaultKind::UnclosedTag
            | FaultKind::StrayClose
            | FaultKind::BadFrontmatter
            | FaultKind::BadYaml
            | FaultKind::BadToml
            | FaultKind::NestedTooDeep
            | FaultKind::TooManyAttributes
            | FaultKind::EntityDefinition
            | FaultKind::AliasBomb
            | FaultKind::DuplicateKey => continue,
        };
        findings.add(fault.span, message).help = Some(help.to_owned());
    }
}
