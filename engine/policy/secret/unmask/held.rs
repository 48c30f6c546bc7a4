//! A mask in, the secret that it stands for out.

use super::number::{Look, Numbers};
use super::{Hidden, Origin, Shown, Unclear};
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

/// What several secrets are: one, or not the same.
type One<'o> = Option<&'o str>;

/// The secrets of a text, by all that a mask can tell of them.
pub(super) struct Held<'s, 'o, 'n> {
    old: &'s Shown<'o>,
    new: &'s Shown<'n>,
    origins: &'s [Origin],
    looks: Vec<Look>,
    /// The secrets with the same mask: which ones, in order.
    alike: HashMap<usize, Vec<usize>>,
    by_mask: HashMap<usize, One<'o>>,
    by_look: HashMap<Look, One<'o>>,
    /// Which one each mask is of those in the same place with the same mask.
    turns: Vec<usize>,
    /// How many there are of them.
    wanted: HashMap<(usize, Range<usize>), usize>,
}

impl<'s, 'o, 'n> Held<'s, 'o, 'n> {
    pub(super) fn new(old: &'s Shown<'o>, new: &'s Shown<'n>, origins: &'s [Origin]) -> Self {
        let mut numbers = Numbers::default();
        let (known, looks) = (numbers.looks(old), numbers.looks(new));
        let mut held = Self {
            old,
            new,
            origins,
            looks,
            alike: HashMap::new(),
            by_mask: HashMap::new(),
            by_look: HashMap::new(),
            turns: Vec::with_capacity(new.hidden.len()),
            wanted: HashMap::new(),
        };
        for (nth, (hidden, look)) in old.hidden.iter().zip(known).enumerate() {
            held.alike.entry(look.mask).or_default().push(nth);
            merge(&mut held.by_mask, look.mask, hidden.held);
            merge(&mut held.by_look, look, hidden.held);
        }
        for (hidden, look) in new.hidden.iter().zip(&held.looks) {
            let Some(Origin::Changed(place)) = origins.get(hidden.line) else {
                held.turns.push(0);
                continue;
            };
            let count = held.wanted.entry((look.mask, place.clone())).or_default();
            held.turns.push(*count);
            *count += 1;
        }
        held
    }

    /// Says whether the text has a secret with this mask.
    pub(super) fn is_known(&self, nth: usize) -> bool {
        self.alike.contains_key(&self.looks[nth].mask)
    }

    /// Returns what a mask stands for.
    pub(super) fn of(&self, nth: usize) -> Result<&'o str, Unclear> {
        let hidden = &self.new.hidden[nth];
        let found = match self.origins.get(hidden.line) {
            Some(Origin::Same(line)) => self.in_line(nth, *line),
            Some(Origin::Changed(place)) => self.by_words(nth).or_else(|| self.by_turn(nth, place)),
            None => self.by_words(nth),
        };
        found.ok_or_else(|| Unclear {
            mask: self.new.mask(hidden).to_owned(),
        })
    }

    /// Returns what stands in the same place of a line that is the same.
    fn in_line(&self, nth: usize, line: usize) -> Option<&'o str> {
        let before = nth - self.new.first_of(self.new.hidden[nth].line);
        let same: Option<&Hidden<'o>> = self.old.hidden.get(self.old.first_of(line) + before);
        same.filter(|same| same.line == line).map(|same| same.held)
    }

    /// Returns the one secret of its kind, or the one behind the same words.
    fn by_words(&self, nth: usize) -> Option<&'o str> {
        let look = self.looks[nth];
        let one = self.by_mask.get(&look.mask).copied().flatten();
        one.or_else(|| self.by_look.get(&look).copied().flatten())
    }

    /// Returns the one whose turn it is, where as many are wanted as there were.
    fn by_turn(&self, nth: usize, place: &Range<usize>) -> Option<&'o str> {
        let mask = self.looks[nth].mask;
        let alike = self.alike.get(&mask)?;
        let up_to = |line: usize| alike.partition_point(|at| self.old.hidden[*at].line < line);
        let here = alike.get(up_to(place.start)..up_to(place.end))?;
        let wanted = self.wanted.get(&(mask, place.clone()))?;
        let turn = here.get(self.turns[nth]).filter(|_| *wanted == here.len())?;
        Some(self.old.hidden[*turn].held)
    }
}

fn merge<'o, K: Eq + Hash>(all: &mut HashMap<K, One<'o>>, key: K, held: &'o str) {
    let one = all.entry(key).or_insert(Some(held));
    *one = one.filter(|one| *one == held);
}
