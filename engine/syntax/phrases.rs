//! Many phrases looked for at once: one pass over a text instead of one for each phrase. The only door to the search.

use aho_corasick::AhoCorasick;
use aho_corasick::packed::Searcher;
use std::sync::OnceLock;

/// Phrases in lower case to find in a text, in any case.
#[derive(Debug)]
pub(crate) struct Phrases {
    list: &'static [&'static str],
    machine: OnceLock<Option<AhoCorasick>>,
}

impl Phrases {
    /// Makes a set of phrases; the machine that finds them is made when it is first needed.
    pub(crate) const fn new(list: &'static [&'static str]) -> Self {
        Self {
            list,
            machine: OnceLock::new(),
        }
    }

    /// Says whether a text holds one of the phrases.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let build = || {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build(self.list)
                .ok()
        };
        match self.machine.get_or_init(build) {
            Some(machine) => machine.is_match(text),
            None => holds_any(text, self.list),
        }
    }
}

/// Looks for one phrase after the other.
fn holds_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let mut windows = text.as_bytes().windows(phrase.len());
        windows.any(|window| window.eq_ignore_ascii_case(phrase.as_bytes()))
    })
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

    /// Returns where pieces begin, in order; of those that overlap the first is enough.
    pub(crate) fn places(&self, text: &str) -> Vec<usize> {
        match self.machine.get_or_init(|| Searcher::new(self.list)) {
            Some(machine) => machine.find_iter(text).map(|found| found.start()).collect(),
            None => each(text, self.list),
        }
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
    use super::{Phrases, Pieces, each, holds_any};

    const WORDS: &[&str] = &["would you like", "ask:", "halt", "pick", "→ next"];

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
            let long = format!("{text} ").repeat(40);
            assert_eq!(PIECES.places(&long), each(&long, WORDS), "{text}");
        }
    }
}
