//! A document in, the same document with other frontmatter out. Every byte that is not the change stays.
//!
//! Frontmatter is for people and for other programs: their keys, comments, order and quotes are theirs.

mod entry;
mod list;
mod scalar;
mod steps;
#[cfg(test)]
mod tests;

pub use steps::{complete, complete_all, steps_completed};

use super::escape;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{FaultKind, Format, Node, Pair, Parsed, Value, parse};
use entry::{Entry, entries};
use std::fmt;
use std::ops::Range;

/// What becomes of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is this text, whatever the text looks like.
    Text(String),
    /// It is this number, or `true` or `false`, as it is written.
    Number(String),
    /// It is this list.
    List(Vec<Item>),
    /// Its list has this item, added at the end where it is not there yet.
    AppendUnique(Item),
    /// It is not there.
    Remove,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A number, as it is written.
    Number(String),
    /// Text.
    Text(String),
}

impl Item {
    /// Reads a label: digits are a number, everything else is text.
    pub fn of(label: &str) -> Self {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = label.split_once('.').unwrap_or((label, "0"));
        if digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(fraction) {
            Self::Number(label.to_owned())
        } else {
            Self::Text(label.to_owned())
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Number(text) | Item::Text(text) => formatter.write_str(text),
        }
    }
}

/// Why frontmatter was left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatterError {
    /// The line of the document, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for MatterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the frontmatter was left alone: line {}: {}",
            self.line, self.why
        )
    }
}

impl std::error::Error for MatterError {}

/// The block between the first two fences of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// The lines between the fences.
    pub(super) body: Range<usize>,
    /// The byte after the closing fence, before the end of its line.
    pub(super) end: usize,
}

/// Finds the frontmatter of a document. A block that is never closed is none.
pub(super) fn head(document: &str) -> Option<Head> {
    let fenced = |line: &str, fences: &[&str]| fences.contains(&line.trim_end_matches([' ', '\t', '\r', '\n']));
    let mut start = marked(document);
    let mut lines = document[start..].split_inclusive('\n');
    let first = lines.next().filter(|line| fenced(line, &["---"]))?;
    start += first.len();
    let body = start;
    for line in lines {
        if fenced(line, &["---", "..."]) {
            return Some(Head {
                body: body..start,
                end: start + line.trim_end().len(),
            });
        }
        start += line.len();
    }
    None
}

/// Returns the length of the mark that some editors put at the start of a file.
pub(super) fn marked(document: &str) -> usize {
    document.len() - document.strip_prefix('\u{feff}').unwrap_or(document).len()
}

