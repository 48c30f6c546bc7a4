//! A sentence about a text in, what it claims out; two of them in, whether they claim the same out.
//!
//! No model: words are brought to their stems and to the groups of words that reviewers use for the same thing. Numbers,
//! names and a not weigh more than anything else, because they are what tells two claims about one place apart.

mod class;
mod lexicon;
mod stem;
mod token;

pub(crate) use class::Class;
pub(crate) use lexicon::Lexicon;

use class::Classes;
use std::collections::{BTreeMap, BTreeSet};
use token::{Number, Token};

/// How much a word weighs that also stands in the quoted text: every claim about that text may use it.
const QUOTED: f64 = 0.3;
/// How much a name or an identifier weighs.
const NAMED: f64 = 2.0;
/// How much a word counts against two claims that only the longer of them has.
const LONGER: f64 = 0.2;
/// The share of words that two claims must have in common.
const ENOUGH: f64 = 0.45;
/// The same where they are not about the very same words of the text.
const ENOUGH_NEARBY: f64 = 0.55;
/// How much two claims must share that ask about different sides of a thing.
const OUTWEIGHS: f64 = 2.0;
/// The most words of a claim that are compared.
const MOST_WORDS: usize = 120;

/// What a sentence claims.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Meaning {
    classes: Classes,
    /// What it is about: groups and stems.
    about: BTreeMap<String, Word>,
    numbers: Vec<Number>,
    /// Identifiers with a number in them, such as `fr-12`.
    codes: Vec<String>,
    is_negated: bool,
    /// One side of a pair of opposites, for every pair that it names.
    sides: Vec<(usize, bool)>,
    /// The figures of a contradiction, where it has at least two: whoever quotes its other end names them too.
    figures: Option<String>,
}

/// The words of a quoted text.
pub(crate) type Quoted = BTreeSet<String>;

/// Where two claims are: how near to each other, and the words that each of them quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'q> {
    pub(crate) nearness: Nearness,
    pub(crate) quoted: [&'q Quoted; 2],
}

impl Ground<'_> {
    fn has(&self, word: &str) -> bool {
        self.quoted.iter().any(|quoted| quoted.contains(word))
    }
}

/// One word of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    /// Any word.
    Plain,
    /// A group for one side of a thing that claims ask about: who, how often, in which format.
    Aspect,
    /// A name or an identifier.
    Name,
}

impl Word {
    fn weight(self) -> f64 {
        match self {
            Self::Plain | Self::Aspect => 1.0,
            Self::Name => NAMED,
        }
    }
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
    /// Says whether two claims, made about the same place, are the same.
    pub(crate) fn is_same(&self, other: &Self, ground: Ground<'_>) -> bool {
        !self.is_opposed(other) && self.classes.fit(other.classes) && self.overlaps(other, ground)
    }

    /// Says whether it makes a claim of this kind.
    pub(crate) fn is_of(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    /// Says whether both are contradictions between the same figures.
    pub(crate) fn has_figures_of(&self, other: &Self) -> bool {
        self.figures.is_some() && self.figures == other.figures
    }

    /// Returns the figures of a contradiction, where it has at least two.
    pub(crate) fn figures(&self) -> Option<&str> {
        self.figures.as_deref()
    }

    fn with_figures(mut self) -> Self {
        let numbers = self.numbers.iter().map(Number::to_string);
        let figures: BTreeSet<String> = numbers.chain(self.codes.iter().cloned()).collect();
        if self.is_of(Class::Contradiction) && figures.len() > 1 {
            self.figures = Some(figures.into_iter().collect::<Vec<String>>().join(" "));
        }
        self
    }

    /// Says whether numbers, names, a not or opposites tell two claims apart.
    fn is_opposed(&self, other: &Self) -> bool {
        let codes = !self.codes.is_empty() && !other.codes.is_empty();
        let codes = codes && !is_part(&self.codes, &other.codes) && !is_part(&other.codes, &self.codes);
        let sides = self.sides.iter().any(|(pair, side)| {
            let facing = (*pair, !*side);
            other.sides.contains(&facing) && !self.sides.contains(&facing) && !other.sides.contains(&(*pair, *side))
        });
        let denied = self.is_negated != other.is_negated && !(self.is_denial() && other.is_denial());
        codes || sides || denied || Number::differ(&self.numbers, &other.numbers)
    }

    /// Says whether something is denied: that it is so, that it is there, or that it can be done.
    fn is_denial(&self) -> bool {
        const DENIALS: [Class; 5] = [
            Class::Missing,
            Class::Infeasible,
            Class::Untestable,
            Class::Broken,
            Class::Unfounded,
        ];
        self.is_negated || DENIALS.into_iter().any(|class| self.is_of(class))
    }

    fn overlaps(&self, other: &Self, ground: Ground<'_>) -> bool {
        let [shared, left, right] = self.tallies(other, ground);
        let is_here = ground.nearness == Nearness::Same;
        if ground.nearness == Nearness::Block && shared.free <= f64::EPSILON {
            // Different words of one block may be wrong in the same way: only what is said about them can join them.
            return false;
        }
        let is_part = left.all().min(right.all()) <= f64::EPSILON;
        if is_here && is_part && self.classes.share(other.classes) {
            // One of them says nothing that the other does not say as well.
            return true;
        }
        let about_wording = self.classes.is_about_wording() && other.classes.is_about_wording();
        if is_here && about_wording && shared.is_all_that_is_quoted(&left, &right) {
            return true;
        }
        let rival = left.is_rival(&right, &shared) && !self.has_figures_of(other);
        !rival && Tally::share(&shared, &left, &right) >= enough(ground.nearness)
    }

    /// Weighs the words that two claims share, and those that only one of them has.
    fn tallies(&self, other: &Self, ground: Ground<'_>) -> [Tally; 3] {
        let mut shared = Tally::default();
        let mut left = Tally::default();
        for (word, kind) in &self.about {
            let side = if other.about.contains_key(word) {
                &mut shared
            } else {
                &mut left
            };
            side.add(*kind, ground.has(word));
        }
        let mut right = Tally::default();
        for (word, kind) in other.about.iter().filter(|(word, _)| !self.about.contains_key(*word)) {
            right.add(*kind, ground.has(word));
        }
        for number in self.numbers.iter().filter(|number| other.numbers.contains(number)) {
            shared.add(Word::Plain, ground.has(&number.to_string()));
        }
        [shared, left, right]
    }
}

fn enough(nearness: Nearness) -> f64 {
    match nearness {
        Nearness::Same => ENOUGH,
        Nearness::Block | Nearness::Section => ENOUGH_NEARBY,
    }
}

/// The weight of words, those of the quoted text apart.
#[derive(Debug, Default)]
struct Tally {
    free: f64,
    quoted: f64,
    names: f64,
    aspects: f64,
}

impl Tally {
    fn add(&mut self, kind: Word, is_quoted: bool) {
        match kind {
            Word::Plain => {}
            Word::Name => self.names += 1.0,
            Word::Aspect => self.aspects += 1.0,
        }
        if is_quoted {
            self.quoted += kind.weight() * QUOTED;
        } else {
            self.free += kind.weight();
        }
    }

