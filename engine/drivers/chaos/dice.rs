//! A seed in, numbers out: the same seed gives the same numbers on every machine.

use crate::machine::sha256;

/// A source of numbers.
#[derive(Debug, Clone)]
pub(super) struct Dice {
    state: u64,
}

impl Dice {
    /// Makes the dice of one turn.
    pub(super) fn of(seed: u64, digest: &str, n: u32) -> Self {
        let mixed = sha256(format!("{seed}\n{digest}\n{n}").as_bytes());
        Self {
            state: u64::from_str_radix(&mixed[..16], 16).unwrap_or(seed),
        }
    }

    /// Returns the next number (splitmix64).
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`; a bound of nothing gives zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// Says yes so many times in a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Picks one of several; the list is never empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len());
        &items[at]
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_numbers_depend_on_seed_turn_and_occurrence_only() {
        let first = |seed, digest, n| Dice::of(seed, digest, n).next();
        assert_eq!(first(1, "a", 0), first(1, "a", 0));
        let others = [first(2, "a", 0), first(1, "b", 0), first(1, "a", 1)];
        assert!(!others.contains(&first(1, "a", 0)), "{others:?}");
    }

    #[test]
    fn every_side_comes_up() {
        let mut dice = Dice::of(7, "x", 0);
        let mut seen = [0u32; 6];
        for _ in 0..600 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|count| (60..140).contains(count)), "{seen:?}");
    }
}
