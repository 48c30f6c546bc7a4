//! Text in, its words out, from either end.

use crate::source::ByteSet;

/// The words of a text, from either end.
pub(super) struct Words<'a> {
    rest: &'a str,
    /// Whether every byte is a character of its own, as nearly always.
    is_plain: bool,
}

/// Splits a text into words, without the marks around them.
pub(super) fn words(text: &str) -> Words<'_> {
    Words {
        rest: text,
        is_plain: text.is_ascii(),
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            let end = match self.is_plain {
                true => self.rest.bytes().position(|at| BREAKS.has(at)),
                false => self.rest.find(is_break),
            };
            let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            let length = rest.chars().next().map_or(0, char::len_utf8);
            self.rest = rest.get(length..).unwrap_or("");
            let word = unmarked(word.as_bytes());
            if !word.is_empty() {
                return Some(word);
            }
        }
        None
    }
}

impl<'a> DoubleEndedIterator for Words<'a> {
    fn next_back(&mut self) -> Option<&'a [u8]> {
        while !self.rest.is_empty() {
            let start = match self.is_plain {
                true => self.rest.bytes().rposition(|at| BREAKS.has(at)),
                false => self.rest.rfind(is_break),
            };
            let (rest, word) = self.rest.split_at(start.unwrap_or(0));
            let length = match start {
                Some(_) => word.chars().next().map_or(0, char::len_utf8),
                None => 0,
            };
            self.rest = rest;
            let word = unmarked(word.as_bytes().get(length..).unwrap_or_default());
            if !word.is_empty() {
                return Some(word);
            }
        }
        None
    }
}

/// Cuts the marks around a word; most have none.
fn unmarked(word: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| matches!(byte, b'`' | b'\'' | b'.' | b'!');
    let mut word = word;
    while let [first, rest @ ..] = word
        && is_mark(first)
    {
        word = rest;
    }
    while let [rest @ .., last] = word
        && is_mark(last)
    {
        word = rest;
    }
    word
}

/// The breaks of one byte.
static BREAKS: ByteSet = ByteSet::of(b"*_()\":;,=[]<> \t\n\x0b\x0c\r");

/// Says whether a byte is a break of its own.
pub(super) fn is_plain_break(byte: u8) -> bool {
    BREAKS.has(byte)
}

fn is_break(at: char) -> bool {
    let mark = matches!(
        at,
        '*' | '_' | '(' | ')' | '"' | ':' | ';' | ',' | '→' | '=' | '[' | ']' | '<' | '>'
    );
    mark || at.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::{is_break, words};

    #[test]
    fn words_are_the_same_from_either_end_and_in_any_script() {
        let plain: String = (0..128).map(char::from).collect();
        for text in [
            "",
            " ",
            "a",
            " load `a`, then (b). ",
            "lädt → 'x.md'\u{a0}und y",
            "**a**:**b**",
            &plain,
        ] {
            let words_of = text.split(is_break);
            let bare = words_of.map(|word| word.trim_matches(['`', '\'', '.', '!']).as_bytes());
            let mut found: Vec<&[u8]> = bare.collect();
            found.retain(|word| !word.is_empty());
            assert_eq!(words(text).collect::<Vec<_>>(), found, "{text}");
            found.reverse();
            assert_eq!(words(text).rev().collect::<Vec<_>>(), found, "{text}");
        }
    }
}
