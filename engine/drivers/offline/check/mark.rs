//! Marks by which authors remind themselves that something is not done.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::syntax::{Line, LineKind};
use std::collections::BTreeSet;

/// Marks by which authors remind themselves that something is not done.
pub(super) const CHECK: Check = Check {
    name: "open-mark",
    claims: &[OPEN],
    needs: "the author does what the mark is a reminder of, or decides what it leaves open",
    about: About::Content,
    find,
};

const OPEN: &str = "a mark says that something is not done: {}";
/// The most letters of a remark that are repeated.
const LONGEST: usize = 60;

/// Written in halves: these words mean that a text is not finished, and this text is.
pub(super) const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), UNDECIDED];
/// What follows a mark that is only spoken of.
const ABOUT: &[&str] = &[
    "items",
    "values",
    "markers",
    "sections",
    "fields",
    "questions",
    "entries",
];
/// The names of the other states that work can be in.
const STATES: &[&str] = &[
    "done",
    "complete",
    "closed",
    "in progress",
    "in-progress",
    "in review",
    "in-review",
    "doing",
    "ready",
    "review",
    "blocked",
    "backlog",
];
/// How many lines above and below are looked at for them.
const MOST_LINES: usize = 20;
/// The one that says by itself that something is open; people speak about the others.
const UNDECIDED: &str = concat!("TB", "D");

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for mark in MARKS {
        for (at, _) in page.prose.match_indices(mark) {
            if stands_alone(&page.prose, at, at + mark.len()) && is_open(page, mark, at) {
                found.push(Finding {
                    check: CHECK.name,
                    severity: Severity::Medium,
                    range: at..at + mark.len(),
                    message: say(OPEN, [&remark(page, at)]),
                    evidence: format!("line {} says it of itself", page.line(at)),
                    suggestion: "do what is left to do, write down what was decided, and take the mark out".to_owned(),
                    repair: Vec::new(),
                });
            }
        }
    }
    found
}

/// Tells a mark that is meant from a word about such marks, and from a title.
fn is_open(page: &Page, mark: &str, at: usize) -> bool {
    let end = at + mark.len();
    let word: String = page.prose[end..]
        .chars()
        .skip(1)
        .take_while(char::is_ascii_lowercase)
        .collect();
    let is_title = page
        .section(at)
        .is_some_and(|heading| heading.range.contains(&at) && heading.text.trim() == mark);
    match mark {
        _ if is_title => false,
        UNDECIDED => !ABOUT.contains(&word.as_str()),
        _ => is_remark(&page.prose, at, end) && !is_state(page, mark, at),
    }
}

/// Says whether a mark is the name of a state: other items of the same list, or rows of the same table, name others.
fn is_state(page: &Page, mark: &str, at: usize) -> bool {
    let lines = &page.parsed.markdown.lines;
    let own = lines.partition_point(|line| line.range().start <= at).saturating_sub(1);
    let Some(line) = lines.get(own) else { return false };
    let goes_on = |other: &&Line| matches!(other.kind, LineKind::Blank | LineKind::Text) || other.kind == line.kind;
    let before = lines[..own].iter().rev().take_while(goes_on).take(MOST_LINES);
    let after = lines[own + 1..].iter().take_while(goes_on).take(MOST_LINES);
    let (mut states, mut marks): (BTreeSet<&str>, usize) = (BTreeSet::new(), 0);
    let beside = |other: &&Line| other.kind == line.kind && other.indent == line.indent;
    for other in before.chain(after).filter(beside) {
        let text = page.prose.get(other.range()).unwrap_or("");
        let words = text.trim_start_matches(|each: char| !each.is_alphabetic());
        marks += usize::from(words.starts_with(mark));
        let lower: String = words.chars().take(LONGEST).collect::<String>().to_lowercase();
        states.extend(STATES.iter().copied().find(|state| lower.starts_with(*state)));
    }
    let is_listed = matches!(line.kind, LineKind::Item | LineKind::Table);
    let begins = page
        .prose
        .get(line.range().start..at)
        .is_some_and(|before| !before.contains(char::is_alphabetic));
    // Work that is listed by its state has a mark more than once.
    is_listed && begins && states.len() > 1 && marks == 0
}

/// Returns the mark and the first words after it.
fn remark(page: &Page, at: usize) -> String {
    let (_, end) = page.near(at);
    let words = page.text().get(at..end).unwrap_or("");
    let cut: String = words.chars().take(LONGEST).collect();
    let plain = cut.trim_end_matches(|each: char| each.is_whitespace() || "*_|.,;:)]".contains(each));
    plain.to_owned()
}

/// Says whether a mark is a word: not part of a name, a path, a number or a quote.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (&text[..start], &text[end..]);
    let (last, first) = (before.chars().next_back(), after.chars().next());
    let is_part = |each: Option<char>| each.is_some_and(|each| each.is_alphanumeric() || "/\\\"'`@#$.".contains(each));
    // Underscores make a word italic, or longer; a dot or a hyphen ends it, or not.
    let inner = before.trim_end_matches('_').chars().next_back();
    let outer = after.trim_start_matches(['_', '.', '-']).chars().next();
    let goes_on = first.is_some_and(|first| "_.-".contains(first)) && outer.is_some_and(char::is_alphanumeric);
    let comes_on = matches!(last, Some('_' | '-')) && inner.is_some_and(char::is_alphanumeric);
    let is_name = first.is_some_and(|first| first.is_alphanumeric() || "/\\\"'`@$".contains(first));
    !(is_part(last) || comes_on || goes_on || is_name)
}

/// Says whether a mark is a remark and not a word of a sentence about such marks: it begins a line, stands in brackets
/// or in bold, is all that a line says after a colon, or a colon or a dash follows.
fn is_remark(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].rsplit('\n').next().unwrap_or("");
    let after = text[end..].split('\n').next().unwrap_or("");
    let (last, first) = (before.chars().next_back(), after.chars().next());
    let opens = before.trim_matches(['*', '_', '-', '+', '>', '|', '#', ' ']).is_empty();
    let wrapped = last.is_some_and(|each| "[(*_".contains(each)) && first.is_some_and(|each| "])*_:".contains(each));
    let announces = after.trim_start().starts_with([':', '–', '—', '(']) || after.starts_with(" - ");
    let is_last = after.trim_matches(['.', '*', '_', '|', ' ', '!']).is_empty();
    let ends = is_last && before.trim_end().ends_with([':', '*', '|']);
    opens || wrapped || announces || ends
}
