//! Reviewers that must find a number of problems whether or not they exist.

mod lexicon;
mod said;
mod sentence;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;
use lexicon::is_found;
use said::Said;
use sentence::{around, words};
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    code: Code("reviewer-quota"),
    severity: Severity::Warning,
    summary: "a review must find a minimum number of problems, so it never ends clean",
    page: include_str!("../../../spec/rules/reviewer-quota.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let source = &unit.document.source;
    if matches!(unit.document.role, Role::Template | Role::Manifest) || is_about(source.path().stem()) {
        return;
    }
    let text = source.text();
    let named = ["review", "audit", "critic", "adversar"]
        .iter()
        .any(|word| source.path().as_str().contains(word));
    for quota in quotas(text, named) {
        let (severity, message) = quota.demand.message();
        findings.add_as(severity, source.span(quota.span.start, quota.span.end), message).help =
            Some("ask for effort instead: name what to look at and have that listed; an honest empty result must be possible".to_owned());
    }
}

/// Finds every demand in a text; `named` says that the name of the file speaks of a review.
fn quotas(text: &str, named: bool) -> Vec<Quota> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(noun) = next_noun(text, at) {
        let range = around(text, at, noun);
        let words = words(text, range.clone());
        found.extend(
            Said {
                text,
                words,
                named,
                range: range.clone(),
            }
            .quota(),
        );
        at = range.end.max(noun + 1);
    }
    found
}

/// Says whether a file tells people about the project.
fn is_about(stem: &str) -> bool {
    ["readme", "changelog", "contributing", "history"]
        .iter()
        .any(|name| stem.eq_ignore_ascii_case(name))
}

/// The bytes that words are made of.
const PART: [bool; 256] = table(b"_0123456789abcdefghijklmnopqrstuvwxyz");
/// The bytes that words for what a review finds begin with.
const FIRST: [bool; 256] = table(b"bcdefgiopsvw");

/// Marks letters, in both cases.
const fn table(letters: &[u8]) -> [bool; 256] {
    let mut marked = [false; 256];
    let mut at = 0;
    while at < letters.len() {
        marked[letters[at] as usize] = true;
        marked[letters[at].to_ascii_uppercase() as usize] = true;
        at += 1;
    }
    marked
}

/// Finds the next word for what a review finds. Every byte of every file comes by here.
fn next_noun(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        while at < bytes.len() && !PART[bytes[at] as usize] {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && PART[bytes[at] as usize] {
            at += 1;
        }
        let likely = (3..=15).contains(&(at - start)) && FIRST[bytes[start] as usize];
        if likely && text.get(start..at).is_some_and(|word| is_found(word, true)) {
            return Some(start);
        }
    }
    None
}

/// What a review is told about how much to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Demand {
    /// So many.
    Number,
    /// Not none.
    Some,
    /// Below a number it starts again.
    Again,
    /// Below a number it starts again, or asks.
    AgainOrAsk,
}

impl Demand {
    fn message(self) -> (Severity, &'static str) {
        match self {
            Demand::Number => (
                Severity::Warning,
                "this review has a quota: it must find problems even where there are none",
            ),
            Demand::Some => (
                Severity::Warning,
                "this review may not end empty: it must find problems even where there are none",
            ),
            Demand::Again => (
                Severity::Warning,
                "this review is sent back until it has found enough, which is a quota",
            ),
            Demand::AgainOrAsk => (
                Severity::Info,
                "this review treats a clean result as suspicious, which pushes it to find something",
            ),
        }
    }
}

/// A demand and where it is made.
struct Quota {
    demand: Demand,
    span: Range<usize>,
}
