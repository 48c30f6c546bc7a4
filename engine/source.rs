//! Text in, `Source` and `Span` out: every value the engine reads keeps the place it was written at.
//!
//! Offsets are bytes; lines and columns are computed only when somebody asks.

mod path;
mod span;

pub use path::ProjectPath;
pub use span::{Position, SourceId, Span};

use std::sync::{Arc, OnceLock};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// One file: where it is in the project and what it says.
#[derive(Debug)]
pub struct Source {
    id: SourceId,
    path: ProjectPath,
    text: Arc<str>,
    lines: OnceLock<Vec<u32>>,
}

impl Source {
    /// Makes a source from text that is known to be UTF-8.
    pub fn new(id: SourceId, path: ProjectPath, text: impl Into<Arc<str>>) -> Self {
        Self {
            id,
            path,
            text: text.into(),
            lines: OnceLock::new(),
        }
    }

    /// Returns the number that spans of this source carry.
    pub fn id(&self) -> SourceId {
        self.id
    }

    /// Returns where the file is.
    pub fn path(&self) -> &ProjectPath {
        &self.path
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole text as a shared value.
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// Returns the text under `span`, or nothing where the span does not fit this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Makes a span of this source from two byte offsets.
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.id, start, end)
    }

    /// Returns the line and column of a byte offset, both counted from one, columns in characters.
    pub fn position(&self, offset: u32) -> Position {
        let lines = self.lines.get_or_init(|| line_starts(&self.text));
        let line = lines.partition_point(|start| *start <= offset).max(1) - 1;
        let start = lines.get(line).copied().unwrap_or(0) as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self
            .text
            .get(start..end)
            .map_or(0, |before| before.chars().count());
        Position {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
    starts
}
