//! Lists that a word is looked up in, in any case.

/// Words in lower case, with the lengths of those that begin with each letter: most words are ruled out by these alone.
#[derive(Debug)]
pub(crate) struct WordList {
    words: &'static [&'static str],
    /// One bit for each length, by the first byte in either case.
    lengths: [u32; 256],
}

impl WordList {
    /// Makes a list; no word is empty or longer than 31 bytes.
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let mut lengths = [0; 256];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(word.len() < 32, "the word is too long for its bit");
            lengths[word[0].to_ascii_lowercase() as usize] |= 1 << word.len();
            lengths[word[0].to_ascii_uppercase() as usize] |= 1 << word.len();
            at += 1;
        }
        Self { words, lengths }
    }

    /// Says whether a word of this length that begins with this byte may be in the list.
    pub(crate) fn may_have(&self, first: u8, length: usize) -> bool {
        length < 32 && self.lengths[usize::from(first)] >> length & 1 == 1
    }

    /// Says whether a word is in the list, in any case.
    pub(crate) fn has(&self, word: &str) -> bool {
        let first = word.as_bytes().first().copied().unwrap_or(0);
        self.may_have(first, word.len()) && self.words.iter().any(|known| known.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::WordList;

    #[test]
    fn a_word_is_found_in_any_case_and_nothing_else_is() {
        const WORDS: &[&str] = &["go", "goto", "halt", "don’t", "état", "n"];
        const LIST: WordList = WordList::new(WORDS);
        let others = [
            "", "g", "GO", "Goto", "got", "HALT", "halts", "DON’T", "don't", "état", "N", "x",
        ];
        let long = "g".repeat(40);
        for word in others.iter().chain(WORDS).copied().chain([long.as_str()]) {
            let known = WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
            assert_eq!(LIST.has(word), known, "{word}");
        }
    }
}
