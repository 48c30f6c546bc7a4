//! Turns and commands that were begun: those that were cut off, and whether they can still be undone.
//!
//! Undoing one makes the files what they were before it. That is right only as long as nothing else changed them since.

use super::History;
use crate::machine::{Issued, Key, Outcome};
use crate::runner::ahead::{Was, changed};
use crate::runner::begun::Unfinished;
use crate::runner::past::Place;

impl History {
    /// Notes what came of an effect.
    pub(super) fn ended_with(&mut self, at: i64, key: &Key, outcome: Outcome, place: Place) -> Was {
        let begun = self.begun.remove(key);
        let took = begun.as_ref().map_or(0, |known| known.took(at));
        let changed = changed(&outcome) || begun.is_some_and(|known| known.may_change());
        if changed {
            self.outdate_begun();
        }
        Was {
            took,
            changed,
            outcome,
            place,
        }
    }

    /// Notes that a turn was begun.
    pub(super) fn begin(&mut self, at: i64, key: Key, before: Option<String>, place: Place) {
        let known = self.begun.remove(&key).unwrap_or_default();
        if before.is_some() {
            self.outdate_begun();
        }
        let mut known = known.again((place.line, at), before);
        if place.left.is_some() {
            known.leave_behind();
        }
        self.begun.insert(key, known);
    }

    /// Notes that the world changed since whatever is under way was begun: nobody else changes it while that is at work, so
    /// it was cut off.
    fn outdate_begun(&mut self) {
        for known in self.begun.values_mut() {
            known.leave_behind();
        }
    }

    /// Puts first what was cut off: it is undone before a lane beside it changes anything.
    pub(in crate::runner) fn put_cut_off_first(&self, issued: &mut [Issued]) {
        let is_undone = |known: &Unfinished| known.before.is_some() && !known.parked;
        issued.sort_by_key(|it| !self.begun.get(&it.key).is_some_and(is_undone));
    }

    /// Answers, once, how a turn stands that was begun and never ended.
    pub(in crate::runner) fn unknown(&mut self, key: &Key) -> Option<Unfinished> {
        self.begun.remove(key)
    }

    /// Leaves behind what was cut off, in whichever lane, and returns the lines of that. The effect that comes now is not
    /// among it.
    pub(in crate::runner) fn leave_begun(&mut self, key: &Key) -> Vec<u64> {
        let others = self.begun.iter_mut().filter(|(other, _)| *other != key);
        others.filter_map(|(_, known)| known.leave_behind()).collect()
    }
}
