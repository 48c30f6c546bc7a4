//! Text in, its words out, from either end.

use crate::source::ByteSet;

/// What is left of a text whose words are told from either end.
pub(super) enum Words<'a> {
    /// Every byte is a character of its own, as nearly always.
    Plain(&'a [u8]),
    /// Some characters are longer.
    Wide(&'a str),
}

/// Splits a text into words, without the marks around them.
pub(super) fn words(text: &str) -> Words<'_> {
    if text.is_ascii() {
        Words::Plain(text.as_bytes())
    } else {
        Words::Wide(text)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let word = match self {
                Words::Plain(rest) => {
                    let all = *rest;
                    let start = &all[all.iter().position(|at| !BREAKS.has(*at))?..];
                    let end = start.iter().position(|at| BREAKS.has(*at));
                    let (word, after) = start.split_at(end.unwrap_or(start.len()));
                    *rest = after;
                    word
                }
                Words::Wide(rest) => {
                    let all = *rest;
                    let start = all.trim_start_matches(is_break);
                    let (word, after) = start.split_at(start.find(is_break).unwrap_or(start.len()));
                    *rest = after;
                    Some(word.as_bytes()).filter(|word| !word.is_empty())?
                }
            };
            let word = unmarked(word);
            if !word.is_empty() {
                return Some(word);
            }
        }
    }
}

impl<'a> DoubleEndedIterator for Words<'a> {
    fn next_back(&mut self) -> Option<&'a [u8]> {
        loop {
            let word = match self {
                Words::Plain(rest) => {
                    let all = *rest;
                    let end = &all[..=all.iter().rposition(|at| !BREAKS.has(*at))?];
                    let before = end.iter().rposition(|at| BREAKS.has(*at));
                    let (left, word) = end.split_at(before.map_or(0, |at| at + 1));
                    *rest = left;
                    word
                }
                Words::Wide(rest) => {
                    let all = *rest;
                    let end = all.trim_end_matches(is_break);
                    let (left, word) = end.split_at(end.trim_end_matches(|at| !is_break(at)).len());
                    *rest = left;
                    Some(word.as_bytes()).filter(|word| !word.is_empty())?
                }
            };
            let word = unmarked(word);
            if !word.is_empty() {
                return Some(word);
            }
        }
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
