//! Plain YAML in, the same values as the parser reads out: maps and lists over lines of their own, as most files are.
//!
//! What is only a little less plain is left to the parser: no flow but the `[]` of a key, no anchors, no escapes, no text
//! over several lines but that of a `|`.

use super::scalar::{Hint, Style};
use super::tree::{Scalar, Stop, Tree};
use crate::source::{ByteSet, Span, near_either, near_places};
use crate::syntax::breaks::line_break;
use std::ops::Range;

/// The longest text that is read here: the parser takes fewer steps for it than it may take at all.
const LONGEST: usize = 100_000;
/// The longest key.
const LONGEST_KEY: usize = 128;
/// The deepest nesting.
const DEEPEST: usize = 32;

/// Why a text is not read to its end here.
pub(super) enum Odd {
    /// It is not plain.
    Other,
    /// The tree takes no more of it.
    Stopped(Stop),
}

impl From<Stop> for Odd {
    fn from(stop: Stop) -> Self {
        Odd::Stopped(stop)
    }
}

/// What a line can go on with.
#[derive(Clone, Copy)]
struct Level {
    /// Where its keys or its hyphens stand on their lines.
    indent: usize,
    is_list: bool,
}

impl Level {
    fn map(indent: usize) -> Self {
        Self { indent, is_list: false }
    }

    fn list(indent: usize) -> Self {
        Self { indent, is_list: true }
    }
}

/// Reads lines one by one.
struct Reader<'t> {
    text: &'t str,
    tree: Tree<'t>,
    open: Vec<Level>,
    /// The colon of a key whose value may stand below it.
    waiting: Option<usize>,
}

/// Reads a text that is plain all over; answers nothing for any other.
pub(super) fn read(text: &str, span: Span) -> Option<Tree<'_>> {
    if text.len() > LONGEST || !is_printable(text) {
        return None;
    }
    let mut reader = Reader {
        text,
        tree: Tree::new(text, span),
        open: Vec::new(),
        waiting: None,
    };
    match reader.lines() {
        Ok(()) => {}
        Err(Odd::Stopped(Stop(fault))) => reader.tree.faults.push(fault),
        Err(Odd::Other) => return None,
    }
    Some(reader.tree)
}

/// Says whether a text holds neither control characters nor, maybe, a byte order mark.
fn is_printable(text: &str) -> bool {
    let is_odd = |byte: u8| ((byte < b' ') & (byte != b'\n')) | (byte == 0x7f) | (byte == 0xef);
    !text.bytes().fold(false, |odd, byte| odd | is_odd(byte))
}

impl<'t> Reader<'t> {
    fn lines(&mut self) -> Result<(), Odd> {
        let mut start = 0;
        while start < self.text.len() {
            let mut end = line_break(self.text.as_bytes(), start);
            let line = &self.text[start..end];
            let indent = spaces(line);
            match line.as_bytes().get(indent) {
                None if indent > 0 => return Err(Odd::Other),
                None | Some(b'#') => {}
                Some(_) => {
                    if let Some(parent) = self.line(line, start, indent)? {
                        end = self.block(end + 1, parent)?;
                        start = end;
                        continue;
                    }
                }
            }
            start = end + 1;
        }
        self.fill()?;
        if self.open.is_empty() {
            return Err(Odd::Other);
        }
        while self.open.pop().is_some() {
            self.tree.close(self.text.len())?;
        }
        self.tree.end_document();
        Ok(())
    }

    /// Reads a line that says something; where a text follows on the lines below it, returns what they stand in from.
    fn line(&mut self, line: &'t str, start: usize, indent: usize) -> Result<Option<usize>, Odd> {
        let said = &line[indent..];
        let Some(item) = said.strip_prefix("- ") else {
            let colon = key_length(said).ok_or(Odd::Other)?;
            self.enter(Level::map(indent), start + indent)?;
            return self.entry(said, colon, start + indent);
        };
        self.enter(Level::list(indent), start + indent)?;
        let gap = 2 + spaces(item);
        let (said, at) = (&said[gap..], start + indent + gap);
        match key_length(said) {
            Some(colon) => {
                self.open(Level::map(indent + gap), at)?;
                self.entry(said, colon, at)
            }
            None => self.value(said, at).map(|()| None),
        }
    }

    /// Reads `key: value`; the text begins at `at`.
    fn entry(&mut self, said: &'t str, colon: usize, at: usize) -> Result<Option<usize>, Odd> {
        self.scalar(&said[..colon], Style::Plain, at..at + colon)?;
        let rest = &said[colon + 1..];
        let gap = spaces(rest);
        let value = &rest[gap..];
        match value.as_bytes() {
            [] if gap > 0 => return Err(Odd::Other),
            [] | [b'#', ..] => self.waiting = Some(at + colon),
            b"|" => return Ok(self.open.last().map(|level| level.indent)),
            [b'[', b']', ..] if is_over(&value[2..]) => self.empty_list(at + colon + 1 + gap)?,
            _ => self.value(value, at + colon + 1 + gap)?,
        }
        Ok(None)
    }

    /// Reads a value that ends on its line, maybe before a comment.
    fn value(&mut self, value: &'t str, at: usize) -> Result<(), Odd> {
        let quoted = value.starts_with(['"', '\'']);
        let length = if quoted {
            quoted_length(value)
        } else {
            plain_length(value)
        };
        let length = length.ok_or(Odd::Other)?;
        if quoted {
            self.scalar(&value[1..length - 1], Style::Quoted, at..at + length)
        } else {
            self.scalar(&value[..length], Style::Plain, at..at + length)
        }
    }

