//! The lines between the fences in, the keys at their top level and the lines that belong to each out.

use super::MatterError;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Node, Pair, Value, parse};
use std::ops::Range;

/// A key and its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key; empty for lines that are none.
    pub(super) key: String,
    /// Its lines in the body, with their ends.
    pub(super) lines: Range<usize>,
    /// The first of them in the document, from 1.
    pub(super) line: usize,
    /// The byte behind the colon, from the start of its lines.
    pub(super) colon: usize,
}

/// Finds the keys at the top level. White space and comments between two keys belong to neither.
pub(super) fn entries(body: &str) -> Vec<Entry> {
    let base = indent(body);
    let mut found: Vec<Entry> = Vec::new();
    let mut at = 0;
    for (number, line) in body.split_inclusive('\n').enumerate() {
        let (start, end) = (at, at + line.len());
        at = end;
        let text = line.trim_end();
        let depth = spaces(text);
        let inside = &text[depth..];
        if inside.is_empty() || (depth <= base && inside.starts_with('#')) {
            continue;
        }
        let is_item = inside == "-" || inside.starts_with("- ");
        let goes_on = depth > base || is_item || inside.starts_with([']', '}']);
        if goes_on && let Some(last) = found.last_mut() {
            last.lines.end = end;
            continue;
        }
        let (key, colon) = key(inside).unwrap_or_default();
        found.push(Entry {
            key,
            lines: start..end,
            // The first line of the document is the fence.
            line: number + 2,
            colon: depth + colon,
        });
    }
    found
}

/// Returns how far the keys are indented.
pub(super) fn indent(body: &str) -> usize {
    let mut texts = body.lines().map(str::trim_end);
    let first = texts.find(|text| !text.trim_start().is_empty() && !text.trim_start().starts_with('#'));
    first.map_or(0, spaces)
}

impl Entry {
    /// Reads the lines of the entry alone: its key, its value, and their places from the start of its lines.
    pub(super) fn read(&self, lines: &str) -> Result<Pair, MatterError> {
        let source = Source::new(SourceId(0), ProjectPath::root(), lines);
        let parsed = parse(&source, Format::Yaml);
        let fault = parsed.faults.first().map(|fault| fault.detail.clone());
        let pairs = match parsed.data.map(|node| node.value) {
            Some(Value::Map(pairs)) if fault.is_none() => pairs,
            Some(_) | None => Vec::new(),
        };
        match <[Pair; 1]>::try_from(pairs) {
            Ok([pair]) if pair.key == self.key => Ok(pair),
            Ok(_) | Err(_) => Err(MatterError {
                line: self.line,
                why: fault
                    .filter(|why| !why.is_empty())
                    .unwrap_or_else(|| format!("the value of `{}` cannot be read", self.key)),
            }),
        }
    }
}

/// Says whether a value holds nothing: it is not there, or it is empty text.
pub(super) fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::Null => true,
        Value::Text(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => false,
    }
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Reads the key that a line starts with; tells which byte follows its colon.
fn key(line: &str) -> Option<(String, usize)> {
    let quote = line.chars().next().filter(|first| matches!(first, '"' | '\''));
    let (key, end) = match quote {
        Some(quote) => {
            let length = line[1..].find(quote)?;
            (&line[1..=length], length + 2)
        }
        None => {
            let colon = line
                .find(": ")
                .or_else(|| line.len().checked_sub(1).filter(|_| line.ends_with(':')))?;
            (line[..colon].trim_end(), colon)
        }
    };
    let rest = &line[end..];
    let colon = end + rest.len() - rest.trim_start().len();
    let after = line.get(colon..)?.strip_prefix(':')?;
    (after.is_empty() || after.starts_with([' ', '\t'])).then(|| (key.to_owned(), colon + 1))
}
