//! Many phrases looked for at once: one pass over a text instead of one for each phrase. The only door to the search.

use aho_corasick::packed::Searcher;
use std::sync::OnceLock;

/// Phrases in lower case to find in a text, in any case, with how far the search may go on behind two letters.
#[derive(Debug)]
pub(crate) struct Phrases {
    list: &'static [&'static str],
    /// How long the shortest is: of each phrase as much is looked for first.
    shortest: usize,
    /// How far behind two letters the next place is where as much of a phrase may end, by the letters: none where it may
    /// end with them.
    skips: [u8; 1024],
    /// Whether a phrase begins with two letters, by the letters.
    starts: [bool; 1024],
}

/// Returns the place of two letters among all pairs, some of them in one; the two cases of a letter are one.
#[inline(always)]
const fn pair(first: u8, second: u8) -> usize {
    ((first as usize % 32) << 5) | (second as usize % 32)
}

impl Phrases {
    /// Makes a set of phrases; none is shorter than two bytes.
    pub(crate) const fn new(list: &'static [&'static str]) -> Self {
        let mut shortest = u8::MAX as usize;
        let mut at = 0;
        while at < list.len() {
            shortest = if list[at].len() < shortest {
                list[at].len()
            } else {
                shortest
            };
            at += 1;
        }
        assert!(shortest > 1, "the phrase is too short to be told by two letters");
        let mut skips = [shortest as u8 - 1; 1024];
        let mut starts = [false; 1024];
        at = 0;
        while at < list.len() {
            let phrase = list[at].as_bytes();
            starts[pair(phrase[0], phrase[1])] = true;
            let mut end = 1;
            while end < shortest {
                let pair = pair(phrase[end - 1], phrase[end]);
                let skip = (shortest - 1 - end) as u8;
                skips[pair] = if skip < skips[pair] { skip } else { skips[pair] };
                end += 1;
            }
            at += 1;
        }
        Self {
            list,
            shortest,
            skips,
            starts,
        }
    }

    /// Says whether a text holds one of the phrases.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.any_in(text, |_| true)
    }

    /// Says whether a text holds one of the phrases where the text from it on is as wanted.
    #[inline]
    pub(crate) fn any_in(&self, text: &str, is_wanted: impl Fn(&[u8]) -> bool) -> bool {
        self.find(text.as_bytes(), 0, is_wanted).is_some()
    }

    /// Returns where the first phrase begins at or after a place.
    pub(crate) fn find_from(&self, bytes: &[u8], at: usize) -> Option<usize> {
        self.find(bytes, at, |_| true)
    }

    #[inline]
    fn find(&self, bytes: &[u8], at: usize, is_wanted: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let mut last = at + self.shortest - 1;
        while let Some(second) = bytes.get(last) {
            let skip = self.skips[pair(bytes[last - 1], *second)];
            if skip > 0 {
                last += usize::from(skip);
                continue;
            }
            let start = last + 1 - self.shortest;
            let from = &bytes[start..];
            if self.begins(from) && is_wanted(from) {
                return Some(start);
            }
            last += 1;
        }
        None
    }

    /// Says whether a text begins with one of the phrases.
    fn begins(&self, text: &[u8]) -> bool {
        let may_begin = matches!(text, [first, second, ..] if self.starts[pair(*first, *second)]);
        may_begin
            && self.list.iter().any(|phrase| {
                let start = text.get(..phrase.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(phrase.as_bytes()))
            })
    }
}

/// Pieces of text to find exactly as written, none of which is empty.
#[derive(Debug)]
pub(crate) struct Pieces {
    list: &'static [&'static str],
    machine: OnceLock<Option<Searcher>>,
}

impl Pieces {
    /// Makes a set of pieces; the machine that finds them is made when it is first needed.
    pub(crate) const fn new(list: &'static [&'static str]) -> Self {
        Self {
            list,
            machine: OnceLock::new(),
        }
    }

    /// Says whether a text holds one of the pieces.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        match self.machine.get_or_init(|| Searcher::new(self.list)) {
            Some(machine) => machine.find(text).is_some(),
            None => !each(text, self.list).is_empty(),
        }
    }

    /// Returns where pieces begin, in order; of those that overlap the first is enough.
    pub(crate) fn places(&self, text: &str) -> Vec<usize> {
        match self.machine.get_or_init(|| Searcher::new(self.list)) {
            Some(machine) => machine.find_iter(text).map(|found| found.start()).collect(),
            None => each(text, self.list),
        }
    }
}

/// Pieces of bytes that are known only when the program runs, found exactly as written: their first two bytes tell them
/// from most text, and what finds them is made at once.
#[derive(Debug)]
pub(crate) struct Needles {
    /// In order.
    list: Vec<Vec<u8>>,
    /// One bit for each second byte, by the first.
    seconds: Box<[[u64; 4]; 256]>,
    /// Where in the list those with a first byte begin; they end where those with the next one begin.
    starts: Vec<usize>,
}

