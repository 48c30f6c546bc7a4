//! The words that reviewers use, brought to their stems once.

use super::class::{Class, Classes};
use super::stem::stem;
use super::token::Token;
use std::collections::{HashMap, HashSet};

/// The lists of words; the file says how to read them.
const THESAURUS: &str = include_str!("thesaurus.txt");

/// How many words may stand between a not and what it denies.
const REACH: usize = 4;

/// Stems and what they stand for.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    nothing: HashSet<String>,
    stop: HashSet<String>,
    saying: HashSet<String>,
    groups: HashMap<String, &'static str>,
    aspects: HashSet<&'static str>,
    classes: HashMap<String, Class>,
    kept: HashMap<String, Class>,
    denied: HashMap<String, Class>,
    unable: HashMap<String, Class>,
    sides: HashMap<String, (usize, bool)>,
    /// By their first word, the longest first.
    phrases: HashMap<String, Vec<Phrase>>,
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
        let mut lexicon = Self::default();
        let lines = THESAURUS
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        for (head, words) in lines.filter_map(|line| line.split_once(':')) {
            // A test keeps that every line is understood.
            let _known = lexicon.learn(head, words);
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
        }
        lexicon
    }

    /// Takes one line of the lists; none where its head is not one of those that the file explains.
    pub(super) fn learn(&mut self, head: &'static str, words: &'static str) -> Option<()> {
        let (what, name) = head.split_once(' ').unwrap_or((head, ""));
        let stems = || words.split_whitespace().map(stem);
        let of = |class: Class| stems().map(move |stem| (stem, class));
        match what {
            "nothing" => self.nothing.extend(words.split_whitespace().map(str::to_owned)),
            "stop" => self
                .stop
                .extend(stems().chain(words.split_whitespace().map(str::to_owned))),
            "saying" => self.saying.extend(stems()),
            "class" => self.classes.extend(of(Class::named(name)?)),
            "keeps" => self.kept.extend(of(Class::named(name)?)),
            "denied" => self.denied.extend(of(Class::named(name)?)),
            "unable" => self.unable.extend(of(Class::named(name)?)),
            "group" => self.groups.extend(stems().map(|stem| (stem, name))),
            "aspect" => {
                self.aspects.insert(name);
                self.groups.extend(stems().map(|stem| (stem, name)));
            }
            "opposite" => {
                let pair = self.sides.values().map(|(pair, _)| pair + 1).max().unwrap_or(0);
                let (one, other) = words.split_once('/')?;
                let side =
                    |words: &'static str, side| words.split_whitespace().map(move |word| (stem(word), (pair, side)));
                self.sides.extend(side(one, false).chain(side(other, true)));
            }
            "phrase" => {
                let (class, group) = name
                    .split_once('=')
                    .map_or((name, None), |(class, group)| (class, Some(group)));
                let class = match class.trim() {
                    "" => None,
                    class => Some(Class::named(class)?),
                };
                let words: Vec<String> = stems().collect();
                let first = words.first()?.clone();
                let phrase = Phrase { words, class, group };
                self.phrases.entry(first).or_default().push(phrase);
            }
            _ => return None,
        }
        Some(())
    }

    /// Says whether a group is one side of a thing.
    pub(super) fn is_aspect(&self, group: &str) -> bool {
        self.aspects.contains(group)
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

    /// Takes the "un" of "unapproved" for the not that it is, where the rest is a word that reviewers use.
    pub(super) fn unfold(&self, tokens: Vec<Token>) -> Vec<Token> {
        let mut unfolded = Vec::with_capacity(tokens.len());
        for token in tokens {
            let rest = match &token {
                Token::Word { text, is_named: false } if !self.classes.contains_key(&stem(text)) => {
                    text.strip_prefix("un").filter(|rest| self.is_known(&stem(rest)))
                }
                Token::Word { .. } | Token::Code(_) | Token::Number(_) | Token::Stop => None,
            };
            match rest {
                Some(rest) => unfolded.extend(["not", rest].map(Token::word)),
                None => unfolded.push(token),
            }
        }
        unfolded
    }

    fn is_known(&self, stem: &str) -> bool {
        self.groups.contains_key(stem) || self.saying.contains(stem) || self.denied.contains_key(stem)
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
        let mut at = 0;
        while let Some(rest) = stems.get(at..).filter(|rest| !rest.is_empty()) {
            let known = self.phrases.get(&rest[0]).map(Vec::as_slice).unwrap_or_default();
            let Some(phrase) = known.iter().find(|phrase| rest.starts_with(&phrase.words)) else {
                at += 1;
                continue;
            };
            if let Some(class) = phrase.class {
                read.classes.add(class);
            }
            read.groups.extend(phrase.group);
            read.used[at..at + phrase.words.len()].fill(true);
            at += phrase.words.len();
        }
    }

    /// Reads every not: with a word for saying it means that something is missing, with another one it denies it.
    fn denials(&self, tokens: &[Token], stems: &[String], read: &mut Read) {
        for at in 0..stems.len() {
            let Token::Word { text: word, .. } = &tokens[at] else {
                continue;
            };
            if read.used[at] || !self.nothing.contains(word) {
                continue;
            }
            read.used[at] = true;
            let is_able = at
                .checked_sub(1)
                .is_some_and(|before| matches!(stems[before].as_str(), "can" | "could"));
            let end = (at + 1 + REACH).min(stems.len());
            let clause = (at + 1..end).take_while(|near| tokens[*near] != Token::Stop);
            let free: Vec<usize> = clause.filter(|near| !read.used[*near]).collect();
            let denied = free
                .into_iter()
                .find_map(|near| Some((near, self.denied(&tokens[near], &stems[near], is_able)?)));
            match denied {
                Some((near, class)) => {
                    read.classes.add(class);
                    read.used[near] = true;
                }
                None if matches!(word.as_str(), "not" | "never" | "neither" | "nor") => read.is_negated = true,
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
