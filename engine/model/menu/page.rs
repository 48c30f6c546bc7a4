//! A Markdown file in, its lines out, each when it is asked for.

use crate::source::{ByteSet, Source, Span};
use crate::syntax::{Line, LineKind, Markdown};
use std::ops::Range;

/// The lines of a file.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) source: &'a Source,
    pub(super) lines: &'a [Line],
}

/// One line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) kind: LineKind,
}

impl<'a> Page<'a> {
    pub(super) fn new(source: &'a Source, markdown: &'a Markdown) -> Self {
        Self {
            source,
            lines: &markdown.lines,
        }
    }

    /// Returns a line that the file has.
    #[inline]
    pub(super) fn row(self, index: usize) -> Row<'a> {
        let line = &self.lines[index];
        Row {
            text: self.source.text().get(line.range()).unwrap_or(""),
            start: line.start as usize,
            kind: line.kind,
        }
    }

    /// Returns a line, if the file has it.
    pub(super) fn get(self, index: usize) -> Option<Row<'a>> {
        (index < self.lines.len()).then(|| self.row(index))
    }

    /// Returns some lines, as many of them as the file has.
    pub(super) fn rows(self, range: Range<usize>) -> impl DoubleEndedIterator<Item = Row<'a>> + Clone {
        (range.start..range.end.min(self.lines.len())).map(move |index| self.row(index))
    }
}

impl<'a> Row<'a> {
    pub(super) fn span(&self, source: &Source) -> Span {
        source.span(self.start, self.start + self.text.len())
    }

    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        self.kind == LineKind::Blank || trimmed(self.text).is_empty()
    }

    #[inline]
    pub(super) fn is_heading(&self) -> bool {
        matches!(self.kind, LineKind::Heading(_))
    }

    /// Returns the text without white space, quote marks, list mark, heading mark and emphasis, and where it starts.
    #[inline]
    pub(super) fn inner(&self) -> (usize, &'a str) {
        inner(self.text)
    }
}

/// What a line says, behind its marks.
pub(super) struct Said<'a> {
    pub(super) index: usize,
    pub(super) row: Row<'a>,
    /// Where it starts in the line.
    pub(super) at: usize,
    pub(super) inner: &'a str,
}

impl<'a> Said<'a> {
    pub(super) fn new(index: usize, row: Row<'a>) -> Self {
        let (at, inner) = row.inner();
        Self { index, row, at, inner }
    }

    /// Says whether it may be a form that means an answer only where that was offered: it begins like `If`, `On` and `Option`,
    /// or with a key in brackets, in bold, as code or before a colon.
    pub(super) fn may_answer_offer(&self) -> bool {
        let inner = self.inner.as_bytes();
        match inner {
            [] => false,
            [b'i' | b'I' | b'o' | b'O' | b'w' | b'W' | b'[', ..] => true,
            _ if self.row.is_heading() => false,
            _ => self.is_marked() || self.row.kind == LineKind::Item && inner.get(1) == Some(&b':'),
        }
    }

    /// Says whether it is in bold or written as code.
    pub(super) fn is_marked(&self) -> bool {
        let marks = self.row.text.as_bytes().get(..self.at).unwrap_or(&[]);
        marks.iter().any(|mark| matches!(mark, b'*' | b'`'))
    }
}

/// Cuts the white space from the start of a line; most have none.
#[inline]
pub(super) fn trimmed(row: &str) -> &str {
    match row.as_bytes().first() {
        Some(first) if !first.is_ascii_graphic() => row.trim_start(),
        Some(_) | None => row,
    }
}

/// Returns how far the text of a line is set in.
pub(super) fn depth(text: &str) -> usize {
    text.bytes().take_while(|at| matches!(at, b' ' | b'\t' | b'>')).count()
}

/// Cuts the marks from the start of a line: `>`, `-`, `1.`, `##`, `"`, `` ` ``, `**`.
fn inner(text: &str) -> (usize, &str) {
    let at = match text.as_bytes() {
        // Many have none.
        [first, ..] if first.is_ascii_alphabetic() => 0,
        bytes => marks_end(text, bytes),
    };
    (at, text.get(at..).unwrap_or(""))
}

/// The marks of one byte that are cut from the start of a line.
static PLAIN_MARKS: ByteSet = ByteSet::of(b"\"'`*_># \t\n\x0b\x0c\r");

/// Finds where the marks at the start of a line end, bytes first: letters of other scripts and their spaces are rare.
fn marks_end(text: &str, bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        while let Some(byte) = bytes.get(at)
            && PLAIN_MARKS.has(*byte)
        {
            at += 1;
        }
        let length = match &bytes[at..] {
            [b'-' | b'+', b' ', ..] => 1,
            number @ [b'0'..=b'9', ..] => number_length(number),
            // What the spaces and the marks of other scripts begin with.
            [0xc2 | 0xe1 | 0xe3, ..] | [0xe2, 0x80 | 0x81, ..] => other_length(&text[at..]),
            _ => 0,
        };
        if length == 0 {
            return at;
        }
        at += length;
    }
}

/// Returns how long the number of an item is, with the mark behind it.
fn number_length(bytes: &[u8]) -> usize {
    let digits = bytes.iter().take_while(|at| at.is_ascii_digit()).count();
    match bytes[digits..] {
        [b'.' | b')', b' ', ..] if digits <= 3 => digits + 1,
        _ => 0,
    }
}

/// Returns how long a mark or white space of another script is, if there is any.
fn other_length(text: &str) -> usize {
    let rest = text.trim_start_matches(|at: char| {
        matches!(at, '"' | '\'' | '“' | '`' | '*' | '_' | '>' | '#') || at.is_whitespace()
    });
    match text.len() - rest.len() {
        0 if text.starts_with("• ") => '•'.len_utf8(),
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::inner;

    #[test]
    fn marks_are_cut_from_the_start_of_a_line() {
        for (text, said) in [
            ("", ""),
            ("**", ""),
            ("a) Take it", "a) Take it"),
            ("- **Take** it", "Take** it"),
            ("  - + 1. 22) 333. it", "it"),
            ("4444. it", "4444. it"),
            ("1.it", "1.it"),
            ("-it", "-it"),
            ("> ## “Take” it", "Take” it"),
            ("\u{a0}• \u{3000}- `it`", "it`"),
            ("•it", "•it"),
            ("• • it", "it"),
            ("✅ it", "✅ it"),
            ("- ", ""),
            ("-", "-"),
            ("12", "12"),
        ] {
            assert_eq!(inner(text), (text.len() - said.len(), said), "{text}");
        }
    }
}
