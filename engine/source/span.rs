//! Places in text.

use std::ops::Range;

/// The number of a source inside its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SourceId(pub u32);

/// A range of bytes in one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The source the range is in.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Makes a span from byte offsets; the cap on file size keeps them in 32 bits.
    #[inline]
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Self {
            source,
            start: start as u32,
            end: end.max(start) as u32,
        }
    }

    /// Returns the byte range.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns how many bytes the span covers.
    #[inline]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Says whether the span covers nothing.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Says whether `other` lies inside this span.
    #[inline]
    pub fn contains(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }

    /// Returns a span inside this one, from offsets relative to its start.
    #[inline]
    pub fn inner(self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.start as usize + start, self.start as usize + end)
    }

    /// Returns the smallest span that covers both.
    #[inline]
    pub fn to(self, other: Span) -> Span {
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A line and a column, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}
