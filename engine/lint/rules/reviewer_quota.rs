//! Reviewers that must find a number of problems whether or not they exist.

mod sentence;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::Role;
use sentence::{Break, Word, around, paragraph_end, words};
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    code: Code("reviewer-quota"),
    severity: Severity::Warning,
    summary: "a review must find a minimum number of problems, so it never ends clean",
    page: include_str!("../../../spec/rules/reviewer-quota.md"),
    check: Check::File(check),
};

/// What only a review finds, and the plural.
const FOUND: &[(&str, &str)] = &[
    ("issue", "issues"),
    ("finding", "findings"),
    ("defect", "defects"),
    ("bug", "bugs"),
    ("flaw", "flaws"),
    ("weakness", "weaknesses"),
    ("vulnerability", "vulnerabilities"),
];
/// What others look for too; it counts where a review is spoken of.
const FOUND_IN_REVIEWS: &[(&str, &str)] = &[
    ("problem", "problems"),
    ("concern", "concerns"),
    ("gap", "gaps"),
    ("error", "errors"),
    ("improvement", "improvements"),
    ("shortcoming", "shortcomings"),
    ("objection", "objections"),
];
/// Words that order a search, or its result.
const VERBS: &[&str] = &[
    "find", "finds", "identify", "identifies", "report", "reports", "list", "lists", "produce", "produces", "surface", "surfaces",
    "discover", "discovers", "raise", "raises", "uncover", "uncovers", "spot", "flag", "detect", "return", "returns", "deliver",
    "name", "note", "document", "require", "requires", "expect", "expects", "demand", "demands", "need", "needs", "until",
];
/// The ones that mean the search itself.
const SEARCHES: &[&str] = &["find", "finds", "identify", "identifies", "discover", "discovers", "uncover", "uncovers"];
/// Words that end a review.
const ENDINGS: &[&str] = &[
    "approve", "accept", "pass", "finish", "end", "stop", "return", "complete", "close", "submit", "conclude", "sign", "report", "leave",
];
const CONDITIONS: &[&str] = &["if", "when", "whenever", "once", "unless", "where", "should"];
const DENIALS: &[&str] = &["not", "never", "don't", "don’t", "cannot", "can't", "avoid", "without", "instead", "rather", "example", "e.g", "such", "like"];
/// Words that a number and what it counts do not have between them.
const JOINTS: &[&str] = &[
    "of", "in", "for", "per", "that", "with", "to", "who", "which", "must", "on", "from", "by", "than", "find", "report", "or", "the", "a",
    "is", "are", "each", "if",
];
/// What sends a reviewer back.
const AGAIN: &[&str] = &[
    "re-check", "recheck", "re-analy", "reanaly", "re-exam", "reexam", "re-review", "look again", "look harder", "look closer", "dig deeper",
    "keep looking", "keep thinking", "keep searching", "search again", "review again", "analyze again", "looking hard enough", "another pass",
];
/// What lets a reviewer out all the same.
const EXITS: &[&str] = &["or ask", "or request", "or explain", "or justify", "or confirm", "guidance", "once", "one more", "then accept", "then report", "then say"];

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let source = &unit.document.source;
    if matches!(unit.document.role, Role::Template | Role::Manifest) || is_about(source.path().stem()) {
        return;
    }
    let text = source.text();
    let named = ["review", "audit", "critic", "adversar"].iter().any(|word| source.path().as_str().contains(word));
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
        let weak = words.iter().any(|word| is_found(word.text, true) && !is_found(word.text, false));
        let reviews = named || weak && speaks_of_reviews(text, &range);
        found.extend(Said { text, words, reviews }.quota());
        at = range.end.max(noun + 1);
    }
    found
}

/// Says whether a file tells people about the project.
fn is_about(stem: &str) -> bool {
    ["readme", "changelog", "contributing", "history"].iter().any(|name| stem.eq_ignore_ascii_case(name))
}

/// Finds the next word for what a review finds.
fn next_noun(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        if !is_part(byte) {
            at += 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or(&[]);
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        if (3..=15).contains(&length) && text.get(at..at + length).is_some_and(|word| is_found(word, true)) {
            return Some(at);
        }
        at += length;
    }
    None
}

/// Says whether a word is what a review finds; some only where a review is spoken of.
fn is_found(word: &str, reviews: bool) -> bool {
    let first = word.bytes().next().map(|byte| byte.to_ascii_lowercase());
    let is_one = |(one, many): &(&str, &str)| {
        // Every word of every file comes by here: most are told apart by their first letter.
        one.bytes().next() == first && (word.eq_ignore_ascii_case(one) || word.eq_ignore_ascii_case(many))
    };
    FOUND.iter().any(is_one) || reviews && FOUND_IN_REVIEWS.iter().any(is_one)
}

