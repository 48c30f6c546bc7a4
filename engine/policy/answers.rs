//! The text of an answers file in, answers to questions out: one for each time a question is asked.
//!
//! Places in a list count from the first time the question was asked in the run, replayed or not, so that a run that
//! is resumed reads the same file in the same way.

use super::places::Places;
use crate::machine::Question;
use crate::source::{ProjectPath, Source, SourceId, Span};
use crate::syntax::{FaultKind, Format, Node, Pair, Value, parse};
use std::collections::BTreeMap;
use std::fmt;

/// An answers file, and how much of it is used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers {
    entries: Vec<Entry>,
    /// How often each question was asked, by its id and its lane.
    asked: BTreeMap<String, usize>,
    /// The file that answers what this one leaves open.
    below: Option<Box<Answers>>,
}

/// What the file says under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    key: String,
    path: String,
    line: u32,
    given: Vec<Option<Given>>,
    places: Places,
}

impl Entry {
    fn is_called(&self, key: &str) -> bool {
        self.key.trim() == key.trim()
    }

    /// Says whether it has answers that nobody asked for.
    fn has_more(&self) -> bool {
        let mut given = self.given.iter().enumerate();
        given.any(|(at, given)| given.is_some() && !self.places.has(at))
    }
}

/// A key that no question had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unused<'a> {
    /// What messages call the file.
    pub path: &'a str,
    /// Its line in the file.
    pub line: u32,
    /// The key as written.
    pub key: &'a str,
}

/// What a file says under a key that has answers left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Waiting<'a> {
    pub(super) key: &'a str,
    /// How many lines are above it.
    pub(super) line: usize,
    /// Its answers, by place.
    pub(super) given: Vec<Option<&'a str>>,
}

/// One answer of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The answer as written.
    pub text: String,
    /// What messages call the file.
    pub path: String,
    /// Its line in the file.
    pub line: u32,
}

/// Why an answers file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswersError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong and what to do.
    pub why: String,
}

impl fmt::Display for AnswersError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.why)
    }
}

impl std::error::Error for AnswersError {}

impl Answers {
    /// Reads an answers file, YAML or JSON. `path` is what messages call it.
    pub fn parse(text: &str, path: &str) -> Result<Answers, AnswersError> {
        let written = if text.trim_start().starts_with('{') {
            whole_characters(text)
        } else {
            text.to_owned()
        };
        let source = Source::new(SourceId(0), ProjectPath::root(), written);
        let parsed = parse(&source, Format::Yaml);
        let reading = Reading { source: &source, path };
        if let Some(fault) = parsed.faults.first() {
            return Err(reading.error(fault.span, reason(fault.kind, &fault.detail)));
        }
        let mut answers = Answers::default();
        if let Some(root) = &parsed.data {
            answers.entries = reading.entries(root)?;
        }
        Ok(answers)
    }

    /// Lets another file answer what this one leaves open.
    #[must_use]
    pub fn above(self, other: Answers) -> Answers {
        Answers {
            below: Some(Box::new(other)),
            ..self
        }
    }

    /// Takes the answer to a question that is asked now; nothing where the file leaves it open.
    pub fn take(&mut self, question: &Question) -> Option<Given> {
        *self.asked.entry(question.key()).or_default() += 1;
        let below = self.below.as_mut().and_then(|below| below.take(question));
        let Some(at) = self.entry(question) else {
            return below;
        };
        let entry = &mut self.entries[at];
        // An id is mostly that of one lane, and one answer is for whoever asks.
        let is_shared = entry.given.len() > 1 && question.name.as_deref().is_some_and(|name| entry.is_called(name));
        let place = match is_shared {
            true => entry.places.take(&question.branches),
            false => entry.places.take(&[]),
        };
        let given = entry.given.get(place).cloned().flatten();
        given.or(below)
    }

    /// Counts a question whose answer is known from an earlier part of the run.
    pub fn skip(&mut self, question: &Question) {
        self.take(question);
    }

    /// Returns how often a question was asked so far.
    pub fn asked(&self, question: &Question) -> usize {
        self.asked.get(&question.key()).copied().unwrap_or(0)
    }

