//! Outcomes in, the tries of the last turn of every lane out, or the file that it read since: what a run that failed goes
//! on without.

use crate::machine::{Effect, Inline, Key, Returned};
use crate::source::QuickMap;

/// The tries of the last turn of every lane, or the last file that it read.
#[derive(Debug, Default)]
pub(super) struct Tries {
    lanes: QuickMap<Inline, Vec<Key>>,
}

impl Tries {
    /// Takes outcomes in the order in which the machine gets them.
    pub(super) fn saw(&mut self, outcomes: &[Returned]) {
        for Returned { issued, .. } in outcomes {
            let tries = self.lanes.entry(issued.key.lane.clone()).or_default();
            match &issued.effect {
                // A turn that is not told what was wrong is another one.
                Effect::Dispatch(task) if task.again.is_empty() => *tries = vec![issued.key.clone()],
                Effect::Dispatch(_) | Effect::Verify { .. } => tries.push(issued.key.clone()),
                // What stood in a file may be repaired.
                Effect::Read { .. } => *tries = vec![issued.key.clone()],
                // What a person answered in between stays answered.
                Effect::Checkpoint(_)
                | Effect::Judge(_)
                | Effect::Ask(_)
                | Effect::Show { .. }
                | Effect::List { .. }
                | Effect::Look { .. }
                | Effect::Write(_)
                | Effect::Run { .. }
                | Effect::Now => tries.clear(),
            }
        }
    }

    /// Returns the tries of the last turn of a lane, each with what was checked of it, or the file that it read since.
    pub(super) fn of(&self, lane: &Inline) -> Vec<Key> {
        self.lanes.get(lane).cloned().unwrap_or_default()
    }
}
