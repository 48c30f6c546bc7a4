//! Two texts and a target in, the length of their longest common subsequence out, where it reaches the target.
//!
//! The table of all pairs of beginnings is walked row by row, a bit for each column: one that is 0 says that the longest
//! common subsequence grows there. Only blocks from which the target can still be reached are computed. What is dropped
//! on the left keeps its value and what is dropped on the right loses it; both say less than the truth about paths that
//! cannot reach the target, and the truth about all others.

use super::pattern::{BLOCK, Bits, Pattern, Row, mark};

/// How many rows are computed before the band is looked at again; not more than the bits of a block, see `narrow`.
const STRIDE: usize = 64;

/// How many rows are computed in one pass over the blocks: they hardly wait for each other.
const TOGETHER: usize = 4;

/// A block in which nothing grows.
const FLAT: Bits = [u64::MAX; BLOCK / 64];

/// Returns the length of the longest common subsequence, where it is `target` or more; otherwise how many rows it took
/// to see that it is not.
pub(super) fn longest(pattern: &Pattern, rows: &[u32], target: usize) -> Result<usize, usize> {
    let mut band = Band::new(pattern, rows.len(), target);
    let mut passed = 0;
    for stride in rows.chunks(STRIDE) {
        band.narrow(passed).ok_or(passed)?;
        band.advance(stride);
        passed += stride.len();
    }
    let found = band.grown();
    (found >= target).then_some(found).ok_or(passed)
}

struct Band<'a> {
    pattern: &'a Pattern,
    /// One bit for each column.
    state: Vec<Bits>,
    /// The blocks that are computed.
    first: usize,
    end: usize,
    /// What the blocks before the first one add up to.
    before: usize,
    rows: usize,
    target: usize,
    /// Bits for rare characters; empty between two passes.
    spare: [Vec<Bits>; TOGETHER],
}

impl<'a> Band<'a> {
    fn new(pattern: &'a Pattern, rows: usize, target: usize) -> Self {
        Self {
            pattern,
            state: vec![FLAT; pattern.width()],
            first: 0,
            end: 0,
            before: 0,
            rows,
            target,
            spare: [const { Vec::new() }; TOGETHER],
        }
    }

    /// Leaves out the blocks from which the target cannot be reached any more, and takes in those from which it can be
    /// within the next rows. Answers nothing where none is left.
    ///
    /// A path through a block has at most one for each of its columns more than what stands left of it, and a path that
    /// enters it within the next rows at most one for each of them: one bound for both.
    fn narrow(&mut self, passed: usize) -> Option<()> {
        let left_rows = self.rows - passed;
        let length = self.pattern.length;
        let (target, mut level) = (self.target, self.before);
        let reaches =
            |level: usize, block: usize| level + BLOCK.max(STRIDE) + left_rows.min(length - block * BLOCK) >= target;
        while self.first < self.end && !reaches(level, self.first) {
            level += zeros(&self.state[self.first]);
            self.first += 1;
        }
        self.before = level;
        let mut end = self.first;
        for block in self.first..self.end {
            if reaches(level, block) {
                end = block + 1;
            }
            level += zeros(&self.state[block]);
        }
        self.state[end..self.end].fill(FLAT);
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
                spare.resize(self.state.len(), Bits::default());
                inside(places, first, end).for_each(|place| mark(spare, place));
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
                inside(places, first, end).for_each(|place| spare[place / BLOCK] = Bits::default());
            }
        }
    }

    /// Returns the length that was reached.
    fn grown(&self) -> usize {
        let inside: usize = self.state[self.first..self.end].iter().map(zeros).sum();
        self.before + inside
    }
}

/// Computes rows over some blocks, lowest columns first.
#[inline(never)]
fn step<const ROWS: usize>(state: &mut [Bits], rows: [&[Bits]; ROWS]) {
    let rows = rows.map(|row| &row[..state.len()]);
    let mut carries = [false; ROWS];
    for (at, block) in state.iter_mut().enumerate() {
        let mut bits = *block;
        for (row, carry) in rows.iter().zip(&mut carries) {
            for (word, with) in bits.iter_mut().zip(&row[at]) {
                let met = *word & with;
                let (sum, over) = word.carrying_add(met, *carry);
                *word = sum | (*word ^ met);
                *carry = over;
            }
        }
        *block = bits;
    }
}

/// Returns the places that are in a range of blocks.
fn inside(places: &[u32], first: usize, end: usize) -> impl Iterator<Item = usize> {
    let from = places.partition_point(|place| (*place as usize) < first * BLOCK);
    let places = places[from..].iter().map(|place| *place as usize);
    places.take_while(move |place| *place < end * BLOCK)
}

fn zeros(bits: &Bits) -> usize {
    bits.iter().map(|word| word.count_zeros() as usize).sum()
}