    /// Lists the keys that no question had, with their files and lines: most are misspelt. Of the file below, those that
    /// were left empty are not listed: whoever answers elsewhere leaves them so.
    pub fn unused(&self) -> Vec<Unused<'_>> {
        let below = self.below.iter().flat_map(|below| &below.entries);
        let below = below.filter(|entry| entry.given.iter().any(Option::is_some));
        let unused = self.entries.iter().chain(below).filter(|entry| entry.places.is_empty());
        let listed = unused.map(|entry| Unused {
            path: &entry.path,
            line: entry.line,
            key: &entry.key,
        });
        listed.collect()
    }

    /// Lists what one of the files says under keys that have answers left.
    pub(super) fn waiting<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Waiting<'a>> {
        let below = self.below.iter().flat_map(|below| &below.entries);
        let all = self.entries.iter().chain(below).filter(move |entry| entry.path == path);
        let left = all.filter(|entry| entry.has_more());
        left.map(|entry| Waiting {
            key: &entry.key,
            line: (entry.line as usize).saturating_sub(1),
            given: entry.given.iter().map(words).collect(),
        })
    }

    /// Says whether the file has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// Says whether another file is the same but for one answer: this text, in one place under this key.
    pub(super) fn differs_by(&self, other: &Answers, key: &str, text: &str) -> bool {
        let is_same = |(own, their): (&Entry, &Entry)| {
            let places = own.given.iter().zip(&their.given);
            let changed = places.filter(|(own, their)| words(own) != words(their)).count();
            let has_text = || their.given.iter().any(|given| words(given) == Some(text));
            own.key == their.key
                && own.given.len() == their.given.len()
                && (changed == 0 || changed == 1 && own.key == key)
                && (own.key != key || has_text())
        };
        self.entries.len() == other.entries.len() && self.entries.iter().zip(&other.entries).all(is_same)
    }

    /// Finds the entry of a question: by id and lane, by id, by name, by its text. A key that was left empty hides no other.
    fn entry(&self, question: &Question) -> Option<usize> {
        let find = |key: &str| {
            let same = |entry: &Entry| entry.is_called(key) && entry.given.iter().any(Option::is_some);
            self.entries.iter().position(same)
        };
        find(&question.key())
            .or_else(|| find(&question.id))
            .or_else(|| find(question.name.as_deref()?))
            .or_else(|| find(&question.text))
    }
}

fn words(given: &Option<Given>) -> Option<&str> {
    given.as_ref().map(|given| given.text.as_str())
}

/// A file while it is read.
struct Reading<'a> {
    source: &'a Source,
    path: &'a str,
}

impl Reading<'_> {
    fn entries(&self, root: &Node) -> Result<Vec<Entry>, AnswersError> {
        match &root.value {
            Value::Map(pairs) => pairs.iter().map(|pair| self.entry(pair)).collect(),
            Value::Null => Ok(Vec::new()),
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => Err(self.error(
                root.span,
                "an answers file is a map; write `question: answer` on each line".to_owned(),
            )),
        }
    }

    fn entry(&self, pair: &Pair) -> Result<Entry, AnswersError> {
        let given = match &pair.node.value {
            Value::List(items) => items
                .iter()
                .map(|item| self.given(&pair.key, item))
                .collect::<Result<_, _>>()?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                vec![self.given(&pair.key, &pair.node)?]
            }
        };
        Ok(Entry {
            key: pair.key.clone(),
            path: self.path.to_owned(),
            line: self.line(pair.key_span),
            given,
            places: Places::default(),
        })
    }

    fn given(&self, key: &str, node: &Node) -> Result<Option<Given>, AnswersError> {
        let text = match &node.value {
            Value::Null => return Ok(None),
            Value::Text(text) | Value::Number(text) => text.clone(),
            // As it is written: an option may be called `True`.
            Value::Bool(_) => self.source.slice(node.span).to_owned(),
            Value::List(_) | Value::Map(_) => {
                let why = format!("the answer to `{key}` is nested; write text, or a list with one text each time");
                return Err(self.error(node.span, why));
            }
        };
        let line = self.line(node.span);
        Ok(Some(Given {
            text,
            path: self.path.to_owned(),
            line,
        }))
    }

    fn line(&self, span: Span) -> u32 {
        self.source.position(span.start).line
    }

    fn error(&self, span: Span, why: String) -> AnswersError {
        AnswersError {
            path: self.path.to_owned(),
            line: self.line(span),
            why,
        }
    }
}

fn reason(kind: FaultKind, detail: &str) -> String {
    match kind {
        FaultKind::BadYaml => format!("this is no YAML: {detail}"),
        FaultKind::DuplicateKey => {
            format!("`{detail}` is answered twice; write a list under it, one answer for each time it is asked")
        }
        FaultKind::NulByte => "the file holds a NUL byte; save it as UTF-8 text".to_owned(),
        FaultKind::NestedTooDeep | FaultKind::AliasBomb | FaultKind::FileTooLarge => {
            "the file is too large or too deeply nested for answers; write `question: answer`".to_owned()
        }
        FaultKind::UnclosedTag
        | FaultKind::StrayClose
        | FaultKind::BadFrontmatter
        | FaultKind::BadToml
        | FaultKind::NotUtf8
        | FaultKind::Unreadable
        | FaultKind::ClosedFolder
        | FaultKind::TooManyAttributes
        | FaultKind::EntityDefinition => format!("the file cannot be read: {detail}"),
    }
}

/// Writes characters that JSON spells as two halves (`\ud83d\ude00`) as themselves: YAML knows no halves.
fn whole_characters(text: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        whole.push_str(&rest[..at]);
        let escape = &rest[at..];
        if let Some(found) = halves(escape) {
            whole.push(found);
            rest = &escape[12..];
        } else {
            // A backslash and what it escapes stay together, so that `\\ud83d` is not taken for a half.
            let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
            whole.push_str(&escape[..length]);
            rest = &escape[length..];
        }
    }
    whole.push_str(rest);
    whole
}

fn halves(text: &str) -> Option<char> {
    let half = |at: usize| u16::from_str_radix(text.get(at..at + 6)?.strip_prefix("\\u")?, 16).ok();
    let units = [half(0)?, half(6)?];
    if !(0xD800..0xDC00).contains(&units[0]) {
        return None;
    }
    char::decode_utf16(units).next()?.ok()
}

#[cfg(test)]
mod tests;
