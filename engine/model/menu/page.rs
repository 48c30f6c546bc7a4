//! A Markdown file in, the lines that may hold a menu or an answer to one out.

use super::{answer, words};
use crate::source::{ByteSet, Source, Span};
use crate::syntax::{LineKind, Markdown};
use memchr::memmem;

/// Tags whose text the tag reader deals with.
const TAGS: &[(&str, &str)] = &[
    ("<ask", "</ask>"),
    ("<action", "</action>"),
    ("<output", "</output>"),
    ("<check", "</check>"),
    ("<example", "</example>"),
    ("<critical", "</critical>"),
    ("<mandate", "</mandate>"),
    ("<note", "</note>"),
];

/// What a line can hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Instructions: options and handlers.
    Prose,
    /// Text that is shown to a person: options.
    Shown,
    /// Frontmatter, tags, tables and code: nothing.
    Closed,
}

/// One line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) kind: LineKind,
    pub(super) place: Place,
    pub(super) marks: Marks,
    blank: bool,
}

/// Which of the bytes that menus are made of a line holds: most lines hold none, and are not searched for them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// A `[`: keys in brackets, and choices between slashes.
    pub(super) const BRACKET: Self = Self(1);
    /// A `'`: keys in quotes.
    pub(super) const QUOTE: Self = Self(2);
    /// A `?`: choices between slashes.
    pub(super) const QUESTION: Self = Self(4);
    /// A `.`: sentences.
    pub(super) const STOP: Self = Self(8);
    /// A backtick: the menu of another file.
    pub(super) const TICK: Self = Self(16);

    /// The bit of each mark, by its byte.
    const BITS: &[u8; 256] = &{
        let mut bits = [0; 256];
        bits[b'[' as usize] = Self::BRACKET.0;
        bits[b'\'' as usize] = Self::QUOTE.0;
        bits[b'?' as usize] = Self::QUESTION.0;
        bits[b'.' as usize] = Self::STOP.0;
        bits[b'`' as usize] = Self::TICK.0;
        bits
    };

    /// Notes the marks of a line, all in one pass.
    fn of(text: &str) -> Self {
        Self(text.bytes().fold(0, |seen, byte| seen | Self::BITS[usize::from(byte)]))
    }

    /// Says whether the line holds a mark.
    #[inline]
    pub(super) fn hold(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }
}

impl<'a> Row<'a> {
    pub(super) fn span(&self, source: &Source) -> Span {
        source.span(self.start, self.start + self.text.len())
    }

    pub(super) fn is_blank(&self) -> bool {
        self.blank
    }

    /// Says whether anything is read from the line.
    pub(super) fn is_open(&self) -> bool {
        !self.blank && self.place != Place::Closed
    }

    pub(super) fn is_heading(&self) -> bool {
        matches!(self.kind, LineKind::Heading(_))
    }

    /// Returns the text without white space, quote marks, list mark, heading mark and emphasis, and where it starts.
    #[inline]
    pub(super) fn inner(&self) -> (usize, &'a str) {
        inner(self.text)
    }
}

/// Returns how far the text of a line is set in.
pub(super) fn depth(text: &str) -> usize {
    text.bytes().take_while(|at| matches!(at, b' ' | b'\t' | b'>')).count()
}

/// Cuts the marks from the start of a line: `>`, `-`, `1.`, `##`, `"`, `` ` ``, `**`.
pub(super) fn inner(text: &str) -> (usize, &str) {
    let mut rest = text;
    // Most lines that have a mark are items, and most of the others have none.
    match text.as_bytes() {
        [first, ..] if first.is_ascii_alphabetic() => return (0, text),
        [b'-', b' ', ..] => rest = &text[1..],
        _ => {}
    }
    loop {
        let cut = unmarked(rest);
        let item = match cut.as_bytes() {
            [b'-' | b'+' | b'0'..=b'9', ..] | [0xe2, 0x80, ..] => list_mark(cut),
            _ => None,
        };
        match item {
            Some(item) => rest = item,
            None => return (text.len() - cut.len(), cut),
        }
    }
}

/// The marks of one byte that are cut from the start of a line.
static PLAIN_MARKS: ByteSet = ByteSet::of(b"\"'`*_># \t\n\x0b\x0c\r");

/// Cuts the marks from the start of a text, bytes first: letters of other scripts and their spaces are rare.
fn unmarked(text: &str) -> &str {
    let cut = text.bytes().position(|at| !PLAIN_MARKS.has(at));
    let cut = cut.unwrap_or(text.len());
    let rest = text.get(cut..).unwrap_or("");
    match rest.as_bytes() {
        // What the spaces and the mark of other scripts begin with.
        [0xc2 | 0xe1 | 0xe3, ..] | [0xe2, 0x80 | 0x81, ..] => rest.trim_start_matches(is_mark),
        _ => rest,
    }
}

