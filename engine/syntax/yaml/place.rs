//! Where the parser says something stands in, the exact bytes it is written in out.
//!
//! The parser counts characters, and its marks take in more than the value: anchors and tags before it, blanks and
//! comments after it.

use super::scalar::Style;
use crate::source::{near_either, near_last};
use std::ops::Range;

/// How many characters lie between two remembered places.
const STRIDE: usize = 16;

/// Turns a number of characters into a number of bytes.
pub(super) struct Places<'a> {
    text: &'a str,
    /// The byte of every `STRIDE`th character; empty for ASCII, where the two numbers are the same.
    strides: Vec<u32>,
}

impl<'a> Places<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let strides = if text.is_ascii() {
            Vec::new()
        } else {
            let characters = text.char_indices().step_by(STRIDE);
            characters.map(|(at, _)| at as u32).collect()
        };
        Self { text, strides }
    }

    /// Returns the byte the character numbered `index` starts at; the end of the text past its last character.
    pub(super) fn byte(&self, index: usize) -> usize {
        if self.strides.is_empty() {
            return index.min(self.text.len());
        }
        let stride = self.strides.get(index / STRIDE).map(|at| *at as usize);
        let rest = stride.and_then(|at| self.text.get(at..));
        let (Some(stride), Some(rest)) = (stride, rest) else {
            return self.text.len();
        };
        let within = rest.char_indices().nth(index % STRIDE);
        within.map_or(self.text.len(), |(at, _)| stride + at)
    }
}

/// Narrows the mark of a scalar to what is written: a quoted one with its quotes, a block without its header.
pub(super) fn scalar(text: &str, mark: Range<usize>, style: Style, dressed: bool) -> Range<usize> {
    let start = if dressed { undress(text, mark.start) } else { mark.start };
    let start = start.min(mark.end);
    match style {
        Style::Plain => start..mark.end,
        Style::Quoted => start..start + quoted_length(text.get(start..mark.end).unwrap_or("")),
        Style::Block => {
            let start = if dressed { below_header(text, start) } else { start };
            let start = start.min(mark.end);
            let written = text.get(start..mark.end).unwrap_or("");
            start..start + written.trim_end().len()
        }
    }
}

/// Finds where a value starts whose anchor or tag starts at `at`.
pub(super) fn undress(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') => at = line_end(text, at),
            Some(b'!') if bytes.get(at + 1) == Some(&b'<') => at += past(text, at, |byte| byte == b'>') + 1,
            Some(b'&' | b'!') => at += past(text, at, ends_name),
            _ => return at.min(text.len()),
        }
    }
}

/// Finds where a block list starts: the parser marks some of them behind their first hyphen.
pub(super) fn list_start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    if matches!(bytes.get(at), Some(b'[')) || is_hyphen(bytes, at) {
        return at;
    }
    let line = near_last(b'\n', bytes.get(..at).unwrap_or(&[])).map_or(0, |end| end + 1);
    let indent = past(text, line, |byte| byte != b' ');
    if is_hyphen(bytes, line + indent) {
        line + indent
    } else {
        at
    }
}

/// Returns the end of the line `at` is on, before its line break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    at + past(text, at, |byte| byte == b'\n' || byte == b'\r')
}

fn is_hyphen(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'-') && matches!(bytes.get(at + 1), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}

fn below_header(text: &str, at: usize) -> usize {
    let header = line_end(text, at);
    header + past(text, header, |byte| !byte.is_ascii_whitespace())
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// Counts the bytes from `at` to the first one that `ends`.
fn past(text: &str, at: usize, ends: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or(&[]);
    rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len())
}

fn quoted_length(written: &str) -> usize {
    let bytes = written.as_bytes();
    let Some(quote) = bytes.first().copied() else {
        return 0;
    };
    let mut at = 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| near_either(quote, b'\\', rest)) {
        at += found;
        let doubled = quote == b'\'' && bytes.get(at + 1) == Some(&quote);
        match bytes.get(at) {
            Some(b'\\') if quote == b'\'' => at += 1,
            Some(b'\\') => at += 2,
            Some(_) if doubled => at += 2,
            _ => return at + 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{Places, quoted_length};

    #[test]
    fn characters_map_to_bytes_past_the_first_stride() {
        let text = "é".repeat(200);
        let places = Places::new(&text);
        assert_eq!((places.byte(0), places.byte(150), places.byte(999)), (0, 300, 400));
    }

    #[test]
    fn ascii_maps_to_itself() {
        let places = Places::new("abc");
        assert_eq!((places.byte(2), places.byte(9)), (2, 3));
    }

    #[test]
    fn a_quoted_text_ends_at_its_own_quote() {
        assert_eq!(quoted_length(r"'it''s'  # it's"), 7);
        assert_eq!(quoted_length(r#""a\"b" # ""#), 6);
        assert_eq!(quoted_length(r"'a\' x'"), 4);
    }
}
