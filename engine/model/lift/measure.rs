//! The start of some prose in, the length of the piece that stands there out.

use super::sentence::Kind;
use crate::source::{near_any, near_byte, near_either, near_last, near_places};

/// How far code, a tag or a hole may reach, in bytes.
const LONGEST_CODE: usize = 400;

/// Measures a tag; `<name>` amid a sentence is a word to fill in, not a tag.
pub(super) fn tag(rest: &str, first: bool) -> Option<usize> {
    let window = rest.as_bytes().get(..rest.len().min(LONGEST_CODE))?;
    let name = window.strip_prefix(b"<")?;
    let end = near_either(b'>', b'\n', window)?;
    let closes = name.starts_with(b"/");
    let opens = name.first().is_some_and(u8::is_ascii_lowercase)
        && (first || memchr::memmem::find(window.get(..end)?, b"=\"").is_some());
    ((closes || opens) && window.get(end) == Some(&b'>')).then_some(end + 1)
}

/// Measures a code block: to the end of the line that closes it, or to the end of the text.
pub(super) fn fence(bytes: &[u8], mark: &[u8; 3]) -> usize {
    let line_end = |from: usize| near_byte(b'\n', &bytes[from..]).map_or(bytes.len(), |end| from + end);
    let first = line_end(0);
    let closes = |at: &usize| {
        let line = near_last(b'\n', &bytes[..*at]).map_or(0, |end| end + 1);
        let is_start = |byte: &u8| matches!(byte, b' ' | b'\t' | b'>');
        bytes[*at..].starts_with(mark) && bytes[line..*at].iter().all(is_start)
    };
    let mut marks = near_places(mark[0], &bytes[first..]).map(|at| first + at);
    marks.find(closes).map_or(bytes.len(), line_end)
}

/// Measures code between backticks, inside one paragraph.
pub(super) fn code(rest: &str) -> Option<usize> {
    let ticks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let inside = rest.get(ticks..)?;
    let window = inside.as_bytes().get(..inside.len().min(LONGEST_CODE))?;
    let mut at = 0;
    while let Some(found) = near_byte(b'`', window.get(at..)?) {
        let run = window
            .get(at + found..)?
            .iter()
            .take_while(|byte| **byte == b'`')
            .count();
        if run == ticks {
            return Some(ticks + at + found + ticks);
        }
        at += found + run;
    }
    None
}

/// Says whether the mark at `at` opens a quote: it stands after a gap and before none, unlike an apostrophe.
pub(super) fn opens_quote(text: &str, at: usize, open: char) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text.get(at + open.len_utf8()..).and_then(|text| text.chars().next());
    !before.is_some_and(char::is_alphanumeric) && after.is_some_and(|after| !after.is_whitespace())
}

/// Measures a quote: it closes before something that is not a letter; in single marks it stays on its line.
pub(super) fn quote(text: &str, at: usize, open: char, longest: usize) -> Option<usize> {
    let close = if open == '“' { '”' } else { open };
    let start = at + open.len_utf8();
    let mut end = text.len().min(start + longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let inside = text.get(start..end)?;
    let closes = |found: &usize| {
        let after = inside.get(found + close.len_utf8()..);
        let letter = after.and_then(|tail| tail.chars().next());
        !letter.is_some_and(char::is_alphanumeric)
    };
    let found = if close.is_ascii() {
        near_places(close as u8, inside.as_bytes()).find(closes)?
    } else {
        inside.match_indices(close).map(|(found, _)| found).find(closes)?
    };
    let wrapped = open == '\'' && inside.get(..found)?.contains('\n');
    (!wrapped).then_some(open.len_utf8() + found + close.len_utf8())
}

/// Measures `[[snapshot]]`, `[text](target)` and `[key]`.
pub(super) fn bracket(rest: &str) -> Option<(Kind, usize)> {
    let window = rest.as_bytes().get(..rest.len().min(LONGEST_CODE))?;
    let end = near_either(b']', b'\n', window)?;
    if window.get(end) != Some(&b']') {
        return None;
    }
    let after = window.get(end + 1);
    if window.starts_with(b"[[") {
        return (after == Some(&b']')).then_some((Kind::Snapshot, end + 2));
    }
    if after == Some(&b'(') {
        let close = near_either(b')', b'\n', window.get(end + 1..)?)?;
        return Some((Kind::Link, end + 1 + close + 1));
    }
    Some((Kind::Bracket, end + 1))
}

/// What a byte does to a word before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    /// A letter or a digit goes on with it.
    Plain,
    /// A mark inside names and paths, or a letter of another script, may go on with it.
    Joint,
    /// It ends.
    Gap,
}

static BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Gap; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() {
            bytes[at] = Byte::Plain;
        } else if matches!(byte, b'_' | b'-' | b'.' | b'/' | b'\\' | b'\'' | b'{') || !byte.is_ascii() {
            bytes[at] = Byte::Joint;
        }
        at += 1;
    }
    bytes
};

/// Counts the plain bytes at the start.
fn plain_length(bytes: &[u8]) -> usize {
    plain_start(bytes).0
}

/// Counts the plain bytes at the start, and returns the first eight of them in lower case, as the key of their word.
///
/// Eight are looked at at once, since most words are shorter.
#[inline(always)]
pub(super) fn plain_start(bytes: &[u8]) -> (usize, u64) {
    let eight = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        eight
    });
    let word = u64::from_le_bytes(eight);
    let others = others(word);
    if others == 0 {
        return (8 + more_plain(&bytes[8..]), word | LOWER);
    }
    let first = others.trailing_zeros() & !7;
    (first as usize / 8, (word | LOWER) & ((1 << first) - 1))
}

/// The bit that tells small letters from capital ones, and that digits have, in eight bytes.
pub(super) const LOWER: u64 = u64::from_le_bytes([0x20; 8]);

/// Counts the plain bytes where a word goes on.
#[cold]
fn more_plain(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(eight) = bytes.get(length..).and_then(<[u8]>::first_chunk) {
        let others = others(u64::from_le_bytes(*eight));
        if others != 0 {
            return length + others.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| BYTES[usize::from(**byte)] == Byte::Plain;
    length + bytes[length..].iter().take_while(is_plain).count()
}

/// Marks the bytes of a word that are neither ASCII letters nor digits, by their highest bits.
///
/// Without its highest bit a byte has room for a sum: what is added carries into that bit exactly where a bound is passed.
#[inline]
fn others(word: u64) -> u64 {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = EACH * 0x80;
    let reaches = |bytes: u64, least: u8| bytes + EACH * u64::from(0x80 - least);
    let low = word & !HIGH;
    let lower = low | (EACH * 0x20);
    let letters = reaches(lower, b'a') & !reaches(lower, b'z' + 1);
    let digits = reaches(low, b'0') & !reaches(low, b'9' + 1);
    !((letters | digits) & !word) & HIGH
}

/// Says whether a word of plain letters and digits ends before the byte at `at`, as nearly all do.
#[inline]
pub(super) fn ends_plain(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|next| BYTES[usize::from(*next)] == Byte::Gap)
}

/// Measures a word, a path, a number or a name with holes in it.
pub(super) fn word(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let plain = plain_length(bytes);
    let mut at = plain;
    let mut before = plain
        .checked_sub(1)
        .and_then(|last| bytes.get(last))
        .map(|last| char::from(*last));
    while let Some(tail) = rest.get(at..) {
        let mut next = tail.chars();
        let Some(first) = next.next() else {
            break;
        };
        if first == '{' {
            let Some(length) = braces(tail) else {
                break;
            };
            at += length;
            before = Some('}');
            continue;
        }
        if first.is_ascii_alphanumeric() {
            at += plain_length(tail.as_bytes());
            before = bytes.get(at - 1).map(|last| char::from(*last));
            continue;
        }
        let after = next.next();
        let joins = |after: Option<char>| {
            after.is_some_and(|after| after.is_alphanumeric() || matches!(after, '_' | '{' | '.' | '/' | '*'))
        };
        let part = match first {
            '_' => true,
            '-' => joins(after) && after != Some('.'),
            '.' => joins(after) && after != Some('*'),
            '/' => before.is_some() || joins(after),
            '\\' => after == Some('_'),
            '\'' | '’' => before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic),
            other => other.is_alphanumeric(),
        };
        if !part {
            break;
        }
        before = Some(first);
        at += first.len_utf8();
    }
    at
}

