//! Markdown by lines: headings, fences, list items. Not a CommonMark tree: tags may cross any of them.

use super::Parsed;
use crate::source::{Source, Span};

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Part of the frontmatter block, fences included.
    Frontmatter,
    /// Nothing but white space.
    Blank,
    /// A heading with its level, 1 to 6.
    Heading(u8),
    /// The line that opens or closes a code fence.
    FenceMark,
    /// A line inside a code fence.
    Code,
    /// A bullet or a numbered item.
    Item,
    /// A line that starts with `>`.
    Quote,
    /// A row of a table.
    Table,
    /// Any other text.
    Text,
}

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The line without its line break.
    pub span: Span,
    /// What it is.
    pub kind: LineKind,
    /// How many columns of white space stand before its text.
    pub indent: u16,
}

/// A heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The whole line.
    pub span: Span,
    /// What it says, without the marks.
    pub text: Span,
    /// The index of its line.
    pub line: usize,
}

/// A code fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    /// From the first mark to the end of the last.
    pub span: Span,
    /// The word after the opening mark.
    pub language: Span,
    /// The lines between the marks.
    pub body: Span,
}

/// The lines of a Markdown file.
#[derive(Debug, Default)]
pub struct Markdown {
    /// Every line, in order.
    pub lines: Vec<Line>,
    /// Every heading, in order.
    pub headings: Vec<Heading>,
    /// Every code fence, in order.
    pub fences: Vec<Fence>,
}

impl Markdown {
    /// Says whether a byte offset lies inside a code fence.
    pub fn is_fenced(&self, offset: u32) -> bool {
        let after = self.fences.partition_point(|fence| fence.span.start <= offset);
        after > 0 && offset < self.fences[after - 1].span.end
    }
}

pub(super) fn read(_source: &Source, _parsed: &mut Parsed) {}
