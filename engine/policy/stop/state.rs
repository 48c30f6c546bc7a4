//! The state file of a review in, what it says and how it reads one round later out.
//!
//! A comment, `---`, keys and values in YAML, `---`, the prompt. Whatever is not as it should be is an error: nobody is
//! kept from stopping by a guess.

use super::moment::milliseconds;
use crate::source::{ProjectPath, Source, SourceId, Span};
use crate::syntax::{Format, Node, Value, parse};
use std::fmt;
use std::ops::Range;

/// Where a review stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopState {
    /// Whether the review is on.
    pub active: bool,
    /// The tracker, as the file names it.
    pub tracker: Option<String>,
    /// How many issues were open when the file was written.
    pub pending: u64,
    /// The round, from 1.
    pub round: u64,
    /// The last round.
    pub max_rounds: u64,
    /// How often it failed in a row.
    pub failures: u64,
    /// How often it may.
    pub max_failures: u64,
    /// When it began, in milliseconds since 1970, and how many seconds it has.
    pub runtime: Option<(i64, u64)>,
    /// How often in a row the agent was kept from stopping, where the file counts it.
    pub blocks: Option<u64>,
    /// The exact text that ends the review.
    pub promise: String,
    /// What the agent was asked to do.
    pub prompt: String,
    text: String,
    places: Places,
}

/// Where the values stand that a round changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Places {
    round: Range<usize>,
    updated: Option<Range<usize>>,
    blocks: Option<Range<usize>>,
}

/// What is wrong with a state file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateError(String);

impl fmt::Display for StateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for StateError {}

impl LoopState {
    /// Reads a state file.
    ///
    /// # Errors
    /// Answers what is wrong with it.
    pub fn read(text: &str) -> Result<Self, StateError> {
        let (keys, prompt) = split(text)?;
        let file = Keys::read(text, keys)?;
        let (round, round_at) = file.count("current_round")?;
        let (pending, tracker) = (file.maybe("pending_count")?, file.text("tracker_path")?);
        if pending.is_none() && tracker.is_none() {
            return Err(wrong("neither `tracker_path` nor `pending_count` is there"));
        }
        let blocks = file.maybe("blocks_in_a_row")?;
        Ok(Self {
            active: file.truth("active")?,
            tracker: tracker.filter(|path| !path.is_empty()),
            pending: pending.as_ref().map_or(0, |(count, _)| *count),
            round,
            max_rounds: file.count("max_rounds")?.0,
            failures: file.count("consecutive_failures")?.0,
            max_failures: file.count("max_consecutive_failures")?.0,
            runtime: file.runtime()?,
            promise: file.promise()?,
            prompt: prompt.trim().to_owned(),
            places: Places {
                round: round_at,
                updated: file.place("last_updated"),
                blocks: blocks.as_ref().map(|(_, at)| at.clone()),
            },
            blocks: blocks.map(|(count, _)| count),
            text: text.to_owned(),
        })
    }

    /// Returns the file one round later: nothing changes but the round, when it was written and the blocks in a row.
    ///
    /// # Errors
    /// Answers that its values are written in a way that cannot be changed in place.
    pub fn one_round_later(&self, stamp: &str, is_again: bool) -> Result<String, StateError> {
        let blocks = match (is_again, self.blocks) {
            (true, Some(before)) => before.saturating_add(1),
            (true, None) | (false, _) => 1,
        };
        let mut changes = vec![(self.places.round.clone(), self.next_round().to_string())];
        changes.extend(self.places.updated.clone().map(|at| (at, format!("\"{stamp}\""))));
        changes.extend(self.places.blocks.clone().map(|at| (at, blocks.to_string())));
        changes.sort_by_key(|(at, _)| std::cmp::Reverse(at.start));
        let mut text = self.text.clone();
        for (at, value) in changes {
            text.replace_range(at, &value);
        }
        let is_it =
            Self::read(&text).is_ok_and(|later| later.round == self.next_round() && later.prompt == self.prompt);
        match is_it {
            true => Ok(text),
            false => Err(wrong(
                "`current_round` is written in a way that cannot be changed in place",
            )),
        }
    }