/// Returns how the lines of a document end: as its first one does.
pub(super) fn line_end(document: &str) -> &'static str {
    match document.split_once('\n') {
        Some((first, _)) if first.ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

/// Changes keys of the frontmatter, in this order; a document without frontmatter gets one.
pub fn set(document: &str, changes: &[(&str, Change)]) -> Result<String, MatterError> {
    let mut changed = document.to_owned();
    for (key, change) in changes {
        check(key, change)?;
        changed = set_one(&changed, key, change)?;
    }
    Ok(changed)
}

fn set_one(document: &str, key: &str, change: &Change) -> Result<String, MatterError> {
    let Some(head) = head(document) else {
        return Ok(added(document, key, change));
    };
    let before = read(&document[..head.end]);
    let body = &document[head.body.clone()];
    let mut entries = entries(body).into_iter().filter(|entry| entry.key == key);
    let mut line = 1;
    let edited = match (entries.next(), entries.next()) {
        (Some(first), Some(second)) => {
            let why = format!("`{key}` is also in line {}; keep one of them", first.line);
            return Err(MatterError { line: second.line, why });
        }
        (Some(entry), None) => {
            line = entry.line;
            replaced(body, &entry, change)?
        }
        (None, _) => appended(body, key, change, &before, line_end(document))?,
    };
    let text = format!("{}{edited}{}", &document[..head.body.start], &document[head.body.end..]);
    if is_kept(&before, &text, key, change) {
        return Ok(text);
    }
    Err(MatterError {
        line,
        why: format!("`{key}` cannot be changed without changing other keys; change it by hand"),
    })
}

/// Puts the lines of an entry, changed, into the body.
fn replaced(body: &str, entry: &Entry, change: &Change) -> Result<String, MatterError> {
    let lines = &body[entry.lines.clone()];
    let lines = match change {
        Change::Remove => String::new(),
        Change::Text(text) => scalar::replace(lines, entry, &Item::Text(text.clone()))?,
        Change::Number(number) => scalar::replace(lines, entry, &Item::Number(number.clone()))?,
        Change::List(items) => list::replace(lines, entry, items)?,
        Change::AppendUnique(item) => list::append(lines, entry, item)?,
    };
    Ok(format!(
        "{}{lines}{}",
        &body[..entry.lines.start],
        &body[entry.lines.end..]
    ))
}

/// Adds a key behind the last line.
fn appended(body: &str, key: &str, change: &Change, before: &Read, end: &str) -> Result<String, MatterError> {
    let Some(value) = fresh(change) else {
        return Ok(body.to_owned());
    };
    if let Some((line, why)) = &before.fault {
        return Err(MatterError {
            line: *line,
            why: format!("{why}; `{key}` can be added once that is mended"),
        });
    }
    let indent = " ".repeat(entry::indent(body));
    let key = escape::yaml_scalar(key);
    Ok(format!("{body}{indent}{key}: {value}{end}"))
}

/// Puts frontmatter before a document that has none.
fn added(document: &str, key: &str, change: &Change) -> String {
    let Some(value) = fresh(change) else {
        return document.to_owned();
    };
    let (mark, rest) = document.split_at(marked(document));
    let end = line_end(document);
    let key = escape::yaml_scalar(key);
    let between = if rest.is_empty() || rest.starts_with(['\n', '\r']) {
        ""
    } else {
        end
    };
    format!("{mark}---{end}{key}: {value}{end}---{end}{between}{rest}")
}

/// Writes the value of a key that was not there.
fn fresh(change: &Change) -> Option<String> {
    match change {
        Change::Text(text) => Some(escape::yaml_scalar(text)),
        Change::Number(number) => Some(scalar::write(&Item::Number(number.clone()), scalar::Quotes::Plain)),
        Change::List(items) => Some(list::flow(items, scalar::Quotes::Plain)),
        Change::AppendUnique(item) => Some(list::flow(std::slice::from_ref(item), scalar::Quotes::Plain)),
        Change::Remove => None,
    }
}

/// Says whether the values of a change may enter frontmatter.
fn check(key: &str, change: &Change) -> Result<(), MatterError> {
    let texts: Vec<&str> = match change {
        Change::Text(text) | Change::Number(text) => vec![text],
        Change::List(items) => items.iter().map(Item::text).collect(),
        Change::AppendUnique(item) => vec![item.text()],
        Change::Remove => Vec::new(),
    };
    for text in texts {
        escape::check(text, escape::Target::Frontmatter).map_err(|error| MatterError {
            line: 1,
            why: error.of(key).to_string(),
        })?;
    }
    Ok(())
}

impl Item {
    fn text(&self) -> &str {
        match self {
            Item::Number(text) | Item::Text(text) => text,
        }
    }

    fn is(&self, node: &Node) -> bool {
        match (self, &node.value) {
            (Item::Number(number), Value::Number(written)) => number == written,
            (Item::Number(word), Value::Bool(written)) => *word == written.to_string(),
            (Item::Text(text), Value::Text(written)) => text == written,
            (Item::Number(_) | Item::Text(_), _) => false,
        }
    }
}

/// Frontmatter as it was read.
struct Read {
    data: Option<Node>,
    /// The line and reason of the first thing that keeps it from being YAML.
    fault: Option<(usize, String)>,
}

fn read(head: &str) -> Read {
    let source = Source::new(SourceId(0), ProjectPath::root(), head);
    let Parsed {
        frontmatter, faults, ..
    } = parse(&source, Format::Markdown);
    let fault = faults.iter().find(|fault| fault.kind != FaultKind::DuplicateKey);
    Read {
        data: frontmatter.and_then(|frontmatter| frontmatter.data),
        fault: fault.map(|fault| {
            let line = source.position(fault.span.start).line as usize;
            let why = if fault.detail.is_empty() {
                "it cannot be read"
            } else {
                &fault.detail
            };
            (line, why.to_owned())
        }),
    }
}

/// Says whether nothing but the key means anything else now; what could not be read before cannot be compared.
fn is_kept(before: &Read, text: &str, key: &str, change: &Change) -> bool {
    let Some(old) = before.data.as_ref().filter(|_| before.fault.is_none()) else {
        return true;
    };
    let after = head(text).map(|head| read(&text[..head.end]));
    let Some(new) = after.filter(|after| after.fault.is_none()).and_then(|after| after.data) else {
        return false;
    };
    let others = |node: &Node| -> Vec<Pair> {
        let pairs = node.pairs().iter().filter(|pair| pair.key != key);
        pairs.cloned().collect()
    };
    let (before, after) = (others(old), others(&new));
    before.len() == after.len() && before.iter().zip(&after).all(is_same) && is_wanted(new.get(key), change)
}

fn is_wanted(node: Option<&Node>, change: &Change) -> bool {
    match (change, node) {
        (Change::Remove, node) => node.is_none(),
        (Change::Text(_) | Change::Number(_) | Change::List(_) | Change::AppendUnique(_), None) => false,
        (Change::Text(text), Some(node)) => Item::Text(text.clone()).is(node),
        (Change::Number(number), Some(node)) => Item::Number(number.clone()).is(node),
        (Change::List(items), Some(node)) => {
            let found = node.items();
            found.len() == items.len() && items.iter().zip(found).all(|(item, node)| item.is(node))
        }
        (Change::AppendUnique(item), Some(node)) => node.items().iter().any(|node| item.is(node)),
    }
}

/// Says whether two values mean the same, wherever they stand.
fn same(left: &Node, right: &Node) -> bool {
    match (&left.value, &right.value) {
        (Value::List(left), Value::List(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Map(left), Value::Map(right)) => left.len() == right.len() && left.iter().zip(right).all(is_same),
        (left, right) => left == right,
    }
}

fn is_same((left, right): (&Pair, &Pair)) -> bool {
    left.key == right.key && same(&left.node, &right.node)
}
