//! Text in, the same text with one space for every white space out, and where each part of it stood.

use memchr::memmem;
use std::ops::Range;

/// The most places of one quote that are looked at.
const MOST_PLACES: usize = 100;
/// How far the parts of a quote with a gap may be apart, in bytes.
const LONGEST_GAP: usize = 2000;

/// A text with single spaces.
#[derive(Debug)]
pub(super) struct Squeezed {
    text: String,
    /// Where each byte stood.
    stood: Vec<u32>,
    end: usize,
    grams: Grams,
}

/// Which runs of a few bytes occur in a text: words that were never written are found out without reading it again.
#[derive(Debug)]
struct Grams(Vec<u64>);

impl Grams {
    const LENGTH: usize = 6;

    fn new(text: &str) -> Self {
        let mut grams = Self(vec![0; (text.len() / 4).next_power_of_two()]);
        for gram in text.as_bytes().windows(Self::LENGTH) {
            let (word, bit) = grams.place(gram);
            grams.0[word] |= bit;
        }
        grams
    }

    fn place(&self, gram: &[u8]) -> (usize, u64) {
        let hash = gram.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // There are as many words as a power of two.
        let word = (hash >> 6) as usize & (self.0.len() - 1);
        (word, 1 << (hash & 63))
    }

    /// Says whether words may occur; what it denies is not there.
    fn may_have(&self, words: &str) -> bool {
        let has = |gram| {
            let (word, bit) = self.place(gram);
            self.0.get(word).is_some_and(|known| known & bit != 0)
        };
        words.as_bytes().windows(Self::LENGTH).all(has)
    }
}

/// Returns a text with single spaces and plain quotation marks.
pub(crate) fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for character in text.chars() {
        squeezed.extend(plain(character, &squeezed));
    }
    squeezed.trim().to_owned()
}

/// Returns what a character becomes after what was squeezed so far; nothing for white space after white space.
fn plain(character: char, before: &str) -> Option<char> {
    match character {
        _ if character.is_whitespace() => (!before.ends_with(' ')).then_some(' '),
        '“' | '”' | '„' => Some('"'),
        '‘' | '’' => Some('\''),
        _ => Some(character),
    }
}

impl Squeezed {
    pub(super) fn new(text: &str) -> Self {
        let mut squeezed = String::with_capacity(text.len());
        let mut stood = Vec::with_capacity(text.len());
        for (at, character) in text.char_indices() {
            let Some(plain) = plain(character, &squeezed) else {
                continue;
            };
            squeezed.push(plain);
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            stood.extend(std::iter::repeat_n(at, plain.len_utf8()));
        }
        Self {
            grams: Grams::new(&squeezed),
            text: squeezed,
            stood,
            end: text.len(),
        }
    }

    /// Returns where words stand in the text they came from.
    pub(super) fn places(&self, words: &str) -> Vec<Range<usize>> {
        let words = squeezed(words);
        let found = self.exactly(&words);
        if !found.is_empty() {
            return found;
        }
        let bare = words.trim_matches(['"', '\'', '`', ' ']);
        let bare = bare.trim_start_matches(['.', '…']).trim_start();
        let bare = bare
            .strip_suffix("...")
            .or(bare.strip_suffix('…'))
            .unwrap_or(bare)
            .trim_end();
        if bare.len() < words.len() {
            let found = self.exactly(bare);
            if !found.is_empty() {
                return found;
            }
        }
        self.with_gap(&bare.replace('…', "...")).into_iter().collect()
    }

    fn exactly(&self, words: &str) -> Vec<Range<usize>> {
        if !words.contains(char::is_alphanumeric) || !self.grams.may_have(words) {
            return Vec::new();
        }
        let found = memmem::find_iter(self.text.as_bytes(), words.as_bytes());
        found
            .take(MOST_PLACES)
            .map(|at| self.range(at, at + words.len()))
            .collect()
    }

    /// Finds words of which the middle was left out.
    fn with_gap(&self, words: &str) -> Option<Range<usize>> {
        let (first, last) = words.split_once("...")?;
        let (first, last) = (first.trim(), last.trim());
        if first.len() < 8 || last.len() < 8 || last.contains("...") {
            return None;
        }
        let start = memmem::find(self.text.as_bytes(), first.as_bytes())?;
        let after = start + first.len();
        let near = self
            .text
            .as_bytes()
            .get(after..self.text.len().min(after + LONGEST_GAP))?;
        let end = after + memmem::find(near, last.as_bytes())? + last.len();
        Some(self.range(start, end))
    }

    fn range(&self, start: usize, end: usize) -> Range<usize> {
        let stood = |at: usize| self.stood.get(at).map_or(self.end, |stood| *stood as usize);
        stood(start)..stood(end)
    }
}

#[cfg(test)]
mod tests {
    use super::Squeezed;

    fn found<'t>(text: &'t str, words: &str) -> Vec<&'t str> {
        let places = Squeezed::new(text).places(words);
        places.into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn words_are_found_whatever_the_white_space() {
        let text = "A failed\n  call is\tretried. Then it ends.";
        assert_eq!(
            found(text, "failed call   is retried."),
            ["failed\n  call is\tretried."]
        );
        assert!(found(text, "failed calls").is_empty());
    }

    #[test]
    fn quotation_marks_and_dots_around_a_quote_are_not_part_of_it() {
        let text = "It says “always” here.";
        assert_eq!(found(text, "\"It says \"always\"...\""), ["It says “always”"]);
    }

    #[test]
    fn a_quote_with_its_middle_left_out_is_found() {
        let text = "The importer reads every row and then, where it can, writes a report of all faults.";
        assert_eq!(found(text, "The importer reads … report of all faults."), [text]);
        assert!(found(text, "The importer reads … report of no faults.").is_empty());
    }

    #[test]
    fn words_that_are_there_are_never_denied() {
        let text: String = (0..500).map(|at| format!("word{} ", at * at)).collect();
        let squeezed = Squeezed::new(&text);
        for at in (0..text.len() - 40).step_by(7) {
            let words = &text[at..at + 33];
            assert!(!squeezed.places(words).is_empty(), "{words}");
        }
        assert!(Squeezed::new("").places("word").is_empty());
    }

    #[test]
    fn every_place_is_found_and_marks_alone_are_no_words() {
        assert_eq!(found("a b a b", "a b").len(), 2);
        assert!(found("- - -", "- -").is_empty());
        assert!(found("äöü", "").is_empty());
    }
}