    /// Takes the list of nothing at `at`.
    fn empty_list(&mut self, at: usize) -> Result<(), Odd> {
        self.tree.open_list(0, at, false)?;
        Ok(self.tree.close(at + 1)?)
    }

    /// Reads the lines of a text behind a `|`, which stand further in than `parent`; returns where the next line begins.
    fn block(&mut self, start: usize, parent: usize) -> Result<usize, Odd> {
        let indent = spaces(self.text.get(start..).unwrap_or(""));
        let (mut said, mut next, mut end) = (String::new(), start, start);
        let mut gap = 0;
        for found in breaks(self.text, start) {
            let line = &self.text[next..found];
            let before = spaces(line);
            if line.is_empty() {
                gap += 1;
            } else if before == line.len() {
                return Err(Odd::Other);
            } else if before < indent {
                break;
            } else {
                said.extend(std::iter::repeat_n('\n', std::mem::take(&mut gap)));
                said.push_str(&line[indent..]);
                said.push('\n');
                end = found;
            }
            next = found + 1;
        }
        let is_cut = next < self.text.len() && spaces(&self.text[next..]) >= indent;
        if indent <= parent || said.is_empty() || is_cut {
            return Err(Odd::Other);
        }
        self.scalar(&said, Style::Block, start + indent..end)?;
        Ok(next)
    }

    /// Goes to the map or the list that a line at `at` belongs to, or begins it.
    fn enter(&mut self, level: Level, at: usize) -> Result<(), Odd> {
        // A list may stand right below the key it belongs to, a map only further in.
        let least = level.indent + usize::from(level.is_list);
        let is_value = self.waiting.is_some() && self.open.last().is_some_and(|map| map.indent < least);
        let is_first = self.open.is_empty() && level.indent == 0;
        if is_value || is_first {
            self.waiting = None;
            return self.open(level, at);
        }
        self.fill()?;
        self.leave(|open| {
            open.indent > level.indent || (open.indent == level.indent && open.is_list != level.is_list)
        })?;
        let stands = self.open.last().is_some_and(|open| open.indent == level.indent);
        if stands { Ok(()) } else { Err(Odd::Other) }
    }

    /// Begins a map or a list at `at`.
    fn open(&mut self, level: Level, at: usize) -> Result<(), Odd> {
        if self.open.len() == DEEPEST {
            return Err(Odd::Other);
        }
        self.open.push(level);
        match level.is_list {
            true => self.tree.open_list(0, at, false)?,
            false => self.tree.open_map(0, at, false)?,
        }
        Ok(())
    }

    /// Closes what a line has left.
    fn leave(&mut self, is_left: impl Fn(&Level) -> bool) -> Result<(), Odd> {
        while self.open.last().is_some_and(&is_left) {
            self.open.pop();
            self.tree.close(self.text.len())?;
        }
        Ok(())
    }

    /// Gives a key that waits for a value none.
    fn fill(&mut self) -> Result<(), Odd> {
        match self.waiting.take() {
            Some(colon) => self.scalar("", Style::Plain, colon..colon),
            None => Ok(()),
        }
    }

    fn scalar(&mut self, text: &str, style: Style, place: Range<usize>) -> Result<(), Odd> {
        let scalar = Scalar {
            text,
            style,
            hint: Hint::None,
            anchor: 0,
            dressed: false,
        };
        Ok(self.tree.scalar(scalar, place)?)
    }
}

/// Finds the line breaks at or after a place.
fn breaks(text: &str, from: usize) -> impl Iterator<Item = usize> {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    near_places(b'\n', rest).map(move |found| from + found)
}

/// Counts the spaces at the start of a text.
fn spaces(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b' ').count()
}

/// The bytes of keys.
static KEY_BYTES: ByteSet = ByteSet::of(b"_-").and_alphanumeric();

/// Measures the key that a text begins with, where a colon and a gap follow it.
fn key_length(said: &str) -> Option<usize> {
    let bytes = said.as_bytes();
    let length = bytes.iter().position(|byte| !KEY_BYTES.has(*byte))?;
    let begins = matches!(bytes.first(), Some(first) if first.is_ascii_alphabetic() || *first == b'_');
    let ends = bytes[length] == b':' && matches!(bytes.get(length + 1), None | Some(b' '));
    (begins && ends && length <= LONGEST_KEY).then_some(length)
}

/// Measures text in quotes that has no marks of its own in it and nothing but a comment behind it.
fn quoted_length(value: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    let (quote, inside) = bytes.split_first()?;
    let length = near_either(*quote, b'\\', inside)? + 2;
    (bytes[length - 1] == *quote && is_over(&value[length..])).then_some(length)
}

/// Says whether nothing but a comment stands behind a value.
fn is_over(rest: &str) -> bool {
    match spaces(rest) {
        0 => rest.is_empty(),
        gap => rest.as_bytes().get(gap) == Some(&b'#'),
    }
}

/// Measures text without quotes that begins with a letter or a digit and holds nothing that could be more than text, with
/// nothing but a comment behind it.
fn plain_length(value: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    let begins = bytes
        .first()
        .is_some_and(|first| first.is_ascii_alphanumeric() || !first.is_ascii());
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b' ' | b':')) {
        at += found;
        let gap = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
        match bytes.get(at + gap.max(1)) {
            Some(b'#') if gap > 0 => return begins.then_some(at),
            None | Some(b' ') => return None,
            Some(_) if gap > 1 => return None,
            Some(_) => at += 1,
        }
    }
    begins.then_some(bytes.len())
}
