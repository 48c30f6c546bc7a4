//! Text in, its sentences as words out; a sentence may reach over line breaks, never over a list item, a tag or a blank line.

use crate::source::{ByteSet, near_places};
use std::ops::Range;

/// The most bytes a sentence reaches to either side of the place it is looked up at.
const REACH: usize = 300;

/// How many bytes a word takes up at least, as a rule.
const LETTERS_A_WORD: usize = 5;

/// What stands between a word and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    /// Nothing but white space.
    None,
    /// A comma.
    Comma,
    /// A colon, a dash, a bracket.
    Clause,
}

/// One word of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    /// The word as written, without marks around it.
    pub(super) text: &'a str,
    /// Where it starts in the whole text.
    pub(super) start: usize,
    /// Where it ends in the whole text.
    pub(super) end: usize,
    /// What follows it.
    pub(super) after: Break,
}

impl Word<'_> {
    /// Says whether the word is this one, whatever its case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.text.eq_ignore_ascii_case(word)
    }

    /// Says whether the word is one of these, whatever its case.
    pub(super) fn is_in(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// Returns where the sentence around `at` stands; it starts at `from` or later.
pub(super) fn around(text: &str, from: usize, at: usize) -> Range<usize> {
    let floor = from.max(at.saturating_sub(REACH));
    let start = last_end(text, floor..at).map_or(floor, |place| place + 1);
    let ceiling = text.len().min(at + REACH);
    let end = first_end(text, at..ceiling).unwrap_or(ceiling);
    boundary(text, start)..boundary(text, end)
}

/// Says whether a sentence surely ends within a range: at the end of a line.
pub(super) fn is_parted(text: &str, range: Range<usize>) -> bool {
    let mut breaks = near_places(b'\n', &text.as_bytes()[range.clone()]);
    breaks.any(|found| is_structural(text, range.start + found + 1))
}

/// Says whether a sentence ends at a place.
#[inline]
pub(super) fn ends_at(text: &str, at: usize) -> bool {
    let byte = text.as_bytes()[at];
    ENDINGS.has(byte) && ends_with(byte, text, at)
}

/// Finds the first place in a range at which a sentence ends.
fn first_end(text: &str, mut range: Range<usize>) -> Option<usize> {
    range.find(|at| ends_at(text, *at))
}

/// Finds the last one.
fn last_end(text: &str, range: Range<usize>) -> Option<usize> {
    range.rev().find(|at| ends_at(text, *at))
}

/// Returns where the paragraph that `at` stands in ends, or a place not far behind it.
pub(super) fn paragraph_end(text: &str, at: usize) -> usize {
    let ceiling = text.len().min(at + REACH);
    let rest = text.as_bytes().get(at..ceiling).unwrap_or(&[]);
    let mut breaks = near_places(b'\n', rest).map(|found| at + found);
    let end = breaks.find(|place| is_structural(text, *place + 1));
    boundary(text, end.unwrap_or(ceiling))
}

/// Splits a sentence into words.
pub(super) fn words<'a>(text: &'a str, range: Range<usize>) -> Vec<Word<'a>> {
    let Some(sentence) = text.get(range.clone()) else {
        return Vec::new();
    };
    let mut found: Vec<Word<'a>> = Vec::with_capacity(sentence.len() / LETTERS_A_WORD + 1);
    let (mut start, mut at) = (None, 0);
    while let Some(byte) = sentence.as_bytes().get(at) {
        // Nearly all letters are one byte.
        let letter = match byte.is_ascii() {
            true => char::from(*byte),
            false => sentence[at..].chars().next().unwrap_or(' '),
        };
        if is_word_letter(letter) {
            start.get_or_insert(at);
        } else {
            if let Some(from) = start.take() {
                push(&mut found, sentence, from..at, range.start);
            }
            let gap = match letter {
                ',' => Break::Comma,
                ':' | ';' | '(' | ')' | '[' | ']' | '—' | '|' => Break::Clause,
                _ => Break::None,
            };
            if let Some(last) = found.last_mut().filter(|_| gap != Break::None) {
                last.after = last.after.max(gap);
            }
        }
        at += letter.len_utf8();
    }
    if let Some(from) = start {
        push(&mut found, sentence, from..sentence.len(), range.start);
    }
    found
}

/// Keeps a word; a lone dash is a break.
fn push<'a>(found: &mut Vec<Word<'a>>, sentence: &'a str, range: Range<usize>, base: usize) {
    let written = sentence.get(range.clone()).unwrap_or("");
    let (lead, text) = match written.as_bytes() {
        // Most words have no marks around them.
        [first, .., last] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => (0, written),
        _ => {
            let rest = written.trim_start_matches(['-', '–', '\'', '’', '.']);
            let text = rest.trim_end_matches(['-', '–', '\'', '’', '.']);
            (written.len() - rest.len(), text)
        }
    };
    if text.is_empty() {
        if let Some(last) = found.last_mut() {
            last.after = Break::Clause;
        }
        return;
    }
    let start = base + range.start + lead;
    found.push(Word {
        text,
        start,
        end: start + text.len(),
        after: Break::None,
    });
}

#[inline]
fn is_word_letter(letter: char) -> bool {
    match u8::try_from(letter) {
        Ok(byte) if byte.is_ascii() => WORD_BYTES.has(byte),
        Ok(_) | Err(_) => letter.is_alphanumeric() || matches!(letter, '–' | '’' | '≥'),
    }
}

/// The letters of words that are one byte.
static WORD_BYTES: ByteSet = ByteSet::of(b"-'_{}+%.").and_alphanumeric();

/// The bytes that a sentence may end at; most of a text is none of them.
static ENDINGS: ByteSet = ByteSet::of(b";.!?><\n");

/// Says whether a sentence ends at a place where `byte` stands.
fn ends_with(byte: u8, text: &str, at: usize) -> bool {
    let next = || text.as_bytes().get(at + 1).copied().unwrap_or(b'\n');
    match byte {
        b';' => true,
        b'.' | b'!' | b'?' => next().is_ascii_whitespace() || matches!(next(), b'"' | b'*' | b'<'),
        b'>' => next() != b'=',
        b'<' => next().is_ascii_alphabetic() || matches!(next(), b'/' | b'!'),
        b'\n' => is_structural(text, at + 1),
        _ => false,
    }
}

/// Says whether a new block starts at the beginning of a line.
fn is_structural(text: &str, line: usize) -> bool {
    let rest = text.get(line..).unwrap_or("").trim_start_matches([' ', '\t', '\r']);
    let Some(first) = rest.bytes().next() else {
        return true;
    };
    let after = rest.as_bytes().get(1).copied().unwrap_or(b'\n');
    match first {
        b'\n' | b'#' | b'>' | b'|' | b'`' | b'<' => true,
        b'-' | b'*' | b'+' => after.is_ascii_whitespace() || after == first,
        digit if digit.is_ascii_digit() => {
            let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
            rest.starts_with(". ") || rest.starts_with(") ")
        }
        _ => false,
    }
}

/// Returns the place, or the nearest before it that lies between two characters.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