    fn all(&self) -> f64 {
        self.free + self.quoted
    }

    /// Says whether each of two claims has something of its own that tells them apart, whatever they share: another
    /// name, another side of the thing, another part of the quoted text.
    fn is_rival(&self, other: &Self, shared: &Self) -> bool {
        let both = |one: f64, two: f64| one > 0.0 && two > 0.0;
        both(self.names, other.names)
            || (both(self.aspects, other.aspects) && shared.free < OUTWEIGHS)
            || (both(self.quoted, other.quoted) && shared.free < OUTWEIGHS)
            || (both(self.all(), other.all()) && shared.free <= f64::EPSILON)
    }

    /// Says whether one of two claims only repeats words of the quoted text, and shares most of them with the other.
    fn is_all_that_is_quoted(&self, left: &Self, right: &Self) -> bool {
        let only = |side: &Self| side.free <= f64::EPSILON && self.free <= f64::EPSILON && self.quoted >= side.quoted;
        self.quoted > 0.0 && (only(left) || only(right))
    }

    /// Returns how much of two claims is shared. What only the longer one says counts little.
    fn share(shared: &Self, left: &Self, right: &Self) -> f64 {
        let (less, more) = (left.all().min(right.all()), left.all().max(right.all()));
        let all = shared.all() + less + LONGER * more;
        if all <= f64::EPSILON { 0.0 } else { shared.all() / all }
    }
}

fn is_part(part: &[String], whole: &[String]) -> bool {
    part.iter().all(|item| whole.contains(item))
}

impl Lexicon {
    /// Reads what a sentence claims.
    pub(crate) fn meaning(&self, claim: &str, category: &str) -> Meaning {
        let mut tokens = self.unfold(token::split(claim));
        tokens.truncate(MOST_WORDS);
        let mut meaning = Meaning::default();
        let read = self.phrases(&tokens);
        meaning.classes = read.classes;
        meaning.is_negated = read.is_negated;
        for group in &read.groups {
            meaning.about.insert((*group).to_owned(), self.kind(group));
        }
        for (token, is_used) in tokens.iter().zip(&read.used) {
            self.take(token, *is_used, &mut meaning);
        }
        meaning.sides.sort_unstable();
        meaning.sides.dedup();
        let lens = Classes::of_category(category);
        if meaning.classes.is_empty() || lens.is_about_wording() {
            meaning.classes = meaning.classes.and(lens);
        }
        if meaning.is_negated {
            meaning.classes.add(Class::Missing);
        }
        meaning.with_figures()
    }

    fn take(&self, token: &Token, is_used: bool, meaning: &mut Meaning) {
        match token {
            Token::Number(number) => meaning.numbers.push(number.clone()),
            Token::Code(code) => {
                meaning.codes.push(code.clone());
                meaning.about.insert(code.clone(), Word::Name);
            }
            Token::Word { text, is_named } => {
                if let Some(side) = self.side(text) {
                    meaning.sides.push(side);
                }
                if is_used && !is_named {
                    return;
                }
                if let Some(word) = self.about(text) {
                    let kind = if *is_named { Word::Name } else { self.kind(&word) };
                    let known = meaning.about.entry(word).or_insert(kind);
                    *known = (*known).max(kind);
                }
            }
            Token::Stop => {}
        }
    }

    fn kind(&self, word: &str) -> Word {
        if self.is_aspect(word) {
            Word::Aspect
        } else {
            Word::Plain
        }
    }

    /// Returns the words of a quoted text.
    pub(crate) fn words(&self, text: &str) -> Quoted {
        let word = |token| match token {
            Token::Word { text, .. } => self.about(&text),
            Token::Code(code) => Some(code),
            Token::Number(number) => Some(number.to_string()),
            Token::Stop => None,
        };
        token::split(text).into_iter().filter_map(word).collect()
    }
}

#[cfg(test)]
mod tests;