    /// Returns the round that follows.
    pub fn next_round(&self) -> u64 {
        self.round.saturating_add(1)
    }
}

/// Returns where the keys stand, and the prompt below them. A `---` in the prompt belongs to it.
fn split(text: &str) -> Result<(Range<usize>, &str), StateError> {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim_start_matches('\u{feff}').trim_end();
        let next = at + line.len();
        match (start, written == "---") {
            (None, true) => start = Some(next),
            (None, false) if written.is_empty() || written.starts_with('#') => {}
            (None, false) => break,
            (Some(start), true) => return Ok((start..at, &text[next..])),
            (Some(_), false) => {}
        }
        at = next;
    }
    Err(wrong("the keys do not stand between two lines `---`"))
}

/// The keys of a state file.
struct Keys {
    node: Node,
    /// Where they begin in the file.
    start: usize,
}

impl Keys {
    fn read(text: &str, at: Range<usize>) -> Result<Self, StateError> {
        let source = Source::new(SourceId(0), ProjectPath::root(), &text[at.clone()]);
        let parsed = parse(&source, Format::Yaml);
        if let Some(fault) = parsed.faults.first() {
            let before = text[..at.start].lines().count();
            let line = before + source.position(fault.span.start).line as usize;
            return Err(wrong(&format!("line {line} is no YAML: {}", fault.detail)));
        }
        match parsed.data {
            Some(node) if matches!(node.value, Value::Map(_)) => Ok(Self { node, start: at.start }),
            Some(_) | None => Err(wrong("there are no keys between the lines `---`")),
        }
    }

    fn needed(&self, key: &str) -> Result<&Node, StateError> {
        self.node
            .get(key)
            .ok_or_else(|| wrong(&format!("`{key}` is not there")))
    }

    fn truth(&self, key: &str) -> Result<bool, StateError> {
        match self.needed(key)?.value {
            Value::Bool(truth) => Ok(truth),
            Value::Null | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                Err(wrong(&format!("`{key}` is neither true nor false")))
            }
        }
    }

    fn count(&self, key: &str) -> Result<(u64, Range<usize>), StateError> {
        let node = self.needed(key)?;
        let number = match &node.value {
            Value::Number(written) => written.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => None,
        };
        match number {
            Some(number) => Ok((number, self.span(node.span))),
            None => Err(wrong(&format!("`{key}` is not a whole number"))),
        }
    }

    fn maybe(&self, key: &str) -> Result<Option<(u64, Range<usize>)>, StateError> {
        self.node.get(key).map(|_| self.count(key)).transpose()
    }

    fn text(&self, key: &str) -> Result<Option<String>, StateError> {
        match self.node.get(key).map(|node| &node.value) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_)) => {
                Err(wrong(&format!("`{key}` is no text")))
            }
        }
    }

    fn promise(&self) -> Result<String, StateError> {
        let promise = self.text("completion_promise")?.unwrap_or_default();
        match promise.trim() {
            "" => Err(wrong("`completion_promise` is not there")),
            words => Ok(words.to_owned()),
        }
    }

    fn runtime(&self) -> Result<Option<(i64, u64)>, StateError> {
        let Some((seconds, _)) = self.maybe("max_runtime_seconds")? else {
            return Ok(None);
        };
        let started = self.text("started_at")?.as_deref().and_then(milliseconds);
        let unknown = || wrong("`started_at` is no time, such as 2026-11-15T06:16:05Z");
        Ok(Some((started.ok_or_else(unknown)?, seconds)))
    }

    fn place(&self, key: &str) -> Option<Range<usize>> {
        let node = self.node.get(key)?;
        match node.value {
            Value::Text(_) | Value::Number(_) => Some(self.span(node.span)),
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
        }
    }

    fn span(&self, span: Span) -> Range<usize> {
        let range = span.range();
        range.start + self.start..range.end + self.start
    }
}

fn wrong(what: &str) -> StateError {
    StateError(what.to_owned())
}
