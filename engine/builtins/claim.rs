//! A sentence about a text in, what it claims out; two of them in, whether they claim the same out.
//!
//! No model: words are brought to their stems and to the groups of words that reviewers use for the same thing. Numbers,
//! names and a not weigh more than anything else, because they are what tells two claims about one place apart.

mod class;
mod lexicon;
mod stem;
mod thesaurus;
mod token;

pub(crate) use class::Class;
pub(crate) use lexicon::Lexicon;

use class::Classes;
use std::collections::BTreeMap;
use token::{Number, Token};

/// How much a word weighs that also stands in the quoted text: every claim about that text may use it.
const QUOTED: f64 = 0.3;
/// How much a name or an identifier weighs.
const NAMED: f64 = 2.0;
/// The share of words that two claims must have in common.
const ENOUGH: f64 = 0.5;
/// The same where they are not about the very same words of the text.
const ENOUGH_NEARBY: f64 = 0.6;
/// The most words of a claim that are compared.
const MOST_WORDS: usize = 120;

/// What a sentence claims.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Meaning {
    classes: Classes,
    /// What it is about: groups and stems, with their weights.
    about: BTreeMap<String, f64>,
    numbers: Vec<Number>,
    /// Identifiers with a number in them, such as `fr-12`.
    codes: Vec<String>,
    is_negated: bool,
    /// One side of a pair of opposites, for every pair that it names.
    sides: Vec<(usize, bool)>,
}

/// How near two claims are in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nearness {
    /// They quote the same words, or speak of the same section as a whole.
    Same,
    /// They quote different words of the same block.
    Block,
    /// They are about the same section.
    Section,
}

impl Meaning {
    /// Says whether two claims, made about the same place, are the same; `quoted` are the words of that place.
    pub(crate) fn is_same(&self, other: &Self, quoted: &BTreeMap<String, f64>, nearness: Nearness) -> bool {
        if self == other {
            return true;
        }
        !self.is_opposed(other) && self.classes.fit(other.classes) && self.overlaps(other, quoted, nearness)
    }

    /// Says whether it makes a claim of this kind.
    pub(crate) fn is_of(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    /// Says whether numbers, names, a not or opposites tell two claims apart.
    fn is_opposed(&self, other: &Self) -> bool {
        let codes = !self.codes.is_empty() && !other.codes.is_empty();
        let codes = codes && !is_part(&self.codes, &other.codes) && !is_part(&other.codes, &self.codes);
        let sides = self.sides.iter().any(|(pair, side)| {
            let facing = (*pair, !*side);
            other.sides.contains(&facing) && !self.sides.contains(&facing)
        });
        let denied = self.is_negated != other.is_negated && !self.is_denial() | !other.is_denial();
        codes || sides || denied || Number::differ(&self.numbers, &other.numbers)
    }

    /// Says whether something is denied: that it is so, or that it is there.
    fn is_denial(&self) -> bool {
        self.is_negated || self.classes.has(Class::Missing)
    }

    fn overlaps(&self, other: &Self, quoted: &BTreeMap<String, f64>, nearness: Nearness) -> bool {
        let weight = |word: &str, own: f64| if quoted.contains_key(word) { own * QUOTED } else { own };
        let mut shared = Tally::default();
        let mut left = Tally::default();
        for (word, own) in &self.about {
            let side = if other.about.contains_key(word) {
                &mut shared
            } else {
                &mut left
            };
            side.add(weight(word, *own), quoted.contains_key(word));
        }
        let mut right = Tally::default();
        for (word, own) in other.about.iter().filter(|(word, _)| !self.about.contains_key(*word)) {
            right.add(weight(word, *own), quoted.contains_key(word));
        }
        // Each names a different part of the quoted text: they speak of different things in one place.
        if left.quoted > 0.0 && right.quoted > 0.0 && shared.free < left.free.min(right.free) + 1.0 {
            return false;
        }
        let smaller = (shared.all() + left.all()).min(shared.all() + right.all());
        if smaller <= f64::EPSILON {
            return self.classes.share(other.classes);
        }
        if left.free > 0.0 && right.free > 0.0 && shared.free <= f64::EPSILON {
            return false;
        }
        let enough = match nearness {
            Nearness::Same => ENOUGH,
            // Different words of one block may be wrong in the same way: only what they say about them can join them.
            Nearness::Block if shared.free <= f64::EPSILON => return false,
            Nearness::Block | Nearness::Section => ENOUGH_NEARBY,
        };
        shared.all() / smaller >= enough
    }
}

/// The weight of words, those of the quoted text apart.
#[derive(Debug, Default)]
struct Tally {
    free: f64,
    quoted: f64,
}

impl Tally {
    fn add(&mut self, weight: f64, is_quoted: bool) {
        if is_quoted {
            self.quoted += weight;
        } else {
            self.free += weight;
        }
    }

    fn all(&self) -> f64 {
        self.free + self.quoted
    }
}

fn is_part(part: &[String], whole: &[String]) -> bool {
    part.iter().all(|item| whole.contains(item))
}

impl Lexicon {
    /// Reads what a sentence claims.
    pub(crate) fn meaning(&self, claim: &str, category: &str) -> Meaning {
        let mut tokens = token::split(claim);
        tokens.truncate(MOST_WORDS);
        let mut meaning = Meaning::default();
        let read = self.phrases(&tokens);
        meaning.classes = read.classes;
        meaning.is_negated = read.is_negated;
        meaning
            .about
            .extend(read.groups.iter().map(|group| ((*group).to_owned(), 1.0)));
        for (token, is_used) in tokens.iter().zip(&read.used) {
            self.take(token, *is_used, &mut meaning);
        }
        meaning.sides.sort_unstable();
        meaning.sides.dedup();
        if meaning.classes.is_empty() {
            meaning.classes = Classes::of_category(category);
        }
        if meaning.classes.is_empty() && meaning.is_negated {
            meaning.classes.add(Class::Missing);
        }
        meaning
    }

    fn take(&self, token: &Token, is_used: bool, meaning: &mut Meaning) {
        match token {
            Token::Number(number) => meaning.numbers.push(number.clone()),
            Token::Code(code) => {
                meaning.codes.push(code.clone());
                meaning.about.insert(code.clone(), NAMED);
            }
            Token::Word { text, is_named } => {
                if let Some(side) = self.side(text) {
                    meaning.sides.push(side);
                }
                if is_used && !is_named {
                    return;
                }
                if let Some(word) = self.about(text) {
                    let weight = if *is_named { NAMED } else { 1.0 };
                    let known = meaning.about.entry(word).or_insert(weight);
                    *known = known.max(weight);
                }
            }
            Token::Stop => {}
        }
    }

    /// Returns the words of a quoted text.
    pub(crate) fn words(&self, text: &str) -> BTreeMap<String, f64> {
        let mut words = BTreeMap::new();
        for token in token::split(text) {
            let word = match token {
                Token::Word { text, .. } => self.about(&text),
                Token::Code(code) => Some(code),
                Token::Number(_) | Token::Stop => None,
            };
            words.extend(word.map(|word| (word, 1.0)));
        }
        words
    }
}

#[cfg(test)]
mod tests;
