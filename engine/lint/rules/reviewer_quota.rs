//! Reviewers that must find a number of problems whether or not they exist.

mod lexicon;
mod said;
mod sentence;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;
use crate::syntax::Pieces;
use lexicon::{AMOUNTS, is_found};
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
    for noun in nouns(text) {
        if noun < at {
            continue;
        }
        let range = around(text, at, noun);
        at = range.end.max(noun + 1);
        if text.get(range.clone()).is_some_and(may_demand) {
            found.extend(said(text, range, named).quota());
        }
    }
    found
}

fn said(text: &str, range: Range<usize>, named: bool) -> Said<'_> {
    Said {
        text,
        words: words(text, range.clone()),
        named,
        range,
    }
}

/// How far before what is found a number, a word for none or `find` stands, in words.
const NEAR: usize = 6;

/// Says whether a sentence has what every demand has: a number, a word for none, or `find`, and shortly after it what is
/// found. Most have not.
fn may_demand(sentence: &str) -> bool {
    let bytes = sentence.as_bytes();
    let (mut at, mut left, mut in_word) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_alphabetic() {
            let rest = &bytes[at..];
            let letters = rest.iter().position(|byte| !byte.is_ascii_alphabetic());
            let word = &rest[..letters.unwrap_or(rest.len())];
            if left > 0 && is_found(word, true) {
                return true;
            }
            if AMOUNTS.has_bytes(word) {
                left = NEAR + 1;
            }
            in_word = true;
            at += word.len();
            continue;
        }
        if byte.is_ascii_digit() || *byte == b'{' {
            left = NEAR + 1;
            in_word = true;
        } else if byte.is_ascii_whitespace() && in_word {
            // What stands between two gaps is one word or more.
            left = left.saturating_sub(1);
            in_word = false;
        }
        at += 1;
    }
    false
}

/// Says whether a file tells people about the project.
fn is_about(stem: &str) -> bool {
    ["readme", "changelog", "contributing", "history"]
        .iter()
        .any(|name| stem.eq_ignore_ascii_case(name))
}

/// What the words for what a review finds hold, whichever way they begin; searched for at the speed of memory.
///
/// Two lists, because pieces of some length are told from other text soonest. The two cases of a piece begin alike in
/// half the bits of every letter, so that looking for both takes no longer than looking for one.
static TAILS: [Pieces; 2] = [
    Pieces::new(&[
        "ssue",
        "inding",
        "efect",
        "flaw",
        "Flaw",
        "eakness",
        "ulnerabilit",
        "roblem",
        "oncern",
        "rror",
        "mprovement",
        "hortcoming",
        "bjection",
        "SSUE",
        "INDING",
        "EFECT",
        "FLAW",
        "EAKNESS",
        "ULNERABILIT",
        "ROBLEM",
        "ONCERN",
        "RROR",
        "MPROVEMENT",
        "HORTCOMING",
        "BJECTION",
    ]),
    Pieces::new(&["bug", "Bug", "BUG", "gap", "Gap", "GAP"]),
];

/// Finds the places of all words for what a review finds, in order.
fn nouns(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found: Vec<usize> = Vec::new();
    for at in TAILS.iter().flat_map(|tails| tails.places(text)) {
        let start = bytes[..at]
            .iter()
            .rposition(|byte| !is_part(*byte))
            .map_or(0, |before| before + 1);
        let length = bytes[start..]
            .iter()
            .position(|byte| !is_part(*byte))
            .unwrap_or(bytes.len() - start);
        if is_found(&bytes[start..start + length], true) {
            found.push(start);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
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
