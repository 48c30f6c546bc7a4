//! Reviewers that must find a number of problems whether or not they exist.

mod lexicon;
mod said;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Severity};
use crate::lint::sentence::{around, ends_at, is_parted, words};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;
use crate::source::ByteSet;
use crate::syntax::Pieces;
use lexicon::{AMOUNTS, DUTIES, NEARER, is_found};
use said::{Said, may_be_demand};
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    code: Code("reviewer-quota"),
    severity: Severity::Warning,
    summary: "a review must find a minimum number of problems, so it never ends clean",
    page: include_str!("../../../spec/rules/reviewer-quota.md"),
    check: Check::File(check),
};

/// What the names of files hold that speak of a review.
static NAMES: Pieces = Pieces::new(&["review", "audit", "critic", "adversar"]);

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let source = &unit.document.source;
    if matches!(unit.document.role, Role::Template | Role::Manifest) || is_about(source.path().stem()) {
        return;
    }
    let text = source.text();
    for quota in quotas(text, NAMES.are_in(source.path().as_str())) {
        let (severity, message) = quota.demand.message();
        findings.add_as(severity, source.span(quota.span.start, quota.span.end), message).help =
            Some("ask for effort instead: name what to look at and have that listed; an honest empty result must be possible".to_owned());
    }
}

/// Finds every demand in a text; `named` says that the name of the file speaks of a review.
fn quotas(text: &str, named: bool) -> Vec<Quota> {
    let nouns = nouns(text);
    let mut rest = nouns.as_slice();
    let mut found = Vec::new();
    while let Some(first) = rest.iter().position(|noun| is_counted(text, *noun)) {
        // What those say that stand together depends on no other: a sentence ends between them.
        let group = together(text, rest, first);
        let counted = rest[first..group.end].iter().copied();
        let counted: Vec<usize> = counted.filter(|noun| is_counted(text, *noun)).collect();
        let (group, others) = (&rest[group.start..group.end], &rest[group.end..]);
        rest = others;
        let mut at = 0;
        for noun in group {
            if *noun < at {
                continue;
            }
            let range = around(text, at, *noun);
            at = range.end.max(noun + 1);
            // They stand in order.
            let first = counted.partition_point(|noun| *noun < range.start);
            let is_counted = counted.get(first).is_some_and(|noun| *noun < range.end);
            if is_counted && may_be_demand(text, &range) {
                found.extend(said(text, range, named).quota());
            }
        }
    }
    found
}

/// Returns which places stand with one of them where no sentence surely ends between.
fn together(text: &str, places: &[usize], one: usize) -> Range<usize> {
    let is_joined = |pair: &&[usize]| !is_parted(text, pair[0]..pair[1]);
    let before = places[..=one].windows(2).rev().take_while(is_joined).count();
    let after = places[one..].windows(2).take_while(is_joined).count();
    one - before..one + after + 1
}

fn said(text: &str, range: Range<usize>, named: bool) -> Said<'_> {
    Said {
        text,
        words: words(text, range.clone()),
        named,
        range,
    }
}

/// How far before what is found a number stands, in words.
const NEAR: usize = 6;

/// How far before it a word for none or `find` stands.
const NEXT: usize = 3;

/// The letters of words that say how much.
static LETTERS: ByteSet = ByteSet::of(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

/// What numbers are written with, or begin with where they are the value of a name.
static AMOUNT_BYTES: ByteSet = ByteSet::of(b"0123456789{");

/// Says whether what is found has shortly before it, in its sentence, what every demand has: a number, a word for none, or
/// `must find`. Most have not.
fn is_counted(text: &str, noun: usize) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut words, mut is_gap) = (noun, 0, false);
    while let Some(before) = at.checked_sub(1) {
        let byte = bytes[before];
        if LETTERS.has(byte) || AMOUNT_BYTES.has(byte) {
            words += usize::from(std::mem::take(&mut is_gap));
            if words > NEAR || AMOUNT_BYTES.has(byte) {
                return words <= NEAR;
            }
            let start = word_start(&bytes[..at]);
            let word = &bytes[start..at];
            let may_count = || !NEARER.has_bytes(word) || words <= NEXT && may_bind(word, &bytes[..start]);
            if AMOUNTS.has_bytes(word) && may_count() {
                return true;
            }
            at = start;
            continue;
        }
        if ends_at(text, before) {
            return false;
        }
        // What stands between two gaps is one word or more.
        is_gap |= byte.is_ascii_whitespace();
        at = before;
    }
    false
}

/// Returns where the letters begin that a text ends with.
fn word_start(bytes: &[u8]) -> usize {
    let other = bytes.iter().rposition(|byte| !LETTERS.has(*byte));
    other.map_or(0, |other| other + 1)
}

/// Says whether a word for none or `find` may make a demand by what stands before it.
fn may_bind(word: &[u8], before: &[u8]) -> bool {
    if !word.eq_ignore_ascii_case(b"find") {
        return true;
    }
    let end = before.iter().rposition(|byte| LETTERS.has(*byte));
    let before = &before[..end.map_or(0, |last| last + 1)];
    DUTIES.has_bytes(&before[word_start(before)..])
}

/// Says whether a file tells people about the project.
fn is_about(stem: &str) -> bool {
    ["readme", "changelog", "contributing", "history"]
        .iter()
        .any(|name| stem.eq_ignore_ascii_case(name))
}

/// What the words for what a review finds hold, whichever way they begin; searched for at the speed of memory.
///
/// Their first three letters are rare, which tells them from other text soonest. The two cases of a piece begin alike in
/// half the bits of every letter, so that looking for both takes no longer than looking for one.
static PARTS: Pieces = Pieces::new(&[
    "law",
    "lnerabilit",
    "oncern",
    "nding",
    "rror",
    "akness",
    "sue",
    "rtcoming",
    "gap",
    "bjection",
    "fect",
    "roblem",
    "bug",
    "mprovement",
    "LAW",
    "LNERABILIT",
    "ONCERN",
    "NDING",
    "RROR",
    "AKNESS",
    "SUE",
    "RTCOMING",
    "GAP",
    "Gap",
    "BJECTION",
    "FECT",
    "ROBLEM",
    "BUG",
    "Bug",
    "MPROVEMENT",
]);

/// Finds the places of all words for what a review finds, in order.
fn nouns(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found: Vec<usize> = Vec::new();
    for at in PARTS.places(text) {
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
