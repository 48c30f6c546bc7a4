//! Turns and checks of a run in, what became of each instruction out.

use crate::machine::{Acknowledged, Claim, Effect, Envelope, Evidence, Key, Outcome, Status, Task, problems};
use serde::Serialize;
use std::collections::HashMap;

/// What became of the instructions of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Instructions {
    /// Done, with evidence.
    pub(in crate::cli) done: u64,
    /// Said to be done, with nothing to show for it.
    pub(in crate::cli) said: u64,
    /// Skipped.
    pub(in crate::cli) skipped: u64,
    /// Left for later.
    pub(in crate::cli) gap: u64,
    /// Handed to an agent and never settled.
    pub(in crate::cli) open: u64,
    /// What is left for later, each in words.
    pub(in crate::cli) gaps: Vec<String>,
    /// What agents claimed and was not so.
    pub(in crate::cli) refused: Vec<Refused>,
    #[serde(skip)]
    turns: HashMap<String, Turn>,
}

/// A claim that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct Refused {
    /// The number of the line.
    pub(in crate::cli) line: u64,
    /// The label of the step.
    pub(in crate::cli) step: String,
    /// The instruction it was to show; none for a file that was said to be written.
    pub(in crate::cli) instruction: Option<u32>,
    /// Why it does not hold.
    pub(in crate::cli) why: String,
}

/// The last turn of a lane: asked again, it is the same turn still.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Turn {
    workflow: String,
    step: String,
    count: u64,
    told: Vec<(u32, Told, String)>,
}

/// What a reply says about an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Done,
    Said,
    Skipped,
    Gap,
}

impl Instructions {
    /// Takes one finished effect; they come in the order of the journal.
    pub(in crate::cli) fn see(&mut self, seq: u64, key: &Key, effect: &Effect, outcome: &Outcome) {
        match (effect, outcome) {
            (Effect::Dispatch(task), _) => self.turn(key, task, outcome),
            (Effect::Verify { claims }, Outcome::Verified { wrong }) if !wrong.is_empty() => {
                let turn = self.turns.get_mut(key.lane.as_str());
                let step = turn.as_ref().map(|turn| turn.step.clone()).unwrap_or_default();
                for (at, why) in wrong {
                    self.refused.push(Refused {
                        line: seq,
                        step: step.clone(),
                        instruction: claims.get(*at).and_then(instruction),
                        why: why.clone(),
                    });
                }
                // What was told with a false claim counts for nothing.
                if let Some(turn) = turn {
                    turn.told.clear();
                }
            }
            (_, _) => {}
        }
    }

    /// Counts the turns that were still open to be asked again.
    pub(in crate::cli) fn finish(mut self) -> Self {
        let mut lanes: Vec<(String, Turn)> = std::mem::take(&mut self.turns).into_iter().collect();
        lanes.sort_by(|(left, _), (right, _)| left.cmp(right));
        for (_, turn) in lanes {
            self.count(turn);
        }
        self
    }

    /// Returns how many instructions were handed to agents.
    pub(in crate::cli) fn all(&self) -> u64 {
        self.done + self.said + self.skipped + self.gap + self.open
    }

    fn turn(&mut self, key: &Key, task: &Task, outcome: &Outcome) {
        let told = match outcome {
            // A reply that is not taken settles nothing.
            Outcome::Replied(envelope) if !problems(task, envelope).is_empty() => Vec::new(),
            Outcome::Replied(envelope) => told(envelope),
            _ => Vec::new(),
        };
        let goes_on = task.attempt > 1 || !task.answered.is_empty();
        let before = self.turns.insert(
            key.lane.to_string(),
            Turn {
                workflow: task.workflow.clone(),
                step: task.step.clone(),
                count: task.instructions.len() as u64,
                told,
            },
        );
        if let Some(before) = before.filter(|_| !goes_on) {
            self.count(before);
        }
    }

    fn count(&mut self, turn: Turn) {
        self.open += turn.count.saturating_sub(turn.told.len() as u64);
        for (n, told, why) in turn.told {
            match told {
                Told::Done => self.done += 1,
                Told::Said => self.said += 1,
                Told::Skipped => self.skipped += 1,
                Told::Gap => {
                    self.gap += 1;
                    let (workflow, step) = (&turn.workflow, &turn.step);
                    let gap = format!("{workflow} step {step}, instruction {n}: {why}");
                    self.gaps.push(gap);
                }
            }
        }
    }
}

fn told(envelope: &Envelope) -> Vec<(u32, Told, String)> {
    // A reply that comes back with questions settles nothing yet.
    if !envelope.asks.is_empty() {
        return Vec::new();
    }
    let one = |it: &Acknowledged| (it.n, what(it), it.why.clone());
    envelope.instructions.iter().map(one).collect()
}

fn what(it: &Acknowledged) -> Told {
    let bare = |evidence: &Evidence| matches!(evidence, Evidence::Said { .. });
    match it.status {
        Status::Done if it.evidence.iter().all(bare) => Told::Said,
        Status::Done => Told::Done,
        Status::Skipped => Told::Skipped,
        Status::Gap | Status::Blocked => Told::Gap,
    }
}

fn instruction(claim: &Claim) -> Option<u32> {
    match claim {
        Claim::File { instruction, .. } => *instruction,
        Claim::Quote { instruction, .. } => Some(*instruction),
    }
}
