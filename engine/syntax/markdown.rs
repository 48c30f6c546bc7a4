//! Markdown in, its lines by kind out: headings, fences, list items.
//!
//! Not a CommonMark tree: tags may cross any of them.

mod line;
mod place;

use super::Parsed;
use super::comment::Comments;
use super::inline::CodeSpans;
use crate::source::{Source, Span};
use line::{FenceMark, Shape, begins_text, code_indent, plain};
use place::Place;
use std::ops::Range;

/// How long a line is at least that room is made for: most are longer, and a text of shorter ones makes more room.
const LINE_LENGTH: usize = 32;

/// How long the text from one heading to the next is, of most files.
const SECTION_LENGTH: usize = 256;

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
    /// Its first byte.
    pub start: u32,
    /// The byte after its last one, without the line break.
    pub end: u32,
    /// What it is.
    pub kind: LineKind,
    /// How many columns of white space stand before its text.
    pub indent: u16,
}

impl Line {
    /// Returns where it stands.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns where it stands in the source that it was read from.
    pub fn span(&self, source: &Source) -> Span {
        source.span(self.start as usize, self.end as usize)
    }
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

impl Fence {
    /// Says whether a mark closes the fence; one without runs to the end of what it stands in.
    pub fn is_closed(&self) -> bool {
        self.body.end < self.span.end
    }
}

/// Returns how many bytes the byte order mark takes.
pub(super) fn mark_length(text: &str) -> usize {
    const MARK: char = '\u{feff}';
    if text.starts_with(MARK) { MARK.len_utf8() } else { 0 }
}

pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let text = source.text();
    let mut reader = Reader {
        source,
        text,
        markdown: Markdown::default(),
        fence: None,
        comments: Comments::new(text),
        code: CodeSpans::new(text),
        comment_end: 0,
        next_comment: 0,
    };
    reader.markdown.lines.reserve(text.len() / LINE_LENGTH + 1);
    reader.markdown.headings.reserve(text.len() / SECTION_LENGTH);
    let end = parsed.frontmatter.as_ref().map_or(0, |matter| matter.span.end as usize);
    let mut at = reader.frontmatter(end);
    while let Some(line) = Place::of(text.as_bytes(), at) {
        at = line.next;
        // Every other line is empty, and of the others most begin with a word.
        if line.end == line.start && reader.is_calm(line) {
            reader.push(line, LineKind::Blank, 0);
        } else if begins_text(text.as_bytes()[line.start]) && reader.is_calm(line) {
            reader.push(line, LineKind::Text, 0);
            reader.find_comment(line);
        } else {
            reader.line(line);
        }
    }
    reader.end_fence(text.len());
    parsed.markdown = reader.markdown;
}

/// A fence whose end has not been seen.
struct OpenFence {
    mark: FenceMark,
    span: Span,
    language: Span,
    body: usize,
    is_quoted: bool,
}

struct Reader<'s> {
    source: &'s Source,
    text: &'s str,
    markdown: Markdown,
    fence: Option<OpenFence>,
    comments: Comments<'s>,
    code: CodeSpans<'s>,
    /// Lines that start before this offset are inside a comment.
    comment_end: usize,
    /// No comment begins before this offset that was not looked at.
    next_comment: usize,
}

