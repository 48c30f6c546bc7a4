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
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        while !self.rest.is_empty() {
            let end = match self.is_plain {
                true => self.rest.bytes().position(|at| BREAKS.has(at)),
                false => self.rest.find(is_break),
            };
            let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            let length = rest.chars().next().map_or(0, char::len_utf8);
            self.rest = rest.get(length..).unwrap_or("");
            let word = unmarked(word);
            if !word.is_empty() {
                return Some(word);
            }
        }
        None
    }
}

impl<'a> DoubleEndedIterator for Words<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
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
            let word = unmarked(word.get(length..).unwrap_or(""));
            if !word.is_empty() {
                return Some(word);
            }
        }
        None
    }
}

/// Cuts the marks around a word; most have none.
fn unmarked(word: &str) -> &str {
    match word.as_bytes() {
        [first, .., last] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => word,
        _ => word.trim_matches(['`', '\'', '.', '!']),
    }
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
    use super::{is_break, unmarked, words};

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
            let mut found: Vec<&str> = text.split(is_break).map(unmarked).collect();
            found.retain(|word| !word.is_empty());
            assert_eq!(words(text).collect::<Vec<_>>(), found, "{text}");
            found.reverse();
            assert_eq!(words(text).rev().collect::<Vec<_>>(), found, "{text}");
        }
    }
}
