//! What was recorded and not asked for yet in, whether it still counts out.
//!
//! Where something is asked for that was never done, the workflow was edited: what comes after it counts no longer, but
//! for answers and turns that change nothing. Lanes of one fork go on beside each other: what is new in one of them says
//! nothing of the others, and all of what comes after they met.

use super::commands::is_unrun;
use super::past::Place;
use crate::machine::{Access, Effect, FailureKind, Inline, Issued, Key, Outcome};
use crate::source::QuickMap;
use std::collections::BTreeMap;

/// What came of an effect.
#[derive(Debug)]
pub(super) struct Was {
    pub(super) outcome: Outcome,
    /// How many milliseconds an agent took for it.
    pub(super) took: u64,
    /// Where it stands.
    pub(super) place: Place,
    /// Whether the world may differ since.
    pub(super) changed: bool,
}

/// Outcomes that were recorded and not asked for yet.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Those that count.
    counts: QuickMap<Key, Was>,
    /// Those that were left behind: only answers and turns that change nothing are used of them.
    left: QuickMap<Key, Was>,
    /// Those that count and changed something: the lane of each, by its place in the order.
    changes: BTreeMap<u64, Inline>,
    /// How far each lane is: the place in the order of what was used last.
    used: QuickMap<Inline, u64>,
    /// Whether what was recorded is in no order that is known: an earlier version told nothing of what it left behind.
    loose: bool,
}

impl Ahead {
    /// Takes everything in whatever order it is asked for.
    pub(super) fn loosen(&mut self) {
        self.loose = true;
    }

    /// Says whether nothing is there that counts.
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the keys of what counted when it was read.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        let left = self.left.iter().filter(|(_, was)| was.place.left.is_none());
        self.counts.keys().chain(left.map(|(key, _)| key))
    }

    /// Adds an outcome.
    pub(super) fn insert(&mut self, key: Key, was: Was) {
        if was.place.left.is_some() {
            self.left.insert(key, was);
            return;
        }
        if was.changed && !self.loose {
            self.changes.insert(was.place.order, key.lane.clone());
        }
        self.counts.insert(key, was);
    }

    /// Says whether an outcome that was just read is that of an effect, so that it need not be kept.
    pub(super) fn is_next(&self, issued: &Issued, was: &Was) -> bool {
        match was.place.left.is_some() {
            true => is_still_true(&issued.effect),
            false => self.is_empty(),
        }
    }

    /// Notes that an outcome is used.
    pub(super) fn use_up(&mut self, issued: &Issued, place: Place) {
        if self.loose || place.left.is_some() || is_still_true(&issued.effect) {
            return;
        }
        match self.used.get_mut(&issued.key.lane) {
            Some(last) => *last = place.order.max(*last),
            None => drop(self.used.insert(issued.key.lane.clone(), place.order)),
        }
    }

    /// Finds what was left behind and is still true.
    pub(super) fn remembered(&mut self, issued: &Issued) -> Option<Was> {
        if self.left.is_empty() || !is_still_true(&issued.effect) {
            return None;
        }
        self.left.remove(&issued.key)
    }

    /// Finds the outcome of an effect.
    pub(super) fn take(&mut self, issued: &Issued) -> Option<Was> {
        if let Some(was) = self.remembered(issued) {
            return Some(was);
        }
        let order = self.counts.get(&issued.key)?.place.order;
        if !is_still_true(&issued.effect) && !self.is_in_order(&issued.key.lane, order) {
            return None;
        }
        let was = self.counts.remove(&issued.key)?;
        self.changes.remove(&order);
        self.use_up(issued, was.place);
        Some(was)
    }

    /// Says whether nothing is asked for behind a place in the order that stood before it, and nothing that changed
    /// something before it is asked for no longer.
    fn is_in_order(&self, lane: &Inline, order: u64) -> bool {
        let mut before = self.changes.range(..order);
        let mut used = self.used.iter().filter(|(_, last)| **last > order);
        self.loose || !(before.any(|(_, other)| follow(lane, other)) || used.any(|(other, _)| follow(lane, other)))
    }

    /// Says whether anything counts in a lane, before it, or after it.
    pub(super) fn is_told_of(&self, lane: &Inline) -> bool {
        self.counts.keys().any(|key| follow(lane, &key.lane))
    }

    /// Leaves behind what counts in a lane and after it, and returns the lines of that.
    pub(super) fn leave(&mut self, lane: &Inline) -> Vec<u64> {
        let left = self.counts.extract_if(|key, _| follow(lane, &key.lane));
        let mut lines = Vec::new();
        for (key, was) in left {
            lines.push(was.place.line);
            self.changes.remove(&was.place.order);
            self.left.insert(key, was);
        }
        lines
    }

    /// Leaves all behind, and returns the lines of that.
    pub(super) fn leave_all(&mut self) -> Vec<u64> {
        let all = std::mem::take(&mut self.counts).into_iter();
        self.changes.clear();
        all.map(|(key, was)| {
            let line = was.place.line;
            self.left.insert(key, was);
            line
        })
        .collect()
    }

    /// Says whether something that nobody asked for yet, or that was left behind, wrote a file with this hash.
    pub(super) fn wrote(&self, hash: &str) -> bool {
        let mut all = self.counts.values().chain(self.left.values());
        all.any(|was| matches!(&was.outcome, Outcome::Written { sha256, .. } if sha256 == hash))
    }

    /// Returns the lines that nobody asked for yet, or that were left behind, and that wrote a file.
    pub(super) fn writes(&self) -> impl Iterator<Item = u64> {
        let counts = self.counts.values().filter(|was| is_write(was));
        let left = self.left_writes().map(|(line, _)| line);
        counts.map(|was| was.place.line).chain(left)
    }

    /// Returns the lines that were left behind and wrote a file, each with the line that says so; the last there can be
    /// where this process leaves it behind.
    pub(super) fn left_writes(&self) -> impl Iterator<Item = (u64, u64)> {
        let left = self.left.values().filter(|was| is_write(was));
        left.map(|was| (was.place.line, was.place.left.unwrap_or(u64::MAX)))
    }

    /// Returns the lines that were left behind and wrote a file with this hash.
    pub(super) fn left_as(&self, hash: &str) -> impl Iterator<Item = u64> {
        let is_it = move |was: &&Was| matches!(&was.outcome, Outcome::Written { sha256, .. } if sha256 == hash);
        self.left.values().filter(is_it).map(|was| was.place.line)
    }
}

