//! Links by reference whose definition is missing.

use super::link::names;
use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use std::collections::HashSet;
use std::ops::Range;

/// Links such as `[text][name]` for which no line `[name]: target` is there.
pub(super) const CHECK: Check = Check {
    name: "undefined-reference",
    claims: &[UNDEFINED],
    needs: "the author says where the link leads",
    about: About::Content,
    find,
};

const UNDEFINED: &str = "the link reference [{}] is defined nowhere in this document";
/// The longest text or name in brackets.
const LONGEST: usize = 300;

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let prose = page.prose.as_str();
    let defined: HashSet<String> = names(&page.visible).map(normal).collect();
    let mut found = Vec::new();
    for (at, _) in prose.match_indices("][") {
        let Some((text, name)) = pair(prose, at) else { continue };
        let label = if name.is_empty() { &text } else { &name };
        // What only looks like a link is told by its words; what defines it has its code too.
        let is_link = is_link(prose, &text, &prose[text.clone()], &prose[label.clone()], &defined);
        let label = page.visible.get(label.clone()).unwrap_or("");
        if is_link && !defined.contains(&normal(label)) {
            found.push(Finding {
                check: CHECK.name,
                severity: Severity::High,
                range: text.start - 1..name.end + 1,
                message: say(UNDEFINED, [label]),
                evidence: format!("{} references are defined, and not this one", defined.len()),
                suggestion: format!("add a line `[{label}]: target`, or write the target into the link"),
                repair: Vec::new(),
            });
        }
    }
    found
}

/// Returns what stands in the two pairs of brackets around `][`.
fn pair(text: &str, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let from = text.floor_char_boundary(at.saturating_sub(LONGEST));
    let before = &text[from..at];
    let mut depth = 0usize;
    let open = before.char_indices().rev().find(|(_, each)| match each {
        ']' => {
            depth += 1;
            false
        }
        '[' if depth == 0 => true,
        '[' => {
            depth -= 1;
            false
        }
        _ => false,
    });
    let start = from + open?.0 + 1;
    let after = &text[at + 2..text.floor_char_boundary((at + 2 + LONGEST).min(text.len()))];
    let length = after
        .find([']', '[', '\n'])
        .filter(|length| after[*length..].starts_with(']'))?;
    let is_one = !text[start..at].contains("\n\n");
    is_one.then_some((start..at, at + 2..at + 2 + length))
}

/// Tells a link from `matrix[i][j]`, a menu `[A][P]` and a row of boxes `[x][ ]`.
fn is_link(text: &str, place: &Range<usize>, written: &str, label: &str, defined: &HashSet<String>) -> bool {
    let before = text[..place.start - 1].chars().next_back().unwrap_or(' ');
    let stands_alone = !(before.is_alphanumeric() || "]\\)".contains(before));
    let letters = written.chars().filter(|each| each.is_alphabetic()).count();
    let is_word = letters >= 2 && written.chars().any(char::is_lowercase) && !written.starts_with('^');
    let is_name = !label.trim().is_empty() && !label.starts_with('^') && !label.contains(['{', '<', '|']);
    let is_name = is_name && !is_path(label) && !is_tag(text, place, written, label);
    // Where the document defines no reference at all, two pairs of brackets may mean anything.
    let is_meant = !defined.is_empty()
        || (label
            .chars()
            .all(|each| each.is_ascii_digit() || each.is_ascii_lowercase() || each == '-')
            && label.len() > 1);
    stands_alone && is_word && is_name && is_meant
}

/// Says whether a name is that of a thing in code, which tools for documentation look up themselves.
fn is_path(label: &str) -> bool {
    let is_one_word = label.chars().all(|each| each.is_alphanumeric() || each == '_');
    let has_humps = label.starts_with(char::is_uppercase) && label.chars().skip(1).any(char::is_uppercase);
    label.contains("::") || (is_one_word && has_humps && label.chars().any(char::is_lowercase))
}

/// Says whether two words in brackets only sort the entry that they begin: `- [windows][arm] It works now`.
fn is_tag(text: &str, place: &Range<usize>, written: &str, label: &str) -> bool {
    let line = text[..place.start - 1].rsplit('\n').next().unwrap_or("");
    let begins = line.trim_matches([' ', '-', '*', '+']).is_empty();
    let is_word = |word: &str| {
        word.chars()
            .all(|each| each.is_ascii_lowercase() || each.is_ascii_digit())
    };
    begins && is_word(written) && is_word(label)
}

/// Returns a name as references compare them: without case, blanks as one.
fn normal(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
