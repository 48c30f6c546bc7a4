//! One line in, its shape out, as if it stood alone.

use super::LineKind;
use crate::source::{ByteSet, near_byte};
use std::ops::Range;

/// The width of a tab stop.
const TAB: usize = 4;
/// Text indented this far is no heading, and closes no fence that stands further left.
const CODE_INDENT: usize = 4;
/// The longest number of a numbered item.
const LONGEST_NUMBER: usize = 9;

/// What a line looks like before its surroundings are known.
pub(super) struct Shape {
    pub(super) kind: LineKind,
    /// Columns of white space before the text.
    pub(super) indent: u16,
    /// What a heading says, or the language after a fence mark.
    pub(super) text: Range<usize>,
    /// The fence mark, maybe after a quote mark or the mark of an item.
    pub(super) fence: Option<FenceMark>,
}

/// A row of backticks or tildes.
#[derive(Clone, Copy)]
pub(super) struct FenceMark {
    /// Where the first of them stands in the line.
    pub(super) at: usize,
    /// How many there are.
    pub(super) count: usize,
    byte: u8,
    column: usize,
    is_bare: bool,
}

impl FenceMark {
    /// Says whether this mark closes the fence that `open` opened.
    pub(super) fn closes(self, open: FenceMark) -> bool {
        self.byte == open.byte && self.count >= open.count && self.is_bare && self.column < open.column + CODE_INDENT
    }
}

impl Shape {
    /// Reads a line without its line break.
    pub(super) fn of(bytes: &[u8]) -> Shape {
        let (at, column) = indent(bytes, 0, 0);
        let mut shape = Shape {
            kind: LineKind::Text,
            indent: u16::try_from(column).unwrap_or(u16::MAX),
            text: at..at,
            fence: None,
        };
        let Some(first) = bytes.get(at) else {
            shape.kind = LineKind::Blank;
            return shape;
        };
        match first {
            b'#' if column < CODE_INDENT => shape.read_heading(bytes, at),
            b'`' | b'~' => shape.read_fence(bytes, at, column),
            b'|' => shape.kind = LineKind::Table,
            b'>' => shape.read_quote(bytes, at, column),
            b'-' | b'*' | b'+' | b'0'..=b'9' => shape.read_item(bytes, at, column),
            _ => {}
        }
        shape
    }

    fn read_heading(&mut self, bytes: &[u8], at: usize) {
        let level = count(bytes, at, b'#');
        if level > 6 || !is_space_or_end(bytes, at + level) {
            return;
        }
        self.kind = LineKind::Heading(level as u8);
        let mut end = trim_end(bytes, at + level, bytes.len());
        let marks = bytes[at + level..end].iter().rev().take_while(|byte| **byte == b'#');
        let before = end - marks.count();
        if before < end && (before == at + level || is_space(bytes[before - 1])) {
            end = trim_end(bytes, at + level, before);
        }
        let (start, _) = indent(bytes, at + level, 0);
        self.text = start.min(end)..end;
    }

    fn read_fence(&mut self, bytes: &[u8], at: usize, column: usize) {
        let Some(&byte) = bytes.get(at).filter(|byte| matches!(byte, b'`' | b'~')) else {
            return;
        };
        let count = count(bytes, at, byte);
        let after = at + count;
        let is_inline = byte == b'`' && near_byte(b'`', &bytes[after..]).is_some();
        if count < 3 || is_inline {
            return;
        }
        let (start, _) = indent(bytes, after, 0);
        let word = bytes[start..].iter().take_while(|byte| !is_space(**byte));
        self.text = start..start + word.count();
        self.fence = Some(FenceMark {
            at,
            count,
            byte,
            column,
            is_bare: start == bytes.len(),
        });
    }

    fn read_quote(&mut self, bytes: &[u8], at: usize, column: usize) {
        self.kind = LineKind::Quote;
        let (mut at, mut column) = (at, column);
        while bytes.get(at) == Some(&b'>') {
            (at, column) = indent(bytes, at + 1, column + 1);
        }
        self.read_fence(bytes, at, column);
    }

    fn read_item(&mut self, bytes: &[u8], at: usize, column: usize) {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mark = match (digits, bytes.get(at + digits)) {
            (0, Some(_)) => 1,
            (1..=LONGEST_NUMBER, Some(b'.' | b')')) => digits + 1,
            (_, _) => return,
        };
        if !is_space_or_end(bytes, at + mark) || is_rule(&bytes[at..]) {
            return;
        }
        self.kind = LineKind::Item;
        let (after, column) = indent(bytes, at + mark, column + mark);
        self.read_fence(bytes, after, column);
    }
}