impl Needles {
    /// Makes a set of needles; empty ones are left out.
    pub(crate) fn new(mut list: Vec<Vec<u8>>) -> Self {
        list.retain(|needle| !needle.is_empty());
        list.sort();
        let mut seconds = Box::new([[0; 4]; 256]);
        let mut starts = vec![0; 257];
        for needle in &list {
            let first = usize::from(needle[0]);
            match needle.get(1) {
                Some(second) => seconds[first][usize::from(second / 64)] |= 1 << (second % 64),
                None => seconds[first] = [u64::MAX; 4],
            }
            starts[first + 1] += 1;
        }
        for first in 1..starts.len() {
            starts[first] += starts[first - 1];
        }
        Self { list, seconds, starts }
    }

    /// Returns where the first needle begins at or after a place.
    pub(crate) fn find_from(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        let may_begin =
            |two: &[u8]| self.seconds[usize::from(two[0])][usize::from(two[1] / 64)] >> (two[1] % 64) & 1 == 1;
        let begins = |(from, two): &(usize, &[u8])| may_begin(two) && self.begins(&rest[*from..]);
        let found = rest.windows(2).enumerate().find(begins).map(|(from, _)| from);
        let last = rest.len().checked_sub(1);
        let found = found.or_else(|| last.filter(|last| self.begins(&rest[*last..])));
        found.map(|found| at + found)
    }

    /// Returns the needles that begin with a byte.
    pub(crate) fn beginning_with(&self, first: u8) -> &[Vec<u8>] {
        &self.list[self.starts[usize::from(first)]..self.starts[usize::from(first) + 1]]
    }

    fn begins(&self, bytes: &[u8]) -> bool {
        let Some(first) = bytes.first() else {
            return false;
        };
        // Several begin with one letter, and nearly all of them go on with another one each.
        let goes_on = |needle: &&Vec<u8>| needle.get(1).is_none_or(|second| bytes.get(1) == Some(second));
        let mut needles = self.beginning_with(*first).iter().filter(goes_on);
        needles.any(|needle| bytes.starts_with(needle))
    }
}

/// Looks for one piece after the other.
fn each(text: &str, pieces: &[&str]) -> Vec<usize> {
    let places = |piece: &&str| memchr::memmem::find_iter(text.as_bytes(), piece.as_bytes()).collect::<Vec<_>>();
    let mut found: Vec<usize> = pieces.iter().flat_map(places).collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::{Needles, Phrases, Pieces, each};

    const WORDS: &[&str] = &["would you like", "ask:", "halt", "pick", "→ next"];

    /// Looks for one phrase after the other.
    fn holds_any(text: &str, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| {
            let mut windows = text.as_bytes().windows(phrase.len());
            windows.any(|window| window.eq_ignore_ascii_case(phrase.as_bytes()))
        })
    }

    #[test]
    fn the_machine_finds_what_one_search_after_the_other_finds() {
        static PHRASES: Phrases = Phrases::new(WORDS);
        static PIECES: Pieces = Pieces::new(WORDS);
        for text in [
            "",
            "a",
            "HALT",
            "Would You Like tea",
            "would you lik",
            "ask",
            "Ask: pick one",
            "é halt é pick → next",
            "picpick",
            "a long line about nothing at all that goes on until it is well past any window, then pick",
        ] {
            assert_eq!(PHRASES.is_in(text), holds_any(text, WORDS), "{text}");
            assert_eq!(PIECES.places(text), each(text, WORDS), "{text}");
            assert_eq!(PIECES.are_in(text), !each(text, WORDS).is_empty(), "{text}");
            let long = format!("{text} ").repeat(40);
            assert_eq!(PIECES.places(&long), each(&long, WORDS), "{text}");
        }
    }
    #[test]
    fn phrases_are_found_where_they_begin() {
        static PHRASES: Phrases = Phrases::new(WORDS);
        let text = "é Pick HALT halt, ask: ASK? would you LIKE → next pic";
        let begins = |at: &usize| {
            let rest = &text.as_bytes()[*at..];
            let start = |word: &&str| {
                rest.get(..word.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
            };
            WORDS.iter().any(start)
        };
        for at in 0..=text.len() {
            let first = (at..text.len()).find(begins);
            assert_eq!(PHRASES.find_from(text.as_bytes(), at), first, "from {at}");
        }
    }

    #[test]
    fn needles_are_found_where_they_begin() {
        let many: Vec<String> = (0..200).map(|at| format!("needle-{at}-")).collect();
        let few = ["ghp_", "sk-", "-----BEGIN", "é", "\u{ff}x", "x"].map(str::to_owned);
        for list in [&few[..], &many[..], &[]] {
            let needles = Needles::new(list.iter().map(|needle| needle.as_bytes().to_vec()).collect());
            for text in [
                "",
                "s",
                "a sk-1 ghp_2",
                "SK-1 gHp_",
                "a needle-199- Needle-2-",
                "é sk",
                "ÿx sk-",
            ] {
                let text = text.as_bytes();
                let begins = |from: &usize| list.iter().any(|needle| text[*from..].starts_with(needle.as_bytes()));
                for at in 0..=text.len() {
                    let first = (at..text.len()).find(begins);
                    assert_eq!(needles.find_from(text, at), first, "{text:?} from {at}");
                }
            }
        }
    }
}