fn speaks_of_reviews(text: &str, range: &Range<usize>) -> bool {
    let mut start = range.start.saturating_sub(600);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let near = text.get(start..paragraph_end(text, range.end)).unwrap_or("").to_ascii_lowercase();
    ["review", "audit", "critique", "adversar", "inspect"].iter().any(|word| near.contains(word))
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
            Demand::Number => (Severity::Warning, "this review has a quota: it must find problems even where there are none"),
            Demand::Some => (Severity::Warning, "this review may not end empty: it must find problems even where there are none"),
            Demand::Again => (Severity::Warning, "this review is sent back until it has found enough, which is a quota"),
            Demand::AgainOrAsk => (Severity::Info, "this review treats a clean result as suspicious, which pushes it to find something"),
        }
    }
}

/// A demand and where it is made.
struct Quota {
    demand: Demand,
    span: Range<usize>,
}

/// One sentence that speaks of what a review finds.
struct Said<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    reviews: bool,
}

impl Said<'_> {
    fn quota(&self) -> Option<Quota> {
        let nouns = (0..self.words.len()).filter(|at| self.words.get(*at).is_some_and(|word| is_found(word.text, self.reviews)));
        nouns.take(8).find_map(|noun| self.number(noun).or_else(|| self.none(noun)).or_else(|| self.any(noun)))
    }

    fn quote(&self, demand: Demand, first: usize, last: usize) -> Option<Quota> {
        Some(Quota { demand, span: self.words.get(first)?.start..self.words.get(last)?.end })
    }

    fn is_at(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| word.is_in(words))
    }

    /// Returns where the clause begins that the word at `at` stands in.
    fn clause(&self, at: usize, least: Break) -> usize {
        (0..at).rev().find(|before| self.words.get(*before).is_some_and(|word| word.after >= least)).map_or(0, |before| before + 1)
    }

    fn any_in(&self, range: Range<usize>, words: &[&str]) -> bool {
        self.words.get(range).is_some_and(|part| part.iter().any(|word| word.is_in(words)))
    }

    /// Finds the number before a noun: `3 more specific, actionable issues`.
    fn count(&self, noun: usize) -> Option<usize> {
        let at = (noun.saturating_sub(6)..noun).rev().find(|at| self.words.get(*at).is_some_and(|word| is_number(word.text)))?;
        let more = self.is_at(at + 1, &["or"]) && self.is_at(at + 2, &["more"]);
        let between = self.words.get(at + if more { 2 } else { 0 }..noun)?;
        (!between.iter().any(|word| word.after == Break::Clause || word.is_in(JOINTS))).then_some(at)
    }

    /// Reads "find at least three issues" and its kin.
    fn number(&self, noun: usize) -> Option<Quota> {
        let count = self.count(noun)?;
        let Some(bound) = self.bound(count) else {
            return self.below(count, noun).or_else(|| self.bound_after(count, noun));
        };
        let clause = self.clause(bound, Break::Comma);
        let shown = clause.checked_sub(1).is_some_and(|before| self.is_at(before, &["as", "like", "example", "e.g", "avoid", "saying"]));
        let free = !shown && !self.any_in(clause..bound, CONDITIONS) && !self.any_in(clause..bound, DENIALS);
        (free && self.is_ordered(bound, noun)).then(|| self.quote(Demand::Number, bound, noun)).flatten()
    }

    /// Finds where `at least`, `a minimum of` and their kin begin before a number.
    fn bound(&self, count: usize) -> Option<usize> {
        let one = count.checked_sub(1)?;
        if self.is_at(one, &["minimum", "min", "≥"]) || self.words.get(count)?.text.starts_with('≥') {
            return Some(one);
        }
        let two = count.checked_sub(2)?;
        if self.is_at(two, &["at"]) && self.is_at(one, &["least"]) || self.is_at(two, &["minimum"]) && self.is_at(one, &["of"]) {
            return Some(two);
        }
        let three = count.checked_sub(3)?;
        let fewer = self.is_at(three, &["no", "not", "never"]) && self.is_at(two, &["fewer", "less"]) && self.is_at(one, &["than"]);
        fewer.then_some(three)
    }

    /// Says whether the sentence demands, where a bound stands: a verb before it, or nothing before it and no report after it.
    fn is_ordered(&self, bound: usize, noun: usize) -> bool {
        let clause = self.clause(bound, Break::Clause).max(bound.saturating_sub(12));
        if self.any_in(clause..bound, VERBS) {
            return true;
        }
        let told = self.any_in(noun + 1..self.words.len().min(noun + 4), &["were", "was", "have", "has", "had", "exist", "remain", "are"]);
        let demanded = self.any_in(noun + 1..self.words.len().min(noun + 5), &["required", "mandatory", "expected", "needed", "must"]);
        demanded || bound == clause && !told
    }

    /// Reads `never report fewer than three issues`, and `if fewer than three issues were found, look again`.
    fn below(&self, count: usize, noun: usize) -> Option<Quota> {
        let first = count.checked_sub(2).filter(|at| self.is_at(*at, &["fewer", "less"]) && self.is_at(count - 1, &["than"]))?;
        let clause = self.clause(first, Break::Comma);
        if self.any_in(clause..first, CONDITIONS) {
            return self.again(first, noun);
        }
        let denied = self.any_in(clause..first, &["never", "not", "don't", "don’t", "no", "cannot"]);
        let ordered = self.any_in(clause..first, ENDINGS) || self.any_in(clause..first, VERBS);
        (denied && ordered)
            .then(|| self.quote(Demand::Number, first, noun))
            .flatten()
    }

    /// Reads `find 3-10 issues minimum`, `find three or more issues` and `find three issues in every review`.
    fn bound_after(&self, count: usize, noun: usize) -> Option<Quota> {
        let clause = self.clause(count, Break::Comma);
        let searched = self.any_in(clause..count, SEARCHES) && !self.any_in(clause..count, DENIALS) && !self.any_in(clause..count, CONDITIONS);
        if !searched {
            return None;
        }
        if self.is_at(count + 1, &["or"]) && self.is_at(count + 2, &["more"]) {
            return self.quote(Demand::Number, count, noun);
        }
        let end = self.words.len().min(noun + 9);
        let last = (noun + 1..end).find(|at| self.is_at(*at, &["minimum"]) || self.is_at(*at, &["least"]) && self.is_at(at - 1, &["at"]));
        let every = self.is_at(noun + 1, &["in", "for", "on", "per"]) && self.is_at(noun + 2, &["every", "each"]);
        match last {
            Some(last) => self.quote(Demand::Number, count, last),
            None if every => self.quote(Demand::Number, count, noun + 2),
            None => None,
        }
    }

    /// Reads `never approve with zero findings`, `zero findings are not acceptable` and `if zero findings, look again`.
    fn none(&self, noun: usize) -> Option<Quota> {
        let none = (noun.saturating_sub(3)..noun).rev().find(|at| self.is_at(*at, &["zero", "0", "no", "without"]))?;
        let clause = self.clause(none, Break::Comma);
        if self.any_in(clause..none, CONDITIONS) {
            return self.again(none, noun);
        }
        let free = self.words.get(noun).is_some_and(|word| word.after != Break::None) || noun + 1 == self.words.len();
        let denied = (clause..none).find(|at| self.is_at(*at, &["never", "not", "don't", "don’t", "cannot"]));
        if denied.is_some_and(|denied| self.any_in(denied..none, ENDINGS)) && (free || !self.is_at(none, &["without", "no"])) {
            return self.quote(Demand::Some, none, noun);
        }
        let end = self.words.len().min(noun + 7);
        let refused = (noun + 1..end).any(|at| {
            let no = self.is_at(at, &["not", "never", "isn't", "aren't"]) && self.any_in(at..end, &["acceptable", "allowed", "permitted", "valid", "accepted", "option"]);
            no || self.is_at(at, &["unacceptable", "forbidden", "prohibited", "disallowed"])
        });
        (refused && !self.is_at(none, &["without"])).then(|| self.quote(Demand::Some, none, noun)).flatten()
    }

    /// Reads a threshold that sends the reviewer back; one that only tells somebody is none.
    fn again(&self, first: usize, noun: usize) -> Option<Quota> {
        let after = self.words.get(noun)?.end;
        let tail = self.text.get(after..paragraph_end(self.text, after))?.to_ascii_lowercase();
        if !AGAIN.iter().any(|again| tail.contains(again)) {
            return None;
        }
        let demand = if EXITS.iter().any(|exit| tail.contains(exit)) { Demand::AgainOrAsk } else { Demand::Again };
        self.quote(demand, first, noun)
    }

    /// Reads `you must find issues`.
    fn any(&self, noun: usize) -> Option<Quota> {
        let find = (noun.saturating_sub(3)..noun).rev().find(|at| self.is_at(*at, &["find"]))?;
        let must = find.checked_sub(1).filter(|at| self.is_at(*at, &["must"])).or_else(|| {
            let two = find.checked_sub(2)?;
            (self.is_at(two, &["must"]) && self.is_at(find - 1, &["always", "still"])).then_some(two)
        })?;
        let plain = (find + 1..noun).all(|at| self.is_at(at, &["some", "real", "actual", "genuine", "specific", "minimum", "more"]));
        let many = self.words.get(noun).is_some_and(|word| word.text.ends_with(['s', 'S']));
        let free = self.words.get(noun).is_some_and(|word| word.after != Break::None) || noun + 1 == self.words.len();
        let every = self.is_at(noun + 1, &["in", "every"]) && self.any_in(noun + 1..self.words.len().min(noun + 3), &["every", "each"]);
        let asked = self.any_in(self.clause(must, Break::Comma)..must, &["how", "what", "which", "if", "when", "where", "not"]);
        (plain && many && (free || every) && !asked).then(|| self.quote(Demand::Some, must, noun)).flatten()
    }
}

/// Says whether a word is a number that something must reach; a share in percent is none.
fn is_number(word: &str) -> bool {
    const NUMBERS: &[&str] = &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "fifteen", "twenty"];
    let word = word.trim_start_matches('≥').trim_end_matches('+');
    let digits = word.starts_with(|first: char| first.is_ascii_digit()) && word.chars().all(|letter| letter.is_ascii_digit() || letter == '-' || letter == '–');
    let positive = word.trim_start_matches('0').len() == word.len();
    digits && positive || word == "N" || word.starts_with('{') && word.ends_with('}') || NUMBERS.iter().any(|number| number.eq_ignore_ascii_case(word))
}
