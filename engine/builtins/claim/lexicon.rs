//! The words that reviewers use, brought to their stems once.

use super::class::{Class, Classes};
use super::stem::stem;
use super::thesaurus::{
    CLASS_WORDS, DENIED, GROUPS, KEPT_CLASS_WORDS, NOTHING, OPPOSITES, PHRASES, SAYING, STOP, UNABLE,
};
use super::token::Token;
use std::collections::{HashMap, HashSet};

/// How many words may stand between a not and what it denies.
const REACH: usize = 4;

/// Stems and what they stand for.
#[derive(Debug)]
pub(crate) struct Lexicon {
    stop: HashSet<String>,
    saying: HashSet<String>,
    groups: HashMap<String, &'static str>,
    classes: HashMap<String, Class>,
    kept: HashMap<String, Class>,
    denied: HashMap<String, Class>,
    unable: HashMap<String, Class>,
    sides: HashMap<String, (usize, bool)>,
    phrases: Vec<Phrase>,
}

/// Words that mean something only one after the other.
#[derive(Debug)]
struct Phrase {
    words: Vec<String>,
    class: Option<Class>,
    group: Option<&'static str>,
}

/// What phrases of a sentence say.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) classes: Classes,
    pub(super) is_negated: bool,
    /// What phrases are about.
    pub(super) groups: Vec<&'static str>,
    /// For each token whether a phrase used it up.
    pub(super) used: Vec<bool>,
}

impl Lexicon {
    /// Brings every word of the lists to its stem.
    pub(crate) fn new() -> Self {
        let stems = |words: &'static str| words.split_whitespace().map(stem);
        let mut lexicon = Self {
            stop: stems(STOP).chain(STOP.split_whitespace().map(str::to_owned)).collect(),
            saying: stems(SAYING).collect(),
            groups: HashMap::new(),
            classes: HashMap::new(),
            kept: HashMap::new(),
            denied: HashMap::new(),
            unable: HashMap::new(),
            sides: HashMap::new(),
            phrases: Vec::new(),
        };
        for (name, words) in GROUPS {
            lexicon.groups.extend(stems(words).map(|stem| (stem, *name)));
        }
        for (class, words) in CLASS_WORDS {
            lexicon.classes.extend(stems(words).map(|stem| (stem, *class)));
        }
        for (class, words) in KEPT_CLASS_WORDS {
            lexicon.kept.extend(stems(words).map(|stem| (stem, *class)));
        }
        for (class, words) in DENIED {
            lexicon.denied.extend(stems(words).map(|stem| (stem, *class)));
        }
        for (class, words) in UNABLE {
            lexicon.unable.extend(stems(words).map(|stem| (stem, *class)));
        }
        for (pair, (one, other)) in OPPOSITES.iter().enumerate() {
            lexicon.sides.extend(stems(one).map(|stem| (stem, (pair, false))));
            lexicon.sides.extend(stems(other).map(|stem| (stem, (pair, true))));
        }
        for (words, class, group) in PHRASES {
            lexicon.phrases.push(Phrase {
                words: stems(words).collect(),
                class: *class,
                group: *group,
            });
        }
        lexicon
    }

    /// Returns the group or stem that a word stands for; none for words that every sentence has.
    pub(super) fn about(&self, word: &str) -> Option<String> {
        let stem = stem(word);
        if let Some(group) = self.groups.get(&stem) {
            return Some((*group).to_owned());
        }
        let is_letter = stem.chars().count() < 2;
        (!is_letter && !self.stop.contains(&stem) && !self.stop.contains(word)).then_some(stem)
    }

    /// Returns the side of a pair of opposites that a word is on.
    pub(super) fn side(&self, word: &str) -> Option<(usize, bool)> {
        self.sides.get(&stem(word)).copied()
    }

    /// Reads the kinds of a claim and whether something in it is denied.
    pub(super) fn phrases(&self, tokens: &[Token]) -> Read {
        let stems: Vec<String> = tokens
            .iter()
            .map(|token| match token {
                Token::Word { text, .. } => stem(text),
                Token::Code(_) | Token::Number(_) | Token::Stop => String::new(),
            })
            .collect();
        let mut read = Read {
            used: vec![false; tokens.len()],
            ..Read::default()
        };
        self.whole_phrases(&stems, &mut read);
        self.denials(tokens, &stems, &mut read);
        for (at, stem) in stems.iter().enumerate() {
            let used = read.used.get(at).copied().unwrap_or(true);
            if let Some(class) = self.classes.get(stem).filter(|_| !used) {
                read.classes.add(*class);
                // "Unlimited" says that a limit is missing: what it is about is kept.
                read.used[at] = !self.groups.contains_key(stem);
            }
            if let Some(class) = self.kept.get(stem) {
                read.classes.add(*class);
            }
        }
        read
    }

    fn whole_phrases(&self, stems: &[String], read: &mut Read) {
        for phrase in &self.phrases {
            let length = phrase.words.len();
            for at in 0..(stems.len() + 1).saturating_sub(length) {
                let here = at..at + length;
                let is_free = read.used.get(here.clone()).is_some_and(|used| !used.contains(&true));
                if is_free && stems.get(here.clone()) == Some(phrase.words.as_slice()) {
                    if let Some(class) = phrase.class {
                        read.classes.add(class);
                    }
                    read.groups.extend(phrase.group);
                    read.used[here].fill(true);
                }
            }
        }
    }

    /// Reads every not: with a word for saying it means that something is missing, with another one it denies it.
    fn denials(&self, tokens: &[Token], stems: &[String], read: &mut Read) {
        for at in 0..stems.len() {
            if read.used[at] || !NOTHING.contains(&stems[at].as_str()) {
                continue;
            }
            read.used[at] = true;
            let is_able = at
                .checked_sub(1)
                .is_some_and(|before| matches!(stems[before].as_str(), "can" | "could"));
            let end = (at + 1 + REACH).min(stems.len());
            let clause = (at + 1..end).take_while(|near| tokens[*near] != Token::Stop);
            let denied = clause
                .into_iter()
                .find_map(|near| Some((near, self.denied(&tokens[near], &stems[near], is_able)?)));
            match denied {
                Some((near, class)) => {
                    read.classes.add(class);
                    read.used[near] = true;
                }
                None if matches!(stems[at].as_str(), "not" | "never" | "neither" | "nor") => read.is_negated = true,
                None => read.classes.add(Class::Missing),
            }
        }
    }

    /// Returns the kind of claim that a denied word makes; `is_able` where it is denied that it can be done.
    fn denied(&self, token: &Token, stem: &str, is_able: bool) -> Option<Class> {
        let Token::Word { text, .. } = token else { return None };
        let is_able = is_able || text.ends_with("ble") || text.ends_with("ic");
        let unable = self.unable.get(stem).filter(|_| is_able);
        let said = self.saying.contains(stem).then_some(&Class::Missing);
        unable.or(self.denied.get(stem)).or(said).copied()
    }
}
