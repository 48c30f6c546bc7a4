//! The lines of a run in, the line that it goes back to out.

use crate::cli::brief;
use crate::cli::failure::Failure;
use crate::cli::record::{Entry, Record, Writes};
use crate::host::{JournalError, Line};
use crate::machine::{Effect, Evidence, Outcome};
use crate::os::store::RunFolder;

/// What a run did, as far as it matters for going back.
#[derive(Debug, Default)]
pub(super) struct Trace {
    acts: Vec<Act>,
    pub(super) writes: Writes,
    pub(super) turns: Vec<Turn>,
    /// The lines that count.
    pub(super) lines: Vec<u64>,
    /// The lines of answers.
    pub(super) answers: Vec<u64>,
}

/// A finished effect.
#[derive(Debug)]
struct Act {
    seq: u64,
    kind: ActKind,
}

#[derive(Debug)]
enum ActKind {
    /// A step began.
    Checkpoint { label: String, depth: u32 },
    /// A file was written.
    Write,
    /// Something was looked at or shown.
    Quiet,
    /// Somebody did or decided something.
    Other,
}

/// A turn of an agent, or a command.
#[derive(Debug)]
pub(super) struct Turn {
    /// The number of the line that it began with.
    pub(super) seq: u64,
    pub(super) n: u64,
    /// Who took it; none for a command.
    pub(super) driver: Option<String>,
    pub(super) step: String,
    /// What the tree looked like before: the agent worked on files by itself.
    pub(super) snapshot: Option<String>,
    /// What it did that is not the run's own: files it said it wrote, commands it ran.
    pub(super) did: Vec<String>,
    /// The files that it said it wrote.
    pub(super) wrote: Vec<String>,
}

/// Where a run goes back to.
#[derive(Debug)]
pub(super) struct Point {
    /// The number of the last line that counts.
    pub(super) to: u64,
    /// What comes next, in words.
    pub(super) before: String,
}

impl Trace {
    /// Reads the journal of a run.
    pub(super) fn of(folder: &RunFolder) -> Result<Self, JournalError> {
        let mut trace = Trace::default();
        for entry in Record::of(folder)? {
            let entry = entry?;
            if !entry.void {
                trace.see(&entry);
            }
        }
        Ok(trace)
    }

    /// Finds the beginning of a step, or what was written last.
    pub(super) fn point(&self, step: Option<&str>) -> Result<Point, Failure> {
        match step {
            Some(step) => self.step(step),
            None => self.last(),
        }
    }

    /// Finds where a step began for the last time; a step of the outermost workflow goes before one of the same label
    /// in a workflow that it called.
    fn step(&self, wanted: &str) -> Result<Point, Failure> {
        let began = self.acts.iter().filter_map(|act| match &act.kind {
            ActKind::Checkpoint { label, depth } if label == wanted => Some((act.seq, *depth)),
            ActKind::Checkpoint { .. } | ActKind::Write | ActKind::Quiet | ActKind::Other => None,
        });
        let found = began.min_by_key(|(seq, depth)| (*depth, std::cmp::Reverse(*seq)));
        let Some((seq, _)) = found else {
            return Err(Failure::usage(format!("the run never came to step `{wanted}`")).with_hint(self.steps()));
        };
        Ok(Point {
            to: seq - 1,
            before: format!("the beginning of step {wanted}"),
        })
    }

    fn steps(&self) -> String {
        let mut labels: Vec<&str> = Vec::new();
        for act in &self.acts {
            if let ActKind::Checkpoint { label, .. } = &act.kind
                && !labels.contains(&label.as_str())
            {
                labels.push(label);
            }
        }
        match labels.as_slice() {
            [] => "it came to no step at all".to_owned(),
            labels => format!("it came to {}", labels.join(", ")),
        }
    }

