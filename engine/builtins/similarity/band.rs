//! Two texts and a target in, the length of their longest common subsequence out, where it reaches the target.
//!
//! The table of all pairs of beginnings is walked row by row, 64 columns a word: a bit that is 0 says that the longest
//! common subsequence grows in that column. Only words from which the target can still be reached are computed. What
//! is dropped on the left keeps its value and what is dropped on the right loses it; both say less than the truth about
//! paths that cannot reach the target, and the truth about all others.

use super::pattern::{Pattern, Row, WORD};

/// How many rows are computed before the band is looked at again; not less than the bits of a word, see `narrow`.
const STRIDE: usize = 64;

/// How many rows are computed in one pass over the words: they do not wait for each other.
const TOGETHER: usize = 4;

/// Returns the length of the longest common subsequence, where it is `target` or more.
pub(super) fn longest(pattern: &Pattern, rows: &[u32], target: usize) -> Option<usize> {
    let mut band = Band::new(pattern, rows.len(), target);
    let mut passed = 0;
    for stride in rows.chunks(STRIDE) {
        band.narrow(passed)?;
        band.advance(stride);
        passed += stride.len();
    }
    let found = band.grown();
    (found >= target).then_some(found)
}

struct Band<'a> {
    pattern: &'a Pattern,
    /// One bit for each column.
    state: Vec<u64>,
    /// The words that are computed.
    first: usize,
    end: usize,
    /// What the words before the first one add up to.
    before: usize,
    rows: usize,
    target: usize,
    /// Bits for rare characters; empty between two passes.
    spare: [Vec<u64>; TOGETHER],
}

impl<'a> Band<'a> {
    fn new(pattern: &'a Pattern, rows: usize, target: usize) -> Self {
        let blocks = pattern.blocks();
        Self {
            pattern,
            state: vec![u64::MAX; blocks],
            first: 0,
            end: 0,
            before: 0,
            rows,
            target,
            spare: [const { Vec::new() }; TOGETHER],
        }
    }

    /// Leaves out the words from which the target cannot be reached any more, and takes in those from which it can be
    /// within the next rows. Answers nothing where none is left.
    ///
    /// A path through a word adds at most its 64 bits to what stands left of it, and a path that enters it within the
    /// next rows comes with at most one more for each of them: one bound for both.
    fn narrow(&mut self, passed: usize) -> Option<()> {
        let left_rows = self.rows - passed;
        let length = self.pattern.length;
        let (target, mut level) = (self.target, self.before);
        let reaches =
            |level: usize, block: usize| level + STRIDE.max(WORD) + left_rows.min(length - block * WORD) >= target;
        while self.first < self.end && !reaches(level, self.first) {
            level += zeros(self.state[self.first]);
            self.first += 1;
        }
        self.before = level;
        let mut end = self.first;
        for block in self.first..self.end {
            if reaches(level, block) {
                end = block + 1;
            }
            level += zeros(self.state[block]);
        }
        self.state[end..self.end].fill(u64::MAX);
        while end < self.state.len() && reaches(level, end) {
            end += 1;
        }
        self.end = end;
        (self.first < end).then_some(())
    }

    /// Computes some rows.
    fn advance(&mut self, rows: &[u32]) {
        let pattern = self.pattern;
        let mut rows = rows.iter().filter_map(|number| pattern.row(*number));
        loop {
            let mut met: [Option<Row<'_>>; TOGETHER] = [None; TOGETHER];
            let mut count = 0;
            for slot in &mut met {
                *slot = rows.next();
                count += usize::from(slot.is_some());
            }
            match met {
                [Some(a), Some(b), Some(c), Some(d)] => self.pass([a, b, c, d]),
                _ => met.into_iter().flatten().for_each(|row| self.pass([row])),
            }
            if count < TOGETHER {
                return;
            }
        }
    }

    /// Computes a few rows in one pass.
    fn pass<const ROWS: usize>(&mut self, met: [Row<'_>; ROWS]) {
        let (first, end) = (self.first, self.end);
        for (spare, row) in self.spare.iter_mut().zip(met) {
            if let Row::Places(places) = row {
                spare.resize(self.state.len(), 0);
                inside(places, first, end).for_each(|(block, bit)| spare[block] |= bit);
            }
        }
        let spare = &self.spare;
        let bits = std::array::from_fn(|at| match met[at] {
            Row::Bits(bits) => &bits[first..end],
            Row::Places(_) => &spare[at][first..end],
        });
        step::<ROWS>(&mut self.state[first..end], bits);
        for (spare, row) in self.spare.iter_mut().zip(met) {
            if let Row::Places(places) = row {
                inside(places, first, end).for_each(|(block, _)| spare[block] = 0);
            }
        }
    }

    /// Returns the length that was reached.
    fn grown(&self) -> usize {
        let inside: usize = self.state[self.first..self.end].iter().map(|word| zeros(*word)).sum();
        self.before + inside
    }
}

/// Computes rows over some words, lowest columns first.
fn step<const ROWS: usize>(state: &mut [u64], rows: [&[u64]; ROWS]) {
    let rows = rows.map(|row| &row[..state.len()]);
    let mut carries = [false; ROWS];
    for (at, word) in state.iter_mut().enumerate() {
        let mut bits = *word;
        for (row, carry) in rows.iter().zip(&mut carries) {
            let met = bits & row[at];
            let (sum, over) = bits.carrying_add(met, *carry);
            bits = sum | (bits ^ met);
            *carry = over;
        }
        *word = bits;
    }
}

/// Returns the words and bits of the places that are in a range of words.
fn inside(places: &[u32], first: usize, end: usize) -> impl Iterator<Item = (usize, u64)> {
    let from = places.partition_point(|place| (*place as usize) < first * WORD);
    let places = places[from..].iter().map(|place| *place as usize);
    places
        .take_while(move |place| *place < end * WORD)
        .map(|place| (place / WORD, 1 << (place % WORD)))
}

fn zeros(word: u64) -> usize {
    word.count_zeros() as usize
}
