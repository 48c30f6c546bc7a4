//! Texts in, a number for each out: the same number for the same text.

use super::Shown;
use std::collections::HashMap;

/// How many bytes of a line get a number at once.
const BLOCK: usize = 64;

/// What a mask is, and what stands before it in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Look {
    pub(super) mask: usize,
    pub(super) before: usize,
}

/// The numbers that were given.
#[derive(Default)]
pub(super) struct Numbers<'m> {
    masks: HashMap<&'m str, usize>,
    /// What goes on behind something that has a number.
    pieces: HashMap<(usize, &'m [u8]), usize>,
}

impl<'m> Numbers<'m> {
    /// Returns how each mask of a text looks. No line is read twice, however many masks it has.
    pub(super) fn looks(&mut self, shown: &'m Shown<'_>) -> Vec<Look> {
        let text = shown.masked.as_bytes();
        let (mut line, mut at, mut number) = (None, 0, 0);
        let look = |hidden: &super::Hidden<'_>| {
            if line != Some(hidden.line) {
                (line, at, number) = (Some(hidden.line), hidden.start, 0);
            }
            while at + BLOCK <= hidden.mask.start {
                number = self.behind(number, &text[at..at + BLOCK]);
                at += BLOCK;
            }
            let count = self.masks.len();
            Look {
                mask: *self.masks.entry(shown.mask(hidden)).or_insert(count),
                before: self.behind(number, &text[at..hidden.mask.start]),
            }
        };
        shown.hidden.iter().map(look).collect()
    }

    /// Numbers from 1: 0 is the beginning of a line.
    fn behind(&mut self, number: usize, piece: &'m [u8]) -> usize {
        let next = self.pieces.len() + 1;
        *self.pieces.entry((number, piece)).or_insert(next)
    }
}