    /// Finds what was written last, with the writes and the beginning of a step right before it.
    fn last(&self) -> Result<Point, Failure> {
        let changed = |act: &Act| self.writes.changes.iter().any(|written| written.seq == act.seq);
        let began = |act: &Act| matches!(act.kind, ActKind::Checkpoint { .. });
        let end = self.acts.iter().rposition(changed);
        let Some(end) = end.or_else(|| self.acts.iter().rposition(began)) else {
            return Err(Failure::usage(
                "the run wrote nothing and began no step: there is nothing to undo",
            ));
        };
        let mut first = end;
        let mut before = (0..end).rev();
        while !began(&self.acts[first])
            && let Some(at) = before.next()
        {
            match self.acts[at].kind {
                ActKind::Checkpoint { .. } | ActKind::Write => first = at,
                ActKind::Quiet => {}
                ActKind::Other => break,
            }
        }
        let what = match &self.acts[first].kind {
            ActKind::Checkpoint { label, .. } => format!("the beginning of step {label}"),
            ActKind::Write | ActKind::Quiet | ActKind::Other => "before what was written last".to_owned(),
        };
        Ok(Point {
            to: self.acts[first].seq - 1,
            before: what,
        })
    }

    fn see(&mut self, entry: &Entry) {
        self.lines.push(entry.seq);
        match &entry.line {
            Line::Intent { step, effect, .. } => {
                if let Some(begun) = &entry.turn {
                    self.turns.push(Turn {
                        seq: entry.seq,
                        n: begun.n,
                        driver: effect.is_turn().then(|| begun.driver.clone()),
                        step: step.clone(),
                        snapshot: begun.snapshot.clone(),
                        did: Vec::new(),
                        wrote: Vec::new(),
                    });
                }
            }
            Line::Done {
                key,
                effect: Some(effect),
                outcome,
                ..
            } => {
                self.writes.see(entry.seq, key, effect, outcome);
                // The run goes another way by now: it never came there.
                if !entry.left {
                    self.acts.push(Act {
                        seq: entry.seq,
                        kind: kind(effect),
                    });
                }
                if matches!(**outcome, Outcome::Answered(_)) {
                    self.answers.push(entry.seq);
                }
                let turn = entry.turn.as_ref().map(|begun| begun.n);
                if let Some(turn) = self.turns.iter_mut().rfind(|it| Some(it.n) == turn) {
                    let taken = entry.turn.as_ref().filter(|_| turn.driver.is_some());
                    turn.driver = taken.map(|begun| begun.driver.clone());
                    turn.did = did(effect, outcome);
                    if let Outcome::Replied(envelope) = &**outcome {
                        turn.wrote = envelope.files.iter().map(|file| file.path.clone()).collect();
                    }
                }
            }
            Line::Done { effect: None, .. }
            | Line::Begun(_)
            | Line::Hooked(_)
            | Line::Resumed(_)
            | Line::Called(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. }
            | Line::Stopped { .. } => {}
        }
    }
}

fn kind(effect: &Effect) -> ActKind {
    match effect {
        Effect::Checkpoint(checkpoint) => match &checkpoint.step {
            Some(label) => ActKind::Checkpoint {
                label: label.clone(),
                depth: checkpoint.depth,
            },
            // Only the document is told that the workflow ends.
            None => ActKind::Write,
        },
        Effect::Write(_) => ActKind::Write,
        Effect::Show { .. } | Effect::Read { .. } | Effect::List { .. } | Effect::Look { .. } | Effect::Now => {
            ActKind::Quiet
        }
        Effect::Dispatch(_) | Effect::Judge(_) | Effect::Ask(_) | Effect::Run { .. } | Effect::Verify { .. } => {
            ActKind::Other
        }
    }
}

/// Lists what an agent says it did outside of the run, and what was run.
fn did(effect: &Effect, outcome: &Outcome) -> Vec<String> {
    if let Effect::Run { command, .. } = effect {
        return vec![format!("ran `{}`", brief::short(command))];
    }
    let Outcome::Replied(envelope) = outcome else {
        return Vec::new();
    };
    let files = envelope.files.iter().map(|file| format!("wrote {}", file.path));
    let evidence = envelope.instructions.iter().flat_map(|it| &it.evidence);
    let commands = evidence.filter_map(|evidence| match evidence {
        Evidence::Command { command, .. } => Some(format!("ran `{}`", brief::short(command))),
        Evidence::File { .. } | Evidence::Quote { .. } | Evidence::Value { .. } | Evidence::Said { .. } => None,
    });
    files.chain(commands).collect()
}
