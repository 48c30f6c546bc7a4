//! Footnotes without a definition, and definitions that nothing names.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Marks such as `[^1]` for which no line `[^1]: text` is there.
pub(super) const UNDEFINED: Check = Check {
    name: "undefined-footnote",
    claims: &[NO_TEXT],
    needs: "the author writes the footnote, or takes its mark out",
    about: About::Form,
    find: undefined,
};

/// Footnotes that no mark names.
pub(super) const UNUSED: Check = Check {
    name: "unused-footnote",
    claims: &[NO_MARK],
    needs: "the author says where the footnote belongs, or takes it out",
    about: About::Form,
    find: unused,
};

const NO_TEXT: &str = "the footnote [^{}] is defined nowhere in this document";
const NO_MARK: &str = "the footnote [^{}] is defined and nothing refers to it";
/// The longest name of a footnote.
const LONGEST: usize = 60;

fn undefined(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let (marks, definitions) = read(page);
    let known: HashSet<&str> = definitions.iter().map(|(name, _)| name.as_str()).collect();
    let open = marks.iter().filter(|(name, _)| !known.contains(name.as_str()));
    open.map(|(name, range)| Finding {
        check: UNDEFINED.name,
        severity: Severity::Medium,
        range: range.clone(),
        message: say(NO_TEXT, [name]),
        evidence: format!("{} footnotes are defined, and not this one", known.len()),
        suggestion: format!("add a line `[^{name}]: text`, or take the mark out"),
        repair: Vec::new(),
    })
    .collect()
}

fn unused(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let (marks, definitions) = read(page);
    let used: HashMap<&str, &Range<usize>> = marks.iter().map(|(name, range)| (name.as_str(), range)).collect();
    let open = definitions.iter().filter(|(name, _)| !used.contains_key(name.as_str()));
    open.map(|(name, range)| Finding {
        check: UNUSED.name,
        severity: Severity::Low,
        range: range.clone(),
        message: say(NO_MARK, [name]),
        evidence: format!("{} marks were compared", marks.len()),
        suggestion: format!("write [^{name}] where the footnote belongs, or take the footnote out"),
        repair: Vec::new(),
    })
    .collect()
}

type Named = Vec<(String, Range<usize>)>;

/// Returns the marks and the definitions of footnotes.
fn read(page: &Page) -> (Named, Named) {
    let prose = page.prose.as_str();
    let (mut marks, mut definitions) = (Vec::new(), Vec::new());
    for (at, _) in prose.match_indices("[^") {
        let inside = &prose[at + 2..];
        let Some(length) = inside
            .find([']', '[', '\n', ' '])
            .filter(|length| inside[*length..].starts_with(']'))
        else {
            continue;
        };
        let name = &inside[..length];
        let is_name = (1..=LONGEST).contains(&length) && is_name(name);
        // `[^a-z]+` is a pattern, and `\[^1]` is no mark.
        let after = inside[length + 1..].chars().next().unwrap_or(' ');
        let is_escaped = prose[..at].ends_with('\\');
        if !is_name || is_escaped || "+*?{".contains(after) {
            continue;
        }
        let end = at + 2 + length + 1;
        let before = &prose[page.line_range(at).0..at];
        let begins = before.trim_matches([' ', '>']).is_empty() && before.len() <= 4;
        let named = (name.to_lowercase(), at..end);
        if begins && prose[end..].starts_with(':') {
            definitions.push(named);
        } else {
            marks.push(named);
        }
    }
    (marks, definitions)
}

/// Tells the name of a footnote from a pattern such as `[^a-z]`.
fn is_name(name: &str) -> bool {
    let plain = name
        .chars()
        .all(|each| each.is_alphanumeric() || matches!(each, '-' | '_' | '.'));
    let is_class = name.len() == 3 && name.as_bytes()[1] == b'-';
    plain && !is_class
}
