//! Keys in, places in a table out: the maps of what one project holds, which are asked often and by nobody else.
//!
//! The hash of the standard library withstands keys that somebody chose to collide, and pays for it with every question.
//! Whoever writes the files of a project waits for its own check only, so here a few multiplications are enough.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a quick hash.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// A set with a quick hash.
pub type QuickSet<T> = HashSet<T, BuildHasherDefault<QuickHasher>>;

/// Mixes bytes into one number, eight at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct QuickHasher(u64);

/// An odd number with no pattern in its bits.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl QuickHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word).wrapping_mul(u128::from(FACTOR));
        // Both halves count: the low one alone would never bring the high bits of a word down.
        self.0 = (product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(32);
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let last = match bytes.last_chunk() {
                // The rest, first byte highest, and before it what was mixed already.
                Some(eight) => u64::from_be_bytes(*eight) & ((1 << (rest.len() * 8)) - 1),
                None => rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte)),
            };
            self.mix(last ^ (rest.len() as u64) << 56);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(FACTOR).rotate_left(20)
    }
}

#[cfg(test)]
mod tests {
    use super::QuickHasher;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, BuildHasherDefault};

    #[test]
    fn names_that_differ_little_fall_on_different_places() {
        let build = BuildHasherDefault::<QuickHasher>::default();
        let names = (0..4096).map(|at| format!("src/steps/step-{at}.md"));
        let hashes: Vec<u64> = names.map(|name| build.hash_one(name)).collect();
        // A table looks at the low bits first, and at the high ones to tell neighbours apart.
        let low: HashSet<u64> = hashes.iter().map(|hash| hash % 8192).collect();
        let high: HashSet<u64> = hashes.iter().map(|hash| hash >> 51).collect();
        assert!(low.len() > 3000 && high.len() > 3000, "{} {}", low.len(), high.len());
    }

    #[test]
    fn a_text_and_its_beginning_are_told_apart() {
        let build = BuildHasherDefault::<QuickHasher>::default();
        let text = "a\0\0\0\0\0\0\0\0\0";
        let hashes: HashSet<u64> = (1..text.len()).map(|end| build.hash_one(&text[..end])).collect();
        assert_eq!(hashes.len(), text.len() - 1);
    }
}