/// Says whether a file was written.
fn is_write(was: &Was) -> bool {
    matches!(was.outcome, Outcome::Written { .. })
}

/// Says whether two lanes follow each other, or are the same: those of one fork go on beside each other.
pub(super) fn follow(one: &Inline, two: &Inline) -> bool {
    if one == two {
        return true;
    }
    // The main line, and for every fork its number and that of the lane.
    let (one, two) = (one.as_str().split('.'), two.as_str().split('.'));
    let differ = one.zip(two).position(|(one, two)| one != two);
    differ.is_none_or(|at| at % 2 == 1)
}

/// Says whether the outcome of an effect does not depend on what was changed before it.
pub fn is_still_true(effect: &Effect) -> bool {
    match effect {
        Effect::Ask(_) | Effect::Judge(_) => true,
        Effect::Dispatch(task) => task.access == Access::Read,
        Effect::Checkpoint(_)
        | Effect::Run { .. }
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Verify { .. }
        | Effect::Now => false,
    }
}

/// Says whether an outcome tells that the world may differ since.
pub(super) fn changed(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Written { .. } | Outcome::Ran { .. }) && !is_unrun(outcome)
}

/// Says whether a file could not be read or written: once the disk is in order it can, and nobody has to say so.
pub(super) fn is_of_files(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Files)
}

#[cfg(test)]
mod tests {
    use super::follow;

    #[test]
    fn lanes_of_one_fork_do_not_follow_each_other() {
        for (one, two, answer) in [
            ("0", "0", true),
            ("0", "0.1.2", true),
            ("0.1.1", "0.1.2", false),
            ("0.1.1", "0.2.2", true),
            ("0.1.1.1.1", "0.1.1", true),
            ("0.1.1.1.1", "0.1.2.1.1", false),
            ("0.1.1.1.2", "0.1.1.1.1", false),
            ("0.1.1.2.1", "0.1.1.1.1", true),
        ] {
            assert_eq!(follow(&one.into(), &two.into()), answer, "{one} {two}");
            assert_eq!(follow(&two.into(), &one.into()), answer, "{two} {one}");
        }
    }
}
