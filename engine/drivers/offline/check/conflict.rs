//! Marks that a merge left behind.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::syntax::LineKind;

/// Lines that a merge left behind.
pub(super) const CHECK: Check = Check {
    name: "merge-conflict",
    claims: &[LEFT],
    needs: "the author of the merge says which of the two sides counts",
    about: About::Form,
    find,
};

const LEFT: &str = "a merge left the line \"{}\" behind";
/// How many times a mark repeats its letter.
const LENGTH: usize = 7;

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        if matches!(line.kind, LineKind::Code | LineKind::FenceMark | LineKind::Frontmatter) {
            continue;
        }
        let text = line.prose;
        let starts = is_mark(text, '<');
        let ends = is_mark(text, '>');
        // What stands between the marks belongs to the conflict that the first mark tells.
        if starts || (ends && !is_open) {
            found.push(Finding {
                check: CHECK.name,
                severity: Severity::High,
                range: line.start..line.start + text.trim_end().len(),
                message: say(LEFT, [text.trim()]),
                evidence: format!(
                    "line {} is a mark of a merge that was not finished",
                    page.line(line.start)
                ),
                suggestion: "keep the side that counts and take the marks out".to_owned(),
                repair: Vec::new(),
            });
        }
        is_open = starts || (is_open && !ends);
    }
    found
}

/// Says whether a line is seven times a letter, alone or before a name.
fn is_mark(line: &str, letter: char) -> bool {
    let count = line.chars().take_while(|each| *each == letter).count();
    let rest = &line[count..];
    let is_named = rest.starts_with(' ') && !rest.trim().is_empty() && rest.trim().len() < 100;
    count == LENGTH && (rest.trim().is_empty() || is_named)
}
