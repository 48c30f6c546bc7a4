//! Markdown in, its lines by kind out: headings, fences, list items.
//!
//! Not a CommonMark tree: tags may cross any of them.

mod line;

use super::Parsed;
use super::comment::Comments;
use super::inline::CodeSpans;
use crate::source::{Source, Span};
use line::{FenceMark, Shape};
use std::ops::Range;

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

/// Returns where the text after the byte order mark and the frontmatter starts.
fn body_start(text: &str) -> usize {
    let begin = mark_length(text);
    let mut lines = lines(text, begin);
    match lines.next() {
        Some(first) if text.get(first.start..first.end) == Some("---") => {}
        Some(_) | None => return begin,
    }
    lines
        .find(|line| text.get(line.start..line.end) == Some("---"))
        .map_or(begin, |last| last.next)
}

pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let mut reader = Reader {
        source,
        text: source.text(),
        markdown: Markdown::default(),
        fence: None,
        comments: Comments::new(source.text()),
        code: CodeSpans::new(source.text()),
        comment_end: 0,
        next_comment: 0,
    };
    let text = source.text();
    let start = body_start(text);
    let count = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    reader.markdown.lines.reserve_exact(count);
    for line in lines(text, mark_length(text)) {
        if line.start < start {
            reader.push(line, LineKind::Frontmatter, 0);
        } else {
            reader.line(line);
        }
    }
    reader.end_fence(text.len());
    parsed.markdown = reader.markdown;
}

/// Where a line stands: its text, and where the next line starts.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
    next: usize,
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
    fn push(&mut self, line: Place, kind: LineKind, indent: u16) {
        self.markdown.lines.push(Line {
            start: line.start as u32,
            end: line.end as u32,
            kind,
            indent,
        });
    }

    fn line(&mut self, line: Place) {
        let text = self.text.get(line.start..line.end).unwrap_or("");
        if self.fence.is_none()
            && line.start >= self.comment_end
            && let Some(kind) = plain_kind(text)
        {
            self.push(line, kind, 0);
            self.find_comment(line);
            return;
        }
        let shape = Shape::of(text);
        if self.fence.is_some() && self.code(line, &shape) {
            return;
        }
        if line.start < self.comment_end {
            let kind = if shape.kind == LineKind::Blank {
                LineKind::Blank
            } else {
                LineKind::Text
            };
            self.push(line, kind, shape.indent);
            self.find_comment(line);
            return;
        }
        if let Some(mark) = shape.fence {
            self.start_fence(line, &shape, mark);
            return;
        }
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
        self.find_comment(line);
    }

    /// Reads a line of the open fence; answers false where the line is outside it.
    fn code(&mut self, line: Place, shape: &Shape) -> bool {
        let Some(fence) = &self.fence else {
            return false;
        };
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

/// Returns the kind of a line whose first bytes tell it, as those of most do: it is empty, begins with a letter or a mark of
/// text, or is an item without a fence in it.
fn plain_kind(line: &str) -> Option<LineKind> {
    match line.as_bytes() {
        [] => Some(LineKind::Blank),
        [first, ..] if first.is_ascii_alphabetic() || !first.is_ascii() => Some(LineKind::Text),
        [b'<' | b'{' | b'[' | b'(' | b'"', ..] => Some(LineKind::Text),
        [b'*', b'*', next, ..] if next.is_ascii_alphabetic() => Some(LineKind::Text),
        [b'-', b' ', next, ..] if !matches!(next, b' ' | b'\t' | b'-' | b'`' | b'~') => Some(LineKind::Item),
        [_, ..] => None,
    }
}

/// Cuts text into lines; the line break, `\n` or `\r\n`, belongs to none.
fn lines(text: &str, from: usize) -> impl Iterator<Item = Place> {
    let bytes = text.as_bytes();
    let mut start = from;
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        // Every other line is empty.
        let found = match bytes[start] {
            b'\n' => Some(0),
            _ => memchr::memchr(b'\n', &bytes[start..]),
        };
        let (end, next) = match found {
            Some(found) => (start + found, start + found + 1),
            None => (bytes.len(), bytes.len()),
        };
        let is_return = end > start && bytes.get(end - 1) == Some(&b'\r');
        let line = Place {
            start,
            end: if is_return { end - 1 } else { end },
            next,
        };
        start = next;
        Some(line)
    })
}

#[cfg(test)]
mod tests;
