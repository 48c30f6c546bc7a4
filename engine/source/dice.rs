//! A seed in, numbers that look random and are the same every time out: what tests make their texts with.

/// Gives one number after the other.
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Rolls a number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % sides
    }

    /// Picks one of some pieces.
    pub(crate) fn pick<'a>(&mut self, pieces: &[&'a str]) -> &'a str {
        pieces[self.roll(pieces.len())]
    }
}
