//! The start of a line in, what it opens out.

use super::measure::fence;
use crate::source::near_byte;

/// How a line begins.
pub(super) enum Line {
    /// Nothing on it.
    Blank,
    /// A code block, with the end of its last line.
    Fence(usize),
    /// A heading, with the end of its line.
    Heading(usize),
    /// The start of a list item, a table row or a quotation: its mark ends here.
    Item(usize),
    /// More prose.
    Plain,
}

/// Says how the line at the start of a text begins.
#[inline]
pub(super) fn line(bytes: &[u8]) -> Line {
    // Most prose begins with a capital letter, which is no mark.
    match bytes.first() {
        Some(b'A'..=b'Z') => Line::Plain,
        _ => marked_line(bytes),
    }
}

/// Says the same of a line that may begin with a mark.
fn marked_line(bytes: &[u8]) -> Line {
    let spaced = |at: usize| matches!(bytes.get(at), Some(b' ' | b'\t'));
    match bytes.first() {
        None | Some(b'\n') => Line::Blank,
        Some(b'`') if bytes.starts_with(b"```") => Line::Fence(fence(bytes, b"```")),
        Some(b'~') if bytes.starts_with(b"~~~") => Line::Fence(fence(bytes, b"~~~")),
        Some(b'#') => heading(bytes),
        Some(b'-' | b'*' | b'+') if spaced(1) => Line::Item(2),
        Some(b'>') => Line::Item(1),
        Some(b'|') => Line::Item(1),
        Some(b'0'..=b'9') => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let marked = matches!(bytes.get(digits), Some(b'.' | b')')) && spaced(digits + 1);
            if marked { Line::Item(digits + 1) } else { Line::Plain }
        }
        Some(b'a'..=b'z') if bytes.get(1) == Some(&b')') && spaced(2) => Line::Item(2),
        Some(0xe2) if bytes.starts_with("•".as_bytes()) => Line::Item('•'.len_utf8()),
        Some(_) => Line::Plain,
    }
}

/// Says the same of a line that begins with `#`; looked at apart, since few do and the others are told with less.
#[inline(never)]
fn heading(bytes: &[u8]) -> Line {
    let level = bytes.iter().take_while(|byte| **byte == b'#').count();
    match bytes.get(level) {
        Some(b' ' | b'\t') => Line::Heading(near_byte(b'\n', bytes).unwrap_or(bytes.len())),
        Some(_) | None => Line::Plain,
    }
}

/// Says whether a line at `at` that is plain prose goes on with a sentence before it, by its first letters.
#[inline]
pub(super) fn goes_on(text: &str, at: usize) -> bool {
    let others = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'(' | b'`' | b'"' | b'\'' | b'{' | b'.');
    match text.as_bytes().get(at..).unwrap_or_default() {
        [] => false,
        [first, second, ..] if first.is_ascii_uppercase() && second.is_ascii() => second.is_ascii_uppercase(),
        [first, ..] if first.is_ascii() && !first.is_ascii_uppercase() => others(*first),
        _ => letters_go_on(text.get(at..).unwrap_or_default()),
    }
}

/// Says the same of a line whose first letters may be of any script.
#[cold]
fn letters_go_on(rest: &str) -> bool {
    let mut line = rest.chars();
    match (line.next(), line.next()) {
        (Some(first), second) if first.is_uppercase() => second.is_some_and(char::is_uppercase),
        (first, _) => first.is_some_and(char::is_alphabetic),
    }
}

/// Counts the blanks that a line begins with.
#[inline]
pub(super) fn blanks(bytes: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    bytes.iter().take_while(is_blank).count()
}
