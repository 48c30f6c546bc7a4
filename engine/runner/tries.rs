//! Outcomes in, the tries of the last turn of every lane out, or the file that it read since: what a run that failed goes
//! on without.

use crate::machine::{Asker, Effect, Inline, Key, Outcome, Question, Refused, Returned};
use crate::source::QuickMap;

/// The tries of the last turn of every lane, or the last file that it read.
#[derive(Debug, Default)]
pub(super) struct Tries {
    lanes: QuickMap<Inline, Lane>,
    /// What a person let pass: the turns that were blocked and the calls that did not work, with the answers that said so.
    passed: Vec<Key>,
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
    /// How often the last turn was asked for.
    attempt: u32,
}

impl Lane {
    /// Returns what a person lets pass with an answer: a turn that was blocked, or a call that did not work.
    fn lets_pass(&self, question: &Question, outcome: &Outcome) -> Vec<Key> {
        let Outcome::Answered(answer) = outcome else {
            return Vec::new();
        };
        let is_offered = question
            .choices
            .iter()
            .any(|choice| choice.key == GO_ON && choice.forward);
        if question.origin != Asker::Engine {
            return Vec::new();
        }
        if is_offered && answer.text == GO_ON {
            return self.tries.clone();
        }
        if question.confirm.as_ref() != Some(&answer.text) {
            return Vec::new();
        }
        // A turn that failed is taken again in any case; one whose replies were not taken was asked for several times.
        let given_up = self.before.iter().filter(|_| self.attempt > 1);
        given_up.chain(&self.asked).cloned().collect()
    }
}

/// The answer by which a person lets pass what is blocked.
const GO_ON: &str = "g";

impl Tries {
    /// Takes outcomes in the order in which the machine gets them.
    pub(super) fn saw(&mut self, outcomes: &[Returned]) {
        for Returned { issued, outcome, .. } in outcomes {
            let lane = self.lanes.entry(issued.key.lane.clone()).or_default();
            if let Effect::Dispatch(task) = &issued.effect {
                lane.attempt = task.attempt;
            }
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
                Effect::Ask(question) => {
                    let passed = lane.lets_pass(question, outcome);
                    if !passed.is_empty() {
                        self.passed.extend(passed);
                        self.passed.push(issued.key.clone());
                    }
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

    /// Returns what a person let pass: asked for anew, somebody else may do it.
    pub(super) fn passed(self) -> Vec<Key> {
        self.passed
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
