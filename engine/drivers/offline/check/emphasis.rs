//! Bold text and inline code that are opened and never closed.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::syntax::inline_code;
use std::ops::Range;

/// Bold text that is never closed.
pub(super) const BOLD: Check = Check {
    name: "unclosed-bold",
    claims: &[OPEN_BOLD],
    needs: "the author says where the bold text ends",
    about: About::Form,
    find: bold,
};

/// Inline code that is never closed.
pub(super) const CODE: Check = Check {
    name: "unclosed-code",
    claims: &[OPEN_CODE],
    needs: "the author says where the code ends",
    about: About::Form,
    find: code,
};

const OPEN_BOLD: &str = "bold text is opened and never closed: {}";
const OPEN_CODE: &str = "inline code is opened and never closed: {}";
/// The most letters of what follows a mark that are repeated.
const LONGEST: usize = 40;

fn bold(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let cells = cells(page);
    let open = cells.iter().filter_map(|cell| {
        let (prose, seen) = (page.prose.get(cell.clone())?, page.visible.get(cell.clone())?);
        open_bold(prose, seen).map(|at| cell.start + at)
    });
    open.map(|at| finding(page, &BOLD, OPEN_BOLD, at..at + 2)).collect()
}

fn code(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let cells = cells(page);
    let open = cells.iter().filter_map(|cell| {
        let text = page.visible.get(cell.clone())?;
        open_code(text).map(|at| cell.start + at)
    });
    open.map(|at| finding(page, &CODE, OPEN_CODE, at..at + 1)).collect()
}

fn finding(page: &Page, check: &Check, form: &str, range: Range<usize>) -> Finding {
    let (_, end) = page.near(range.start);
    let words: String = page.text()[range.start..end].chars().take(LONGEST).collect();
    Finding {
        check: check.name,
        severity: Severity::Low,
        message: say(form, [words.trim_end()]),
        evidence: format!("no mark closes it in the paragraph of line {}", page.line(range.start)),
        suggestion: "close it where it ends, or take the mark out".to_owned(),
        repair: Vec::new(),
        range,
    }
}

/// Returns the blocks of a page, a row of a table cut into its cells.
fn cells(page: &Page) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in &page.blocks {
        let text = page.visible.get(block.clone()).unwrap_or("");
        if !text.trim_start().starts_with('|') {
            found.push(block.clone());
            continue;
        }
        let prose = page.prose.get(block.clone()).unwrap_or("");
        let mut start = 0;
        for (at, _) in prose.match_indices('|').filter(|(at, _)| !prose[..*at].ends_with('\\')) {
            found.push(block.start + start..block.start + at);
            start = at + 1;
        }
        found.push(block.start + start..block.end);
    }
    found
}

/// Returns where `**` opens bold text that nothing closes; marks in code are none, but code beside a mark is text.
fn open_bold(prose: &str, text: &str) -> Option<usize> {
    let runs = runs(prose, '*');
    // Marks of other lengths pair in ways that need a whole reader of Markdown.
    if runs.iter().any(|run| run.len() > 2) {
        return None;
    }
    let mut open: Vec<usize> = Vec::new();
    for at in runs.iter().filter(|run| run.len() == 2).map(|run| run.start) {
        let before = text[..at].chars().next_back().unwrap_or(' ');
        let after = text[at + 2..].chars().next().unwrap_or(' ');
        if !before.is_whitespace() && !open.is_empty() {
            open.pop();
        } else if !after.is_whitespace() {
            open.push(at);
        }
    }
    let [only] = open.as_slice() else { return None };
    let before = text[..*only].chars().next_back().unwrap_or(' ');
    let after = text[only + 2..].chars().next().unwrap_or(' ');
    // `**/*.md` is a pattern, and `x**2` a power.
    let begins = before.is_whitespace() || "([\"“:—–-|>".contains(before);
    let opens = after.is_alphanumeric() || "\"“[(`✅⚠".contains(after);
    (begins && opens).then_some(*only)
}

/// Returns where a backtick opens code that nothing closes.
fn open_code(text: &str) -> Option<usize> {
    let runs = runs(text, '`');
    if runs.len().is_multiple_of(2) || runs.iter().any(|run| run.len() != 1) {
        return None;
    }
    let paired: Vec<Range<usize>> = inline_code(text).collect();
    let alone = runs
        .iter()
        .find(|run| !paired.iter().any(|pair| pair.contains(&run.start)))?;
    let before = text[..alone.start].chars().next_back().unwrap_or(' ');
    let after = text[alone.end..].chars().next().unwrap_or(' ');
    let opens = (before.is_whitespace() || "([\"“*".contains(before))
        && (after.is_alphanumeric() || "./-_$<{@~".contains(after));
    let closes = (before.is_alphanumeric() || "/)>}_".contains(before)) && !after.is_alphanumeric();
    (opens || closes).then_some(alone.start)
}

/// Returns the runs of a letter that are not escaped.
fn runs(text: &str, letter: char) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices(letter) {
        match found.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ if text[..at].ends_with('\\') => {}
            _ => found.push(at..at + 1),
        }
    }
    found
}
