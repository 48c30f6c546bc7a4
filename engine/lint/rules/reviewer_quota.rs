//! Reviewers that must find a number of problems whether or not they exist.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};

pub(super) const RULE: Rule = Rule {
    code: Code("reviewer-quota"),
    severity: Severity::Warning,
    summary: "a review must find a minimum number of problems, so it never ends clean",
    page: include_str!("../../../spec/rules/reviewer-quota.md"),
    check: Check::File(check),
};

/// Words that order a search.
const VERBS: &[&str] = &["find", "identify", "report", "list", "produce", "surface", "discover", "raise"];
/// Words for what a review finds.
const NOUNS: &[&str] = &["issue", "problem", "finding", "defect", "bug", "weakness", "concern", "flaw", "improvement", "gap"];
/// Words that make a number a quota.
const BOUNDS: &[&str] = &["at least", "minimum", "a minimum of", "no fewer than", "no less than", "must find", "never fewer than"];

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let source = &unit.document.source;
    if unit.document.role == crate::model::Role::Template {
        return;
    }
    let text = source.text();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((start, end)) = quota(line) {
            findings
                .add(source.span(at + start, at + end), "this review has a quota: it must find problems even where there are none".to_owned())
                .help = Some("ask for effort instead: which lenses to try and to list; accept an honest empty result".to_owned());
        }
        at += line.len();
    }
}

/// Finds "find at least three issues" and its kin in one line.
fn quota(line: &str) -> Option<(usize, usize)> {
    if !line.bytes().any(|byte| byte.is_ascii_digit()) && !has_number_word(line) {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    let (bound, start) = BOUNDS.iter().filter_map(|bound| lower.find(bound).map(|at| (*bound, at))).min_by_key(|(_, at)| *at)?;
    let rest = lower.get(start + bound.len()..)?;
    let mut words = rest.split_whitespace().take(6);
    let number = words.next().filter(|word| is_number(word))?;
    let noun = words.find(|word| NOUNS.iter().any(|noun| word.trim_matches(|c: char| !c.is_alphabetic()).starts_with(noun)))?;
    let before = &lower[..start];
    let ordered = VERBS.iter().any(|verb| has_word(before, verb) || has_word(bound, verb));
    let end = start + bound.len() + rest.find(noun)? + noun.len();
    (ordered && !number.is_empty() && line.is_char_boundary(end)).then_some((start, end))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphabetic()).any(|other| other == word || other.strip_suffix('s') == Some(word))
}

fn is_number(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) || has_number_word(word)
}

fn has_number_word(text: &str) -> bool {
    const NUMBERS: &[&str] = &["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let lower = text.to_ascii_lowercase();
    lower.split(|c: char| !c.is_ascii_alphabetic()).any(|word| NUMBERS.contains(&word))
}
