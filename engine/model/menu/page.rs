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

/// Which of the bytes that menus are made of a line may hold: most lines hold none, and are not searched for them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// A `[`: keys in brackets, and choices between slashes.
    pub(super) const BRACKET: Self = Self(1);
    /// A `'`: keys in quotes.
    pub(super) const QUOTE: Self = Self(2);
    /// A `?`: choices between slashes.
    pub(super) const QUESTION: Self = Self(4);
    /// A `.` before a space: another sentence.
    pub(super) const STOP: Self = Self(8);
    /// A backtick: the menu of another file.
    pub(super) const TICK: Self = Self(16);
    /// Nothing.
    const NONE: Self = Self(0);

    /// Notes the marks between two places of a text, all in one pass of sixteen bytes at a time. Where there are fewer, some
    /// of the bytes behind them are taken in: where a mark is looked for in vain, nothing is found.
    fn between(text: &str, start: usize, end: usize) -> Self {
        #[cfg(test)]
        if SEES_ALL.get() {
            return Self(u8::MAX);
        }
        let mut seen = [0; 16];
        let mut at = start;
        while at < end {
            at = at.min(end.saturating_sub(16).max(start));
            let rest = text.as_bytes().get(at..).unwrap_or(&[]);
            let mut last = [0; 17];
            let bytes: &[u8; 17] = rest.first_chunk().unwrap_or_else(|| {
                last[..rest.len()].copy_from_slice(rest);
                &last
            });
            for (place, seen) in seen.iter_mut().enumerate() {
                *seen |= Self::of(bytes[place], bytes[place + 1]);
            }
            at += 16;
        }
        let all = u128::from_le_bytes(seen);
        let all = (all | (all >> 64)) as u64;
        let all = all | (all >> 32);
        let all = all | (all >> 16);
        Self((all | (all >> 8)) as u8)
    }

    /// Returns the mark that a byte is, before the next one.
    #[inline(always)]
    fn of(byte: u8, next: u8) -> u8 {
        let when = |mark: Self, is_it: bool| if is_it { mark.0 } else { 0 };
        when(Self::BRACKET, byte == b'[')
            | when(Self::QUOTE, byte == b'\'')
            | when(Self::QUESTION, byte == b'?')
            | when(Self::TICK, byte == b'`')
            | (when(Self::STOP, byte == b'.') & when(Self::STOP, next == b' '))
    }

    /// Says whether the line may hold any mark.
    #[inline]
    pub(super) fn hold_any(self) -> bool {
        self != Self::NONE
    }

    /// Says whether the line may hold a mark.
    #[inline]
    pub(super) fn hold(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }
}

#[cfg(test)]
thread_local! {
    /// Whether every line is searched for every mark, so that a test can compare.
    pub(super) static SEES_ALL: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl<'a> Row<'a> {
    pub(super) fn span(&self, source: &Source) -> Span {
        source.span(self.start, self.start + self.text.len())
    }

    #[inline]
    pub(super) fn is_blank(&self) -> bool {
        self.blank
    }

    /// Says whether anything is read from the line.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        !self.blank && self.place != Place::Closed
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
    let mut cut = 0;
    while let Some(byte) = text.as_bytes().get(cut)
        && PLAIN_MARKS.has(*byte)
    {
        cut += 1;
    }
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
    let (mut shown, mut any_shown) = (false, false);
    let mut before = "";
    let mut fences = markdown.fences.iter().peekable();
    // Rows are thrown away with their file: with room for a round number of them the next file finds room in memory that
    // is already there.
    let mut rows = Vec::with_capacity(markdown.lines.len().next_power_of_two());
    for line in &markdown.lines {
        let start = line.start as usize;
        let row = text.get(start..line.end as usize).unwrap_or("");
        if line.kind == LineKind::FenceMark
            && let Some(fence) = fences.next_if(|fence| fence.span.start <= line.end)
        {
            shown = is_shown(source.slice(fence.language), before);
            any_shown |= shown;
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
            marks: match place {
                Place::Prose | Place::Shown => Marks::between(text, start, start + row.len()),
                Place::Closed => Marks::NONE,
            },
            blank,
        });
        if line.kind != LineKind::FenceMark && !blank {
            before = row;
        }
    }
    if any_shown {
        close_samples(&mut rows);
    }
    rows
}

/// Cuts the white space from the start of a line; most have none.
fn trimmed(row: &str) -> &str {
    match row.as_bytes().first() {
        Some(first) if !first.is_ascii_graphic() => row.trim_start(),
        Some(_) | None => row,
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