/// Returns what a byte is that is a mark of its own, whatever follows.
pub(super) fn plain_mark(byte: u8) -> Option<Kind> {
    match byte {
        b',' => Some(Kind::Comma),
        b';' | b'|' => Some(Kind::Semicolon),
        b':' => Some(Kind::Colon),
        b'(' => Some(Kind::Open),
        b')' => Some(Kind::Close),
        _ => None,
    }
}

/// Measures a mark that is a token of its own.
pub(super) fn mark(rest: &str, first: char) -> Option<(Kind, usize)> {
    let kind = match first {
        ',' | '，' | '、' => Kind::Comma,
        ';' | '；' => Kind::Semicolon,
        ':' | '：' => Kind::Colon,
        '(' | '（' => Kind::Open,
        ')' | '）' => Kind::Close,
        '→' | '⇒' | '➡' => Kind::Arrow,
        '—' | '–' => Kind::Dash,
        '|' => Kind::Semicolon,
        '=' if rest.starts_with("=>") => return Some((Kind::Arrow, 2)),
        '=' if rest.starts_with("==") => return Some((Kind::Other, 2)),
        '=' => Kind::Equals,
        '!' if rest.starts_with("!=") => return Some((Kind::Other, 2)),
        '-' if rest.starts_with("->") => return Some((Kind::Arrow, 2)),
        '-' if !rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
            let length = rest.bytes().take_while(|byte| *byte == b'-').count();
            return Some((Kind::Dash, length));
        }
        '<' | '>' | '+' => Kind::Other,
        _ => return None,
    };
    Some((kind, first.len_utf8()))
}

/// Measures `{…}` or `{{…}}` on one line.
pub(super) fn braces(text: &str) -> Option<usize> {
    let window = text.as_bytes().get(..text.len().min(LONGEST_CODE))?;
    let open = window.iter().take(3).take_while(|byte| **byte == b'{').count();
    let inside = window.get(open..)?;
    let end = near_any(b'{', b'}', b'\n', inside)?;
    let close = inside.get(end..end + open)?;
    close.iter().all(|byte| *byte == b'}').then_some(open + end + open)
}

#[cfg(test)]
mod tests {
    use super::{plain_length, plain_start};

    #[test]
    fn a_word_ends_at_the_same_byte_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for before in 0..20 {
                let text = [&vec![b'a'; before][..], &[byte], b"Z09 aaaaaaaaaaaa"].concat();
                let plain = text.iter().position(|byte| !byte.is_ascii_alphanumeric());
                assert_eq!(Some(plain_length(&text)), plain, "{byte} after {before}");
                let end = &text[..=before];
                let plain = end.iter().position(|byte| !byte.is_ascii_alphanumeric());
                assert_eq!(plain_length(end), plain.unwrap_or(end.len()), "{byte} after {before}");
            }
        }
    }

    #[test]
    fn a_word_has_one_key_in_any_case() {
        for text in ["", "Go", "HALT now", "haLt!", "Remember", "remembered", "9 lives", "é"] {
            let word: String = text.chars().take_while(char::is_ascii_alphanumeric).collect();
            let mut key = [0; 8];
            let first = &word.as_bytes()[..word.len().min(8)];
            key[..first.len()].copy_from_slice(&first.to_ascii_lowercase());
            assert_eq!(
                plain_start(text.as_bytes()),
                (word.len(), u64::from_le_bytes(key)),
                "{text}"
            );
        }
    }
}