/// What a line of text may begin with and nothing else may.
static TEXT_BYTES: ByteSet = ByteSet::of(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ<[(\"'{_").and_wide();

/// Says whether a line that begins with a byte is text, whatever stands behind it.
#[inline(always)]
pub(super) fn begins_text(first: u8) -> bool {
    TEXT_BYTES.has(first)
}

/// Reads a line whose first bytes tell what it is and how far it is set in, as those of most do: one that is no heading, no
/// quote and begins no fence.
#[inline(always)]
pub(super) fn plain(line: &[u8]) -> Option<(LineKind, u16)> {
    let (at, column) = match line.first() {
        Some(b' ' | b'\t') => indent(line, 0, 0),
        Some(_) | None => (0, 0),
    };
    let kind = match line.get(at..)? {
        [] => LineKind::Blank,
        [b'#', ..] if column < CODE_INDENT => return None,
        [b'>', ..] | [b'`', b'`', ..] | [b'~', b'~', ..] => return None,
        [b'|', ..] => LineKind::Table,
        [mark @ (b'-' | b'*' | b'+'), rest @ ..] => behind_mark(*mark, rest)?,
        [b'0'..=b'9', ..] => behind_number(&line[at..])?,
        [_, ..] => LineKind::Text,
    };
    Some((kind, u16::try_from(column).unwrap_or(u16::MAX)))
}

/// Tells an item from text by what stands behind its mark, where that is no rule and begins no fence.
#[inline(always)]
fn behind_mark(mark: u8, rest: &[u8]) -> Option<LineKind> {
    if !is_space_or_end(rest, 0) {
        return Some(LineKind::Text);
    }
    match rest.iter().find(|byte| !is_space(**byte)) {
        Some(next) if *next == mark || matches!(next, b'`' | b'~') => None,
        Some(_) | None => Some(LineKind::Item),
    }
}

/// The same for a line that begins with a digit.
fn behind_number(line: &[u8]) -> Option<LineKind> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_number = digits <= LONGEST_NUMBER && matches!(line.get(digits), Some(b'.' | b')'));
    match line.get(digits + 1..) {
        Some(rest) if is_number => behind_mark(b'.', rest),
        Some(_) | None => Some(LineKind::Text),
    }
}

/// Returns how far a line of a fence is set in that closes none, as nearly all do; a fence in a quote is another matter.
#[inline(always)]
pub(super) fn code_indent(line: &[u8]) -> Option<u16> {
    let (at, column) = indent(line, 0, 0);
    match line.get(at) {
        Some(b'`' | b'~') => None,
        Some(_) | None => Some(u16::try_from(column).unwrap_or(u16::MAX)),
    }
}

/// Skips white space from `at`; returns the offset and the column after it.
#[inline]
fn indent(bytes: &[u8], at: usize, column: usize) -> (usize, usize) {
    let (mut at, mut column) = (at, column);
    loop {
        match bytes.get(at) {
            Some(b' ') => column += 1,
            Some(b'\t') => column += TAB - column % TAB,
            Some(_) | None => return (at, column),
        }
        at += 1;
    }
}

fn count(bytes: &[u8], at: usize, byte: u8) -> usize {
    bytes[at..].iter().take_while(|other| **other == byte).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_space_or_end(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| is_space(*byte))
}

/// Says whether a line draws a rule: three or more of the same mark and nothing else.
fn is_rule(bytes: &[u8]) -> bool {
    let Some(mark) = bytes.first() else {
        return false;
    };
    let mut marks = 0;
    for byte in bytes {
        if byte == mark {
            marks += 1;
        } else if !is_space(*byte) {
            return false;
        }
    }
    marks > 2 && matches!(mark, b'-' | b'*')
}

fn trim_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let spaces = bytes[start..end].iter().rev().take_while(|byte| is_space(**byte));
    end - spaces.count()
}

#[cfg(test)]
mod tests {
    use super::{Shape, begins_text, code_indent, plain};
    use crate::source::Dice;
    use crate::syntax::LineKind;

    /// Compares what the first bytes of a line tell with what all of it says; answers whether they tell its kind.
    fn is_told(line: &[u8]) -> bool {
        let shape = Shape::of(line);
        if line.first().is_some_and(|first| begins_text(*first)) {
            assert!(
                shape.kind == LineKind::Text && shape.indent == 0 && shape.fence.is_none(),
                "{line:?}"
            );
        }
        if let Some(indent) = code_indent(line) {
            let opens = shape.fence.is_some() && !matches!(shape.kind, LineKind::Quote | LineKind::Item);
            assert!(indent == shape.indent && !opens, "{line:?}");
        }
        let Some(found) = plain(line) else {
            return false;
        };
        let is_heading = matches!(shape.kind, LineKind::Heading(_));
        assert_eq!(found, (shape.kind, shape.indent), "{line:?}");
        assert!(shape.fence.is_none() && !is_heading, "{line:?}");
        true
    }

    #[test]
    fn a_line_that_its_first_bytes_tell_is_what_it_is_by_all_of_it() {
        let bytes = b"a Z9-*+#>|`~.\t_[<\"\xc3";
        let mut told = 0;
        for number in 0..bytes.len().pow(4) {
            let places = [0, 1, 2, 3].map(|place| bytes[number / bytes.len().pow(place) % bytes.len()]);
            told += (0..=places.len()).filter(|length| is_told(&places[..*length])).count();
        }
        assert!(told > 100_000, "{told}");
    }

    #[test]
    fn the_same_holds_for_longer_lines() {
        let pieces = [
            "  ",
            "    ",
            "\t",
            "-",
            "*",
            ">",
            "`",
            "```",
            "~~~",
            "|",
            "12",
            ".",
            "- ",
            "1. ",
            "a",
            "a b",
            "1234567890",
        ];
        let (mut dice, mut told) = (Dice(11), 0);
        for _ in 0..50_000 {
            let mut line = String::new();
            for _ in 0..dice.roll(7) {
                line.push_str(dice.pick(&pieces));
            }
            told += usize::from(is_told(line.as_bytes()));
        }
        assert!(told > 20_000, "{told}");
    }
}
