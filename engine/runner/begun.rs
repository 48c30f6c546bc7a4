//! A turn or a command that was begun and never ended, as the lines of a journal tell of it.
//!
//! Where a run stops in order it tells of every call that is cut off by that. One that was killed tells of nothing: what it
//! began may have been paid for, and counts.

use super::past::Halt;
use crate::host::Called;

/// A turn or a command that was begun and not finished.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    /// When it was begun for the last time.
    at: i64,
    /// The line that says so.
    line: u64,
    /// How often it was begun.
    pub(super) times: u32,
    /// How many milliseconds its calls took since then, where any ended.
    took: Option<u64>,
    /// What the tree looked like before.
    pub(super) before: Option<String>,
    /// Whether others came after it before it was begun again.
    pub(super) is_left: bool,
    /// Whether nothing of it was under way when the run stopped.
    pub(super) parked: bool,
    /// When the run stopped in order after it: since then nobody of the run was at work on it.
    pub(super) stopped: Option<i64>,
    /// Whether a call may be under way that no line tells of.
    is_open: bool,
    /// How many such calls processes made that are gone.
    lost: u32,
}

impl Unfinished {
    /// Begins it, perhaps not for the first time.
    pub(super) fn again(self, (line, at): (u64, i64), before: Option<String>) -> Self {
        Self {
            at,
            line,
            times: self.times + 1,
            before,
            is_open: true,
            lost: self.lost(),
            ..Self::default()
        }
    }

    /// Leaves it behind, and returns its line: what it left in the files is no longer undone, since others came after it.
    pub(super) fn leave_behind(&mut self) -> Option<u64> {
        let before = self.before.take();
        self.is_left |= before.is_some();
        before.map(|_| self.line)
    }

    /// Says whether the world may differ after it.
    pub(super) fn may_change(&self) -> bool {
        self.before.is_some() || self.is_left
    }

    /// Takes a call that ended, or of which it is told that it was cut off.
    pub(super) fn call(&mut self, called: &Called) {
        self.took = Some(self.took.unwrap_or_default() + called.took);
        // What was lost before is told of first.
        match called.cut && self.lost > 0 {
            true => self.lost -= 1,
            false => self.is_open = false,
        }
    }

    /// Notes that the run stopped in order: what was under way then is told of.
    pub(super) fn stop(&mut self, at: i64, how: Halt) {
        self.parked |= how == Halt::Parked;
        self.stopped.get_or_insert(at);
        self.is_open = false;
    }

    /// Notes that the process that began it is gone.
    pub(super) fn leave(&mut self) {
        self.lost = self.lost();
        self.is_open = false;
    }

    /// Returns how many calls were made for it that no line tells of.
    pub(super) fn lost(&self) -> u32 {
        self.lost + u32::from(self.is_open)
    }

    /// Returns how many milliseconds it took until a moment; waiting between calls is not work.
    pub(super) fn took(&self, until: i64) -> u64 {
        let whole = || u64::try_from(until - self.at).unwrap_or_default();
        self.took.unwrap_or_else(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::Unfinished;
    use crate::host::{Called, Spent};
    use crate::machine::Key;
    use crate::runner::Halt;

    fn begun() -> Unfinished {
        Unfinished::default().again((1, 1), None)
    }

    fn call(cut: bool) -> Called {
        Called {
            at: 2,
            key: Key {
                lane: "0".into(),
                digest: "t".into(),
                n: 0,
            },
            step: "1".to_owned(),
            workflow: "dev".to_owned(),
            driver: "a".to_owned(),
            model: None,
            session: None,
            spent: Spent::default(),
            took: 5,
            class: None,
            cut,
            until: None,
        }
    }

    #[test]
    fn a_call_that_was_killed_is_lost_until_it_is_told_of() {
        let mut known = begun();
        assert_eq!(known.lost(), 1);
        known.leave();
        let mut known = known.again((3, 3), None);
        known.call(&call(true));
        assert_eq!((known.times, known.lost()), (2, 1), "the one that is under way");
        known.call(&call(false));
        assert_eq!(known.lost(), 0);
    }

    #[test]
    fn every_process_that_was_killed_lost_a_call() {
        let known = begun().again((2, 2), None).again((3, 3), None);
        assert_eq!(known.lost(), 3);
    }

    #[test]
    fn nothing_is_lost_where_the_run_stopped_in_order() {
        for how in [Halt::Parked, Halt::Waiting, Halt::Completed, Halt::Otherwise] {
            let mut known = begun();
            known.stop(2, how);
            assert_eq!(known.lost(), 0, "{how:?}");
        }
        let mut known = begun();
        known.call(&call(true));
        assert_eq!(known.lost(), 0);
    }

    #[test]
    fn a_later_process_that_stops_in_order_says_nothing_about_a_call_that_was_killed() {
        let mut known = begun();
        known.leave();
        known.stop(3, Halt::Otherwise);
        assert_eq!(known.lost(), 1);
    }

    #[test]
    fn where_calls_ended_only_they_are_work() {
        let mut known = begun();
        assert_eq!(known.took(101), 100);
        known.call(&call(false));
        assert_eq!(known.took(101), 5);
    }
}
