//! Text in, `Source` and `Span` out: every value the engine reads keeps the place it was written at.
//!
//! Offsets are bytes; lines and columns are computed only when somebody asks.

mod bytes;
#[cfg(test)]
mod dice;
pub(crate) mod diff;
mod digest;
mod path;
mod printable;
mod quick;
mod span;

pub(crate) use bytes::{ByteSet, near_any, near_byte, near_either, near_last, near_last_either, near_places};
#[cfg(test)]
pub(crate) use dice::Dice;
pub use digest::{ContentHashing, Hashing, content_hash, hash, hex, sha256};
pub(crate) use digest::{ContentSumming, content_sum, digits, sum};
pub use path::{ProjectPath, is_gits};
pub(crate) use printable::clean;
#[cfg(feature = "cli")]
pub(crate) use printable::printable;
pub use quick::{QuickHasher, QuickMap, QuickSet};
pub use span::{Position, SourceId, Span};

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;
/// The most lines of a file that are read.
pub const MAX_LINES: usize = 1_000_000;
/// How many positions of a file are counted from its start; who asks for more gets the lines marked.
const COUNTED: usize = 8;
/// How many bytes of a line are counted at most to find a column.
const STRIDE: usize = 4096;

/// One file: where it is in the project and what it says.
#[derive(Debug)]
pub struct Source {
    id: SourceId,
    path: ProjectPath,
    text: String,
    marks: OnceLock<Vec<Mark>>,
    asked: AtomicUsize,
}

/// A byte whose line and column are known, both counted from zero.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    offset: u32,
    line: u32,
    column: u32,
}

impl Source {
    /// Makes a source from text that is known to be UTF-8.
    pub fn new(id: SourceId, path: ProjectPath, text: impl Into<String>) -> Self {
        Self {
            id,
            path,
            text: text.into(),
            marks: OnceLock::new(),
            asked: AtomicUsize::new(0),
        }
    }

    /// Returns the number that spans of this source carry.
    #[inline]
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// Returns where the file is.
    pub fn path(&self) -> &ProjectPath {
        &self.path
    }

    /// Returns the whole text.
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text under `span`, or nothing where the span does not fit this source.
    #[inline]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Makes a span of this source from two byte offsets.
    #[inline]
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.id, start, end)
    }

    /// Returns the line and column of a byte offset, both counted from one, columns in characters.
    pub fn position(&self, offset: u32) -> Position {
        if self.asked.fetch_add(1, Ordering::Relaxed) < COUNTED {
            return counted(&self.text, offset);
        }
        let marks = self.marks.get_or_init(|| marks(&self.text));
        let after = marks.partition_point(|mark| mark.offset <= offset);
        let mark = marks.get(after.max(1) - 1).copied().unwrap_or_default();
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(mark.offset as usize..end)
            .map_or(0, |before| before.chars().count());
        Position {
            line: mark.line + 1,
            column: mark.column + column as u32 + 1,
        }
    }
}

/// Counts the lines before an offset; one inside a character is the start of its line, and one past the end is the end.
fn counted(text: &str, offset: u32) -> Position {
    let end = (offset as usize).min(text.len());
    let before = &text.as_bytes()[..end];
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let column = text.get(start..end).map_or(0, |line| line.chars().count());
    Position {
        line: memchr::memchr_iter(b'\n', before).count() as u32 + 1,
        column: column as u32 + 1,
    }
}

/// Marks the start of every line, and places inside long ones: a file of one line is as quick to ask as any other.
fn marks(text: &str) -> Vec<Mark> {
    let mut marks = vec![Mark::default()];
    let mut mark = Mark::default();
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    for end in ends {
        while end - mark.offset as usize > STRIDE {
            let start = mark.offset as usize;
            let next = text.floor_char_boundary(start + STRIDE);
            mark.column += text[start..next].chars().count() as u32;
            mark.offset = next as u32;
            marks.push(mark);
        }
        if end < text.len() {
            mark = Mark {
                offset: end as u32 + 1,
                line: mark.line + 1,
                column: 0,
            };
            marks.push(mark);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::{ProjectPath, STRIDE, Source, SourceId};

    /// Counts from the start, the slow way.
    fn by_hand(text: &str, offset: usize) -> (u32, u32) {
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line as u32 + 1, before[start..].chars().count() as u32 + 1)
    }

    #[test]
    fn positions_are_those_one_counts_by_hand() {
        let long = "aü€𝄞".repeat(STRIDE);
        let text = format!("one\n\n{long}\r\nlast {long}");
        let source = Source::new(SourceId(0), ProjectPath::root(), text.as_str());
        let stride = text.char_indices().step_by(997).map(|(at, _)| at);
        for offset in stride.chain([0, 3, 4, 5, text.len()]) {
            let position = source.position(offset as u32);
            assert_eq!((position.line, position.column), by_hand(&text, offset));
        }
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        let source = Source::new(SourceId(0), ProjectPath::root(), "a\nbc");
        assert_eq!(source.position(99), source.position(4));
    }
}
