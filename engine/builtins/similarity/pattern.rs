//! The characters of a text in, a bit for each place of each character out.

use crate::source::QuickMap;

/// How many places one word has bits for.
pub(super) const WORD: usize = 64;

/// A character of the other text that stands nowhere in this one.
const NOWHERE: u32 = u32::MAX;

/// Where each character of a text stands.
///
/// A character that is frequent has a word for each 64 places of the text. One that is rare has only the list of its
/// places, so that a text of many different characters does not need a word for each of them at each place.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The length of the text, in characters.
    pub(super) length: usize,
    numbers: Numbers,
    places: Vec<u32>,
    /// Where the places of a character begin; one more at the end.
    starts: Vec<u32>,
    /// Which words belong to a character, where it has some.
    dense: Vec<Option<u32>>,
    words: Vec<u64>,
}

/// Numbers for the characters of a text, in the order they appear.
#[derive(Debug)]
struct Numbers {
    plain: [u32; 128],
    others: QuickMap<char, u32>,
    count: u32,
}

/// What one character of the other text meets.
#[derive(Debug, Clone, Copy)]
pub(super) enum Row<'a> {
    /// A bit for each place.
    Bits(&'a [u64]),
    /// The places, in order.
    Places(&'a [u32]),
}

impl Pattern {
    /// Reads a text.
    pub(super) fn of(text: &[char]) -> Self {
        let mut numbers = Numbers::new();
        let numbered: Vec<u32> = text.iter().map(|character| numbers.add(*character)).collect();
        let kinds = numbers.count as usize;
        let mut starts = vec![0; kinds + 1];
        for number in &numbered {
            starts[*number as usize + 1] += 1;
        }
        for kind in 0..kinds {
            starts[kind + 1] += starts[kind];
        }
        let mut next = starts.clone();
        let mut places = vec![0; text.len()];
        for (place, number) in (0..).zip(&numbered) {
            let at = &mut next[*number as usize];
            places[*at as usize] = place;
            *at += 1;
        }
        let mut pattern = Self {
            length: text.len(),
            numbers,
            places,
            starts,
            dense: vec![None; kinds],
            words: Vec::new(),
        };
        pattern.spread();
        pattern
    }

    /// Returns how many words one row of bits has.
    pub(super) fn blocks(&self) -> usize {
        self.length.div_ceil(WORD)
    }

    /// Gives each frequent character its words.
    fn spread(&mut self) {
        let blocks = self.blocks();
        for kind in 0..self.dense.len() {
            let places = self.starts[kind] as usize..self.starts[kind + 1] as usize;
            if places.len() * 4 < blocks {
                continue;
            }
            let from = self.words.len();
            self.dense[kind] = Some((from / blocks) as u32);
            self.words.resize(from + blocks, 0);
            for place in &self.places[places] {
                self.words[from + *place as usize / WORD] |= 1 << (*place as usize % WORD);
            }
        }
    }

    /// Numbers the characters of another text.
    pub(super) fn rows(&self, other: &[char]) -> Vec<u32> {
        other.iter().map(|character| self.numbers.get(*character)).collect()
    }

    /// Returns what a numbered character of the other text meets; nothing where it stands nowhere in this one.
    pub(super) fn row(&self, number: u32) -> Option<Row<'_>> {
        let dense = self.dense.get(number as usize)?;
        Some(match dense {
            Some(at) => {
                let blocks = self.blocks();
                Row::Bits(&self.words[*at as usize * blocks..][..blocks])
            }
            None => Row::Places(self.places_of(number)),
        })
    }

    /// Returns how many characters both texts have at most, whatever their order.
    pub(super) fn most_common(&self, rows: &[u32]) -> usize {
        let mut counts = vec![0; self.dense.len()];
        for number in rows.iter().filter(|number| **number != NOWHERE) {
            counts[*number as usize] += 1;
        }
        let both = (0..).zip(counts);
        both.map(|(number, count)| self.places_of(number).len().min(count))
            .sum()
    }

    fn places_of(&self, number: u32) -> &[u32] {
        let kind = number as usize;
        &self.places[self.starts[kind] as usize..self.starts[kind + 1] as usize]
    }
}

impl Numbers {
    fn new() -> Self {
        Self {
            plain: [NOWHERE; 128],
            others: QuickMap::default(),
            count: 0,
        }
    }

    fn add(&mut self, character: char) -> u32 {
        let known = self.plain.get_mut(character as usize);
        let number = known.unwrap_or_else(|| self.others.entry(character).or_insert(NOWHERE));
        if *number == NOWHERE {
            *number = self.count;
            self.count += 1;
        }
        *number
    }

    fn get(&self, character: char) -> u32 {
        let known = self.plain.get(character as usize);
        known
            .or_else(|| self.others.get(&character))
            .copied()
            .unwrap_or(NOWHERE)
    }
}