fn is_mark(at: char) -> bool {
    matches!(at, '"' | '\'' | '“' | '`' | '*' | '_' | '>' | '#') || at.is_whitespace()
}

fn list_mark(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = bytes.iter().take_while(|at| at.is_ascii_digit()).count();
    let length = match (digits, bytes.get(digits)) {
        (0, Some(b'-' | b'+')) => 1,
        (0, _) if text.starts_with('•') => '•'.len_utf8(),
        (1..=3, Some(b'.' | b')')) => digits + 1,
        (_, _) => return None,
    };
    bytes.get(length).filter(|at| **at == b' ')?;
    text.get(length..)
}

/// Reads the lines of a file.
pub(super) fn rows<'a>(source: &'a Source, markdown: &Markdown) -> Vec<Row<'a>> {
    let text = source.text();
    let mut closed_until = 0;
    let mut last_close = [None; TAGS.len()];
    let mut shown = false;
    let mut before = "";
    let mut fences = markdown.fences.iter().peekable();
    // Rows are thrown away with their file: with room for a round number of them the next file finds room in memory that
    // is already there.
    let mut rows = Vec::with_capacity(markdown.lines.len().next_power_of_two());
    for line in &markdown.lines {
        let start = line.span.start as usize;
        let row = text.get(start..line.span.end as usize).unwrap_or("");
        if line.kind == LineKind::FenceMark
            && let Some(fence) = fences.next_if(|fence| fence.span.start <= line.span.end)
        {
            shown = is_shown(source.slice(fence.language), before);
        }
        let said = trimmed(row);
        if start >= closed_until && line.kind != LineKind::Code {
            closed_until = tag_end(text, start, said, &mut last_close).unwrap_or(closed_until);
        }
        let place = if start < closed_until {
            Place::Closed
        } else {
            place_of(line.kind, shown)
        };
        let blank = said.is_empty();
        rows.push(Row {
            text: row,
            start,
            kind: line.kind,
            place,
            marks: Marks::of(if place == Place::Closed { "" } else { row }),
            blank,
        });
        if line.kind != LineKind::FenceMark && !blank {
            before = row;
        }
    }
    close_samples(&mut rows);
    rows
}

/// Cuts the white space from the start of a line; most have none.
fn trimmed(row: &str) -> &str {
    match row.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => row,
        Some(_) | None => row.trim_start(),
    }
}

fn place_of(kind: LineKind, shown: bool) -> Place {
    match kind {
        LineKind::Frontmatter | LineKind::FenceMark | LineKind::Table => Place::Closed,
        LineKind::Code if shown => Place::Shown,
        LineKind::Code => Place::Closed,
        LineKind::Blank | LineKind::Heading(_) | LineKind::Item | LineKind::Quote | LineKind::Text => Place::Prose,
    }
}

/// Closes fences that show handlers too: they are samples of a file, not something a person sees.
fn close_samples(rows: &mut [Row<'_>]) {
    for fence in rows.chunk_by_mut(|one, other| one.place == other.place) {
        let shown = fence.first().is_some_and(|row| row.place == Place::Shown);
        if shown
            && fence
                .iter()
                .any(|row| answer::clause(row.inner().1, false).is_some_and(|clause| clause.branches))
        {
            for row in fence {
                row.place = Place::Closed;
            }
        }
    }
}

/// Says whether a fence holds what a person sees: no language, or Markdown that is to be displayed.
fn is_shown(language: &str, before: &str) -> bool {
    match language.split_whitespace().next().unwrap_or("") {
        "" | "text" | "txt" | "plaintext" => true,
        "markdown" | "md" => words::has(before, "display"),
        _ => false,
    }
}

/// Returns where the tag that starts this line, without its indent, ends.
fn tag_end(text: &str, start: usize, row: &str, last_close: &mut [Option<usize>; TAGS.len()]) -> Option<usize> {
    if row.as_bytes().first() != Some(&b'<') {
        return None;
    }
    let index = TAGS
        .iter()
        .position(|(open, _)| row.strip_prefix(open).is_some_and(|rest| rest.starts_with(['>', ' '])))?;
    let (_, close) = TAGS.get(index)?;
    let known = last_close.get_mut(index)?;
    let last = *known.get_or_insert_with(|| memmem::rfind(text.as_bytes(), close.as_bytes()).unwrap_or(0));
    if last < start {
        return None;
    }
    let found = memmem::find(text.as_bytes().get(start..)?, close.as_bytes())?;
    Some(start + found + close.len())
}
