//! Words that stand twice in a row.

use super::{About, Change, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;

/// Words that stand twice in a row.
pub(super) const CHECK: Check = Check {
    name: "doubled-word",
    claims: &[TWICE],
    needs: "the author says what is meant",
    about: About::Form,
    find,
};

const TWICE: &str = "the word \"{}\" stands twice in a row in \"{}\"";
/// Words that no sentence has twice in a row. `in`, `on`, `is`, `it`, `that` and `had` are not among them.
const WORDS: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "or", "with", "for", "from", "by", "be", "are", "this", "these", "those",
    "must", "should", "not", "at", "we", "they", "its", "their", "your", "our", "which", "when", "into", "been", "was",
    "were", "if", "but", "each", "every",
];

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for block in &page.blocks {
        let prose = page.prose.get(block.clone()).unwrap_or("");
        let words: Vec<(usize, &str)> = words(prose).collect();
        for pair in words.windows(2) {
            let ((first, one), (second, two)) = (pair[0], pair[1]);
            let between = &prose[first + one.len()..second];
            let is_blank = !between.is_empty() && between.chars().all(char::is_whitespace);
            // What was blanked is code: `the x the` has something between the words.
            let really = page.text().get(block.start + first + one.len()..block.start + second);
            let is_same = WORDS.contains(&two) && one.to_lowercase() == two;
            if is_blank && is_same && really == Some(between) && stands_alone(prose, first, second + two.len()) {
                found.push(finding(page, block.start + first, block.start + second, two));
            }
        }
    }
    found
}

fn finding(page: &Page, first: usize, second: usize, word: &str) -> Finding {
    let end = second + word.len();
    let text = page.text();
    let breaks = text[first..second].contains('\n');
    let (start, stop) = if breaks {
        let after = &text[end..];
        (second, end + after.len() - after.trim_start_matches(' ').len())
    } else {
        (first + word.len(), end)
    };
    Finding {
        check: CHECK.name,
        severity: Severity::Low,
        range: first..end,
        message: say(TWICE, [word, &around(page, first, end)]),
        evidence: format!("line {} and the word after it", page.line(first)),
        suggestion: "take one of the two out".to_owned(),
        repair: vec![Change {
            start,
            end: stop,
            new: String::new(),
        }],
    }
}

/// Returns the two words with one neighbour on each side.
fn around(page: &Page, start: usize, end: usize) -> String {
    let text = page.text();
    let before = text[page.near(start).0..start].split_whitespace().next_back();
    let after = text[end..page.near(end).1].split_whitespace().next();
    let middle = text[start..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = [before.unwrap_or(""), &middle, after.unwrap_or("")];
    parts.join(" ").trim().to_owned()
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|each: char| !each.is_ascii_alphabetic())
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Tells words of a sentence from parts of names, and from words that somebody quotes.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back().unwrap_or(' ');
    let mut after = text[end..].chars();
    let (next, then) = (after.next().unwrap_or(' '), after.next().unwrap_or(' '));
    let is_part = |each: char| each.is_alphanumeric() || "-_/\\'’@#&+=".contains(each);
    let is_quoted = "\"“'".contains(before) && "\"”'".contains(next);
    let goes_on = next == '.' && then.is_alphanumeric();
    !(is_part(before) || before == '.' || is_part(next) || goes_on || is_quoted)
}
