//! Outcomes in, the tries of the last turn of every lane out, or the file that it read since: what a run that failed goes
//! on without.

use crate::machine::{Effect, Inline, Key, Refused, Returned};
use crate::source::QuickMap;

/// The tries of the last turn of every lane, or the last file that it read.
#[derive(Debug, Default)]
pub(super) struct Tries {
    lanes: QuickMap<Inline, Lane>,
}

/// What a lane did last.
#[derive(Debug, Default)]
struct Lane {
    /// The tries of a turn that nothing came after.
    tries: Vec<Key>,
    /// The tries of a turn that only questions came after.
    before: Vec<Key>,
    /// The last question.
    asked: Option<Key>,
}

impl Tries {
    /// Takes outcomes in the order in which the machine gets them.
    pub(super) fn saw(&mut self, outcomes: &[Returned]) {
        for Returned { issued, .. } in outcomes {
            let lane = self.lanes.entry(issued.key.lane.clone()).or_default();
            match &issued.effect {
                // A turn that is not told what was wrong is another one.
                Effect::Dispatch(task) if task.again.is_empty() => lane.tries = vec![issued.key.clone()],
                Effect::Dispatch(_) | Effect::Verify { .. } => lane.tries.push(issued.key.clone()),
                // What stood in a file may be repaired.
                Effect::Read { .. } => {
                    lane.tries = vec![issued.key.clone()];
                    lane.before.clear();
                }
                // What a person answered in between stays answered.
                Effect::Ask(_) => {
                    if !lane.tries.is_empty() {
                        lane.before = std::mem::take(&mut lane.tries);
                    }
                    lane.asked = Some(issued.key.clone());
                }
                Effect::Checkpoint(_)
                | Effect::Judge(_)
                | Effect::Show { .. }
                | Effect::List { .. }
                | Effect::Look { .. }
                | Effect::Write(_)
                | Effect::Run { .. }
                | Effect::Now => {
                    lane.tries.clear();
                    lane.before.clear();
                }
            }
        }
    }

    /// Returns what a run failed for: the tries of a turn, each with what was checked of it, or the file that it read
    /// since, and the answer that stopped it.
    pub(super) fn of(&self, refused: &Refused) -> Vec<Key> {
        let (Refused::Turn(lane) | Refused::Call(lane) | Refused::Inside(lane)) = refused;
        let Some(lane) = self.lanes.get(lane) else {
            return Vec::new();
        };
        match refused {
            Refused::Turn(_) => lane.tries.clone(),
            Refused::Call(_) => lane.asked.iter().cloned().collect(),
            Refused::Inside(_) => lane.before.iter().chain(&lane.asked).cloned().collect(),
        }
    }
}
