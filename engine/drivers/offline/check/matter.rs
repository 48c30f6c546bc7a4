//! Frontmatter that is not YAML.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::syntax::{Fault, FaultKind};

/// Frontmatter that cannot be read.
pub(super) const CHECK: Check = Check {
    name: "bad-frontmatter",
    claims: &[NO_YAML, TWICE],
    needs: "the author says what the value is meant to be",
    about: About::Form,
    find,
};

const NO_YAML: &str = "the frontmatter is not YAML: {}";
/// What opens a block of a template language: it is YAML once the template is filled in.
const BLOCKS: &[&str] = &["{{#", "{{^", "{%"];
const TWICE: &str = "the frontmatter gives the key {} twice";

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let Some(matter) = &page.parsed.frontmatter else {
        return Vec::new();
    };
    let inside = matter.span.range();
    let text = page.text().get(inside.clone()).unwrap_or("");
    if BLOCKS.iter().any(|mark| text.contains(mark)) {
        return Vec::new();
    }
    let faults = page.parsed.faults.iter();
    // Where nothing closes it, it is the line behind it that is at fault.
    let own = faults.filter(|fault| (inside.start..=inside.end).contains(&fault.span.range().start));
    own.filter_map(|fault| {
        let message = message(page, fault)?;
        Some(Finding {
            check: CHECK.name,
            severity: Severity::High,
            range: fault.span.range(),
            message,
            evidence: format!("a reader of YAML stops at line {}", page.line(fault.span.range().start)),
            suggestion: "put the value in quotes, or write the line as YAML wants it".to_owned(),
            repair: Vec::new(),
        })
    })
    .collect()
}

fn message(page: &Page, fault: &Fault) -> Option<String> {
    match fault.kind {
        FaultKind::BadFrontmatter | FaultKind::BadYaml => Some(say(NO_YAML, [&fault.detail])),
        FaultKind::DuplicateKey => {
            let key = page.text().get(fault.span.range()).unwrap_or("");
            Some(say(TWICE, [key.trim_end_matches(':')]))
        }
        FaultKind::UnclosedTag
        | FaultKind::StrayClose
        | FaultKind::BadToml
        | FaultKind::NotUtf8
        | FaultKind::NulByte
        | FaultKind::FileTooLarge
        | FaultKind::Unreadable
        | FaultKind::ClosedFolder
        | FaultKind::NestedTooDeep
        | FaultKind::TooManyAttributes
        | FaultKind::EntityDefinition
        | FaultKind::AliasBomb => None,
    }
}
