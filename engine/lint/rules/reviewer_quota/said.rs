//! One sentence in, the demand it makes of a review out.

use super::lexicon::{
    ACCEPTED, AGAIN, CONDITIONS, DENIALS, ENDINGS, EXITS, JOINTS, SEARCHES, SOFTENERS, TELLS, VERBS, is_found,
    is_number, may_demand,
};
use super::{Demand, Quota};
use crate::lint::sentence::{Break, Word, paragraph_end};
use std::ops::Range;

/// One sentence that speaks of what a review finds.
pub(super) struct Said<'a> {
    pub(super) text: &'a str,
    pub(super) words: Vec<Word<'a>>,
    pub(super) named: bool,
    pub(super) range: Range<usize>,
}

impl Said<'_> {
    pub(super) fn quota(&self) -> Option<Quota> {
        let nouns = (0..self.words.len()).filter(|at| {
            self.words
                .get(*at)
                .is_some_and(|word| is_found(word.text.as_bytes(), true))
        });
        let found = nouns.take(8).find_map(|noun| {
            let quota = self
                .number(noun)
                .or_else(|| self.none(noun))
                .or_else(|| self.any(noun))?;
            Some((noun, quota))
        });
        let (noun, quota) = found?;
        let sure = self
            .words
            .get(noun)
            .is_some_and(|word| is_found(word.text.as_bytes(), false));
        (sure || self.is_about_reviews()).then_some(quota)
    }

    /// Says whether the file or the text around the sentence is about a review.
    fn is_about_reviews(&self) -> bool {
        self.named || speaks_of_reviews(self.text, &self.range)
    }

    /// Says whether a clause makes what it says depend on something.
    fn is_conditional(&self, range: Range<usize>) -> bool {
        let should = range.clone().find(|at| self.is_at(*at, &["should"]));
        let wished = should.is_some_and(|at| {
            let people = ["you", "reviewer", "reviewers", "agent", "agents", "reader", "readers"];
            !at.checked_sub(1).is_some_and(|before| self.is_at(before, &people))
        });
        wished || self.any_in(range, CONDITIONS)
    }

    /// Says whether the sentence takes its number back after a noun.
    fn is_softened(&self, noun: usize) -> bool {
        let start = self.words.get(noun).map_or(self.range.end, |word| word.end);
        let tail = self.text.get(start..self.range.end).unwrap_or("").to_ascii_lowercase();
        SOFTENERS.iter().any(|soft| tail.contains(soft))
    }

    fn quote(&self, demand: Demand, first: usize, last: usize) -> Option<Quota> {
        Some(Quota {
            demand,
            span: self.words.get(first)?.start..self.words.get(last)?.end,
        })
    }

    fn is_at(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| word.is_in(words))
    }

    /// Returns where the clause begins that the word at `at` stands in.
    fn clause(&self, at: usize, least: Break) -> usize {
        (0..at)
            .rev()
            .find(|before| self.words.get(*before).is_some_and(|word| word.after >= least))
            .map_or(0, |before| before + 1)
    }

    fn any_in(&self, range: Range<usize>, words: &[&str]) -> bool {
        self.words
            .get(range)
            .is_some_and(|part| part.iter().any(|word| word.is_in(words)))
    }

    /// Finds the number before a noun: `3 more specific, actionable issues`.
    fn count(&self, noun: usize) -> Option<usize> {
        let at = (noun.saturating_sub(6)..noun)
            .rev()
            .find(|at| self.words.get(*at).is_some_and(|word| is_number(word.text)))?;
        let more = self.is_at(at + 1, &["or"]) && self.is_at(at + 2, &["more"]);
        let between = self.words.get(at + if more { 2 } else { 0 }..noun)?;
        // "three guests and list issues": another order begins, and the number counted something else.
        let orders =
            |pair: &[Word<'_>]| pair[0].is_in(&["and", "then"]) && (pair[1].is_in(VERBS) || pair[1].is_in(TELLS));
        let parted = between
            .iter()
            .any(|word| word.after == Break::Clause || word.is_in(JOINTS));
        (!parted && !between.windows(2).any(orders)).then_some(at)
    }

    /// Reads "find at least three issues" and its kin.
    fn number(&self, noun: usize) -> Option<Quota> {
        let count = self.count(noun)?;
        let Some(bound) = self.bound(count) else {
            return self.below(count, noun).or_else(|| self.bound_after(count, noun));
        };
        let clause = self.clause(bound, Break::Comma);
        let shown = clause
            .checked_sub(1)
            .is_some_and(|before| self.is_at(before, &["as", "like", "example", "e.g", "avoid", "saying"]));
        let free = !shown
            && !self.is_softened(noun)
            && !self.is_conditional(clause..bound)
            && !self.any_in(clause..bound, DENIALS);
        (free && self.is_ordered(bound, noun))
            .then(|| self.quote(Demand::Number, bound, noun))
            .flatten()
    }

    /// Finds where `at least`, `a minimum of` and their kin begin before a number.
    fn bound(&self, count: usize) -> Option<usize> {
        let one = count.checked_sub(1)?;
        if self.is_at(one, &["minimum", "min", "≥"]) || self.words.get(count)?.text.starts_with('≥') {
            return Some(one);
        }
        let two = count.checked_sub(2)?;
        if self.is_at(two, &["at"]) && self.is_at(one, &["least"])
            || self.is_at(two, &["minimum"]) && self.is_at(one, &["of"])
        {
            return Some(two);
        }
        let three = count.checked_sub(3)?;
        let fewer = self.is_at(three, &["no", "not", "never"])
            && self.is_at(two, &["fewer", "less"])
            && self.is_at(one, &["than"]);
        fewer.then_some(three)
    }

    /// Says whether the sentence demands, where a bound stands: a verb before it, or nothing before it and no report after it.
    fn is_ordered(&self, bound: usize, noun: usize) -> bool {
        let clause = self.clause(bound, Break::Clause).max(bound.saturating_sub(12));
        if self.any_in(clause..bound, VERBS) {
            return true;
        }
        let told = self.any_in(
            noun + 1..self.words.len().min(noun + 4),
            &["were", "was", "have", "has", "had", "exist", "remain", "are"],
        );
        let demanded = self.any_in(
            noun + 1..self.words.len().min(noun + 5),
            &["required", "mandatory", "expected", "needed", "must"],
        );
        (demanded || bound == clause && !told) && self.is_about_reviews()
    }

    /// Reads `never report fewer than three issues`, and `if fewer than three issues were found, look again`.
    fn below(&self, count: usize, noun: usize) -> Option<Quota> {
        let first = count
            .checked_sub(2)
            .filter(|at| self.is_at(*at, &["fewer", "less"]) && self.is_at(count - 1, &["than"]))?;
        let clause = self.clause(first, Break::Comma);
        if self.is_conditional(clause..first) {
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
        let searched = self.any_in(clause..count, SEARCHES)
            && !self.any_in(clause..count, DENIALS)
            && !self.is_conditional(clause..count);
        if !searched || self.is_softened(noun) {
            return None;
        }
        if self.is_at(count + 1, &["or"]) && self.is_at(count + 2, &["more"]) {
            return self.quote(Demand::Number, count, noun);
        }
        let end = self.words.len().min(noun + 9);
        let last = (noun + 1..end)
            .find(|at| self.is_at(*at, &["minimum"]) || self.is_at(*at, &["least"]) && self.is_at(at - 1, &["at"]));
        let every = self.is_at(noun + 1, &["in", "for", "on", "per"]) && self.is_at(noun + 2, &["every", "each"]);
        match last {
            Some(last) => self.quote(Demand::Number, count, last),
            None if every => self.quote(Demand::Number, count, noun + 2),
            None => None,
        }
    }

    /// Reads `never approve with zero findings`, `zero findings are not acceptable` and `if zero findings, look again`.
    fn none(&self, noun: usize) -> Option<Quota> {
        let none = (noun.saturating_sub(3)..noun)
            .rev()
            .find(|at| self.is_at(*at, &["zero", "0", "no", "without"]))?;
        let clause = self.clause(none, Break::Comma);
        if self.is_conditional(clause..none) {
            return self.again(none, noun);
        }
        let free = self.words.get(noun).is_some_and(|word| word.after != Break::None) || noun + 1 == self.words.len();
        let denied = (clause..none).find(|at| self.is_at(*at, &["never", "not", "don't", "don’t", "cannot"]));
        // "Do not stop because the script found no issues": what another one found is no reason, and nothing is demanded.
        let is_reason = |denied: usize| self.any_in(denied..none, &["because", "since"]);
        if denied.is_some_and(|denied| self.any_in(denied..none, ENDINGS) && !is_reason(denied))
            && (free || !self.is_at(none, &["without", "no"]))
        {
            return self.quote(Demand::Some, none, noun);
        }
        let end = self.words.len().min(noun + 7);
        let refused = (noun + 1..end).any(|at| {
            let no = self.is_at(at, &["not", "never", "isn't", "aren't"])
                && self.any_in(
                    at..end,
                    &["acceptable", "allowed", "permitted", "valid", "accepted", "option"],
                );
            no || self.is_at(at, &["unacceptable", "forbidden", "prohibited", "disallowed"])
        });
        (refused && !self.is_at(none, &["without"]))
            .then(|| self.quote(Demand::Some, none, noun))
            .flatten()
    }

    /// Reads a threshold that sends the reviewer back; one that only tells somebody is none.
    fn again(&self, first: usize, noun: usize) -> Option<Quota> {
        let after = self.words.get(noun)?.end;
        let tail = self.text.get(after..paragraph_end(self.text, after))?;
        if !AGAIN.is_in(tail) {
            return None;
        }
        let tail = tail.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| tail.contains(word));
        if says(ACCEPTED) {
            return None;
        }
        let demand = if says(EXITS) { Demand::AgainOrAsk } else { Demand::Again };
        self.quote(demand, first, noun)
    }

    /// Reads `you must find issues`.
    fn any(&self, noun: usize) -> Option<Quota> {
        let find = (noun.saturating_sub(3)..noun)
            .rev()
            .find(|at| self.is_at(*at, &["find"]))?;
        let must = find
            .checked_sub(1)
            .filter(|at| self.is_at(*at, &["must"]))
            .or_else(|| {
                let two = find.checked_sub(2)?;
                (self.is_at(two, &["must"]) && self.is_at(find - 1, &["always", "still"])).then_some(two)
            })?;
        let plain = (find + 1..noun).all(|at| {
            self.is_at(
                at,
                &["some", "real", "actual", "genuine", "specific", "minimum", "more"],
            )
        });
        let many = self.words.get(noun).is_some_and(|word| word.text.ends_with(['s', 'S']));
        let free = self.words.get(noun).is_some_and(|word| word.after != Break::None) || noun + 1 == self.words.len();
        let every = self.is_at(noun + 1, &["in", "every"])
            && self.any_in(noun + 1..self.words.len().min(noun + 3), &["every", "each"]);
        let asked = self.any_in(
            self.clause(must, Break::Comma)..must,
            &["how", "what", "which", "if", "when", "where", "not"],
        );
        (plain && many && (free || every) && !asked)
            .then(|| self.quote(Demand::Some, must, noun))
            .flatten()
    }
}

/// Says whether what every demand has is in a sentence, or behind it.
pub(super) fn may_be_demand(text: &str, range: &Range<usize>) -> bool {
    let part = |end: usize| text.get(range.start..end).unwrap_or("");
    may_demand(part(range.end), part(paragraph_end(text, range.end)))
}

fn speaks_of_reviews(text: &str, range: &Range<usize>) -> bool {
    let mut start = range.start.saturating_sub(600);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let near = text
        .get(start..paragraph_end(text, range.end))
        .unwrap_or("")
        .to_ascii_lowercase();
    ["review", "audit", "critique", "adversar", "inspect"]
        .iter()
        .any(|word| near.contains(word))
}
