//! Frontmatter that is not YAML, and that of a skill without what agents list it by.

mod skill;

use crate::diagnostic::{Code, Severity};
use crate::lint::filling::awaits_filling;
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Document;
use crate::syntax::FaultKind;

pub(super) const RULE: Rule = Rule {
    code: Code("bad-frontmatter"),
    severity: Severity::Error,
    summary: "the frontmatter is not valid YAML, or a skill has no name or description in it",
    page: include_str!("../../../spec/rules/bad-frontmatter.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    skill::check(unit, findings);
    let document = unit.document;
    let instructs = document.role.instructs();
    for fault in &document.parsed.faults {
        let is_mine = fault.kind == FaultKind::BadFrontmatter && !awaits_filling(document, fault.span);
        if !is_mine || !(instructs || has_keys(document)) {
            continue;
        }
        let severity = if instructs { Severity::Error } else { Severity::Info };
        findings
            .add_as(
                severity,
                fault.span,
                format!("the frontmatter is not YAML: {}", fault.detail),
            )
            .help =
            Some("YAML readers refuse the whole block: every key in it is lost until this line is mended".to_owned());
    }
}

/// Says whether the block names a key; two rules across a page with prose between them name none.
fn has_keys(document: &Document) -> bool {
    let body = document
        .parsed
        .frontmatter
        .as_ref()
        .map(|matter| document.source.slice(matter.body));
    body.unwrap_or("").lines().any(|line| {
        line.split_once(':').is_some_and(|(key, _)| {
            let key = key.trim_matches(['"', '\'']);
            !key.is_empty()
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        })
    })
}