impl Reader<'_> {
    #[inline(always)]
    fn push(&mut self, line: Place, kind: LineKind, indent: u16) {
        self.markdown.lines.push(Line {
            start: line.start as u32,
            end: line.end as u32,
            kind,
            indent,
        });
    }

    /// Marks the lines of the frontmatter, which ends at `end`; returns where the text after it, or after the byte order mark,
    /// starts.
    fn frontmatter(&mut self, end: usize) -> usize {
        let mut at = mark_length(self.text);
        while let Some(line) = Place::of(self.text.as_bytes(), at).filter(|line| line.start < end) {
            self.push(line, LineKind::Frontmatter, 0);
            at = line.next;
        }
        at
    }

    /// Says whether a line stands in no fence and in no comment.
    #[inline(always)]
    fn is_calm(&self, line: Place) -> bool {
        self.fence.is_none() && line.start >= self.comment_end
    }

    #[inline(always)]
    fn line(&mut self, line: Place) {
        let text = &self.text.as_bytes()[line.start..line.end];
        if self.fence.is_some() && self.code(line, text) {
            return;
        }
        if line.start < self.comment_end {
            let shape = Shape::of(text);
            let kind = if shape.kind == LineKind::Blank {
                LineKind::Blank
            } else {
                LineKind::Text
            };
            self.push(line, kind, shape.indent);
        } else if let Some((kind, indent)) = plain(text) {
            self.push(line, kind, indent);
        } else {
            let shape = Shape::of(text);
            if let Some(mark) = shape.fence {
                self.start_fence(line, &shape, mark);
                return;
            }
            self.marked(line, &shape);
        }
        self.find_comment(line);
    }

    /// Takes a line that may be a heading.
    fn marked(&mut self, line: Place, shape: &Shape) {
        if let LineKind::Heading(level) = shape.kind {
            let text = self
                .source
                .span(line.start + shape.text.start, line.start + shape.text.end);
            self.markdown.headings.push(Heading {
                level,
                span: self.source.span(line.start, line.end),
                text,
                line: self.markdown.lines.len(),
            });
        }
        self.push(line, shape.kind, shape.indent);
    }

    /// Reads a line of the open fence; answers false where the line is outside it.
    fn code(&mut self, line: Place, text: &[u8]) -> bool {
        let Some(fence) = &self.fence else {
            return false;
        };
        if !fence.is_quoted
            && let Some(indent) = code_indent(text)
        {
            self.push(line, LineKind::Code, indent);
            return true;
        }
        let shape = Shape::of(text);
        if fence.is_quoted && shape.kind != LineKind::Quote {
            self.end_fence(line.start);
            return false;
        }
        let stands_alone = shape.kind != LineKind::Item && (shape.kind == LineKind::Quote) == fence.is_quoted;
        match shape.fence {
            Some(mark) if stands_alone && mark.closes(fence.mark) => {
                let end = line.start + mark.at + mark.count;
                self.markdown.fences.push(Fence {
                    span: self.source.span(fence.span.start as usize, end),
                    language: fence.language,
                    body: self.source.span(fence.body, line.start),
                });
                self.fence = None;
                self.push(line, LineKind::FenceMark, shape.indent);
            }
            Some(_) | None => self.push(line, LineKind::Code, shape.indent),
        }
        true
    }

    fn start_fence(&mut self, line: Place, shape: &Shape, mark: FenceMark) {
        let marks = line.start + mark.at;
        self.fence = Some(OpenFence {
            mark,
            span: self.source.span(marks, line.end),
            language: self
                .source
                .span(line.start + shape.text.start, line.start + shape.text.end),
            body: line.next,
            is_quoted: shape.kind == LineKind::Quote,
        });
        self.push(line, LineKind::FenceMark, shape.indent);
    }

    /// Ends a fence that no mark closes.
    fn end_fence(&mut self, end: usize) {
        let Some(fence) = self.fence.take() else {
            return;
        };
        let body = self.source.span(fence.body.min(end), end);
        self.markdown.fences.push(Fence {
            span: fence.span.to(body),
            language: fence.language,
            body,
        });
    }

    /// Notes a comment that starts on this line and ends on another; most files have few.
    #[inline(always)]
    fn find_comment(&mut self, line: Place) {
        if self.next_comment < line.end {
            self.read_comments(line);
        }
    }

    #[inline(never)]
    fn read_comments(&mut self, line: Place) {
        let mut from = line.start.max(self.comment_end);
        while let Some(at) = self.comments.next_start(from).filter(|at| *at < line.end) {
            from = at + 1;
            if self.code.end_of(at).is_none()
                && let Some(end) = self.comments.end_of(at, self.text.len())
            {
                self.comment_end = end;
                from = end;
            }
        }
        self.next_comment = self.comments.next_start(from).unwrap_or(usize::MAX);
    }
}

#[cfg(test)]
mod tests;
