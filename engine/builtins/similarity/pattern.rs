//! The characters of a text in, a bit for each place of each character out.

use crate::source::QuickMap;

/// How many places one word has bits for.
const WORD: usize = 64;

/// How many words are computed at once.
const WORDS: usize = 4;

/// How many places one block has bits for.
pub(super) const BLOCK: usize = WORD * WORDS;

/// A bit for each of some places, lowest first.
pub(super) type Bits = [u64; WORDS];

/// A character of the other text that stands nowhere in this one.
const NOWHERE: u32 = u32::MAX;

/// Where each character of a text stands.
///
/// A character that is frequent has a bit for each place of the text. One that is rare has only the list of its places,
/// so that a text of many different characters does not need a bit for each of them at each place.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The length of the text, in characters.
    pub(super) length: usize,
    numbers: Numbers,
    places: Vec<u32>,
    /// Where the places of a character begin; one more at the end.
    starts: Vec<u32>,
    /// Which rows of blocks belong to a character, where it has some.
    dense: Vec<Option<u32>>,
    blocks: Vec<Bits>,
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
    Bits(&'a [Bits]),
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
            blocks: Vec::new(),
        };
        pattern.spread();
        pattern
    }

    /// Returns how many blocks one row has.
    pub(super) fn width(&self) -> usize {
        self.length.div_ceil(BLOCK)
    }

    /// Gives each frequent character its bits.
    fn spread(&mut self) {
        let width = self.width();
        for kind in 0..self.dense.len() {
            let places = self.starts[kind] as usize..self.starts[kind + 1] as usize;
            if places.len() < width {
                continue;
            }
            let from = self.blocks.len();
            self.dense[kind] = Some((from / width) as u32);
            self.blocks.resize(from + width, Bits::default());
            for place in &self.places[places] {
                mark(&mut self.blocks[from..], *place as usize);
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
                let width = self.width();
                Row::Bits(&self.blocks[*at as usize * width..][..width])
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

/// Sets the bit of a place.
pub(super) fn mark(row: &mut [Bits], place: usize) {
    row[place / BLOCK][place % BLOCK / WORD] |= 1 << (place % WORD);
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
