//! Lists that a word is looked up in, in any case.

/// Words in lower case, with what tells most other words from them: their lengths and second letters, by the first.
#[derive(Debug)]
pub(crate) struct WordList {
    words: &'static [&'static str],
    /// One bit for each length, by the key of the first byte.
    lengths: [u32; KEYS],
    /// One bit for each second letter, some under one bit, by the key of the first byte.
    seconds: [u32; KEYS],
    /// One more than the place of the last word whose first byte has a key; nothing is zero.
    lasts: [u8; KEYS],
    /// The same for the word before it with the same key, by the place of a word.
    befores: [u8; LONGEST_LIST],
}

/// How many keys there are. Few, so that many lists stay at hand together.
const KEYS: usize = 32;

/// Returns the key of a byte: a letter has the same in either case.
const fn key(byte: u8) -> usize {
    byte as usize % KEYS
}

/// The most words a list has.
const LONGEST_LIST: usize = 64;

impl WordList {
    /// Makes a list; no word is empty or longer than 31 bytes, and there are no more than 64.
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        let mut lengths = [0; KEYS];
        let mut seconds = [0; KEYS];
        let mut lasts = [0; KEYS];
        let mut befores = [0; LONGEST_LIST];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(word.len() < 32, "the word is too long for its bit");
            let second = 1 << (if word.len() > 1 { word[1] % 32 } else { 0 });
            let first = key(word[0]);
            lengths[first] |= 1 << word.len();
            seconds[first] |= second;
            befores[at] = lasts[first];
            lasts[first] = at as u8 + 1;
            at += 1;
        }
        Self {
            words,
            lengths,
            seconds,
            lasts,
            befores,
        }
    }

    /// Says whether a word may be in the list; what is not told here is not in it.
    #[inline]
    pub(crate) fn may_have(&self, word: &[u8]) -> bool {
        let Some(first) = word.first().map(|first| key(*first)) else {
            return false;
        };
        let second = word.get(1).map_or(0, |second| second % 32);
        word.len() < 32 && self.lengths[first] >> word.len() & self.seconds[first] >> second & 1 == 1
    }

    /// Says whether a text may begin with a word of the list.
    #[inline]
    pub(crate) fn may_begin(&self, text: &[u8]) -> bool {
        let second = text.get(1).map_or(0, |second| second % 32);
        text.first()
            .is_some_and(|first| self.seconds[key(*first)] >> second & 1 == 1)
    }

    /// Says whether a word is in the list, in any case.
    #[inline]
    pub(crate) fn has(&self, word: &str) -> bool {
        self.has_bytes(word.as_bytes())
    }

    /// Says the same of the bytes of a word.
    #[inline]
    pub(crate) fn has_bytes(&self, word: &[u8]) -> bool {
        self.may_have(word) && self.find(word)
    }

    /// Says whether a word is in the list exactly as it is written there.
    #[inline]
    pub(crate) fn has_as_written(&self, word: &str) -> bool {
        self.may_have(word.as_bytes()) && self.words.contains(&word)
    }

    /// Looks a word up that is not empty among those whose first byte has its key.
    fn find(&self, word: &[u8]) -> bool {
        let mut next = self.lasts[key(word[0])];
        while let Some(at) = usize::from(next).checked_sub(1) {
            let own = self.words[at].as_bytes();
            let is_same = |(own, byte): (&u8, &u8)| own == byte || (own.is_ascii_lowercase() && *byte | 0x20 == *own);
            if own.len() == word.len() && own.iter().zip(word).all(is_same) {
                return true;
            }
            next = self.befores[at];
        }
        false
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
            "", "g", "GO", "Goto", "got", "HALT", "halts", "DON’T", "don't", "état", "N", "x", "'o", "\u{7}o", "(alt",
            ".",
        ];
        let long = "g".repeat(40);
        for word in others.iter().chain(WORDS).copied().chain([long.as_str()]) {
            let known = WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
            assert_eq!(LIST.has(word), known, "{word}");
            assert_eq!(LIST.has_as_written(word), WORDS.contains(&word), "{word}");
            assert!(LIST.may_begin(word.as_bytes()) || !known, "{word}");
        }
    }
}
