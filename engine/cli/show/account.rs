//! The lines of a run in, what happened in each of its steps out.

use super::lanes::Told;
use super::standing::{Standing, Within};
use crate::builtins::Value;
use crate::cli::brief;
use crate::cli::record::{Entry, FileWritten, Instructions, Record, Refused, Writes};
use crate::host::{Begun, JournalError, Line, Workspace};
use crate::machine::{Effect, EndKind, Envelope, Inline, Key, Outcome, Task};
use crate::os::store::RunFolder;
use crate::runner::Used;
use serde::Serialize;
use std::path::Path;

/// What a run did.
#[derive(Debug, Default, Serialize)]
pub(super) struct Account {
    pub(super) run: String,
    pub(super) workflow: String,
    pub(super) root: String,
    pub(super) agent: String,
    pub(super) yolo: bool,
    pub(super) inputs: Vec<(String, String)>,
    /// When it began, in milliseconds since 1970.
    pub(super) began: i64,
    pub(super) resumed: u64,
    /// How many lines were rolled back.
    pub(super) void: u64,
    /// How it stopped; none while it runs, or where its process is gone without a word.
    pub(super) stopped: Option<Stop>,
    /// The value that it returned; none where it returned nothing, or its workflow changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Value>,
    /// Whether a process works on it.
    pub(super) running: bool,
    pub(super) steps: Vec<StepTold>,
    pub(super) instructions: Instructions,
    /// What is missing.
    pub(super) gaps: Vec<String>,
    /// What the calls of agents used, those that were rolled back included.
    pub(super) used: Used,
    pub(super) files: Vec<FileWritten>,
    pub(super) open: Vec<Open>,
    /// Files of the workflow that changed since the run began.
    pub(super) changed: Vec<String>,
    #[serde(skip)]
    writes: Writes,
    #[serde(skip)]
    standing: Standing,
}

/// How a run stopped.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Stop {
    pub(super) at: i64,
    pub(super) how: String,
    pub(super) why: String,
}

/// What happened in a step.
#[derive(Debug, Serialize)]
pub(super) struct StepTold {
    pub(super) workflow: String,
    pub(super) label: String,
    pub(super) goal: String,
    pub(super) depth: u32,
    /// The lane that it began in, where it is known what that is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lane: Option<Told>,
    /// What the calls of agents used.
    pub(super) used: Used,
    pub(super) events: Vec<Happened>,
    /// The lane that it began in.
    #[serde(skip)]
    pub(super) within: Inline,
}

/// Something that happened, and where.
#[derive(Debug, Serialize)]
pub(super) struct Happened {
    #[serde(flatten)]
    pub(super) event: Event,
    /// The lane, where it is known what that is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lane: Option<Told>,
    /// The lane.
    #[serde(skip)]
    pub(super) within: Inline,
}

impl Happened {
    fn in_lane(within: &Inline, event: Event) -> Self {
        let (within, lane) = (within.clone(), None);
        Self { event, lane, within }
    }
}

/// Something that happened.
#[derive(Debug, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub(super) enum Event {
    /// An agent took a turn.
    Turn {
        n: u64,
        driver: String,
        asked: String,
        came: String,
        failed: bool,
    },
    /// A command ran, or was kept from it.
    Command {
        /// Its number among turns and commands; none where it was kept from running.
        n: Option<u64>,
        command: String,
        came: String,
        failed: bool,
    },
    /// Somebody answered a question.
    Question {
        id: String,
        text: String,
        answer: String,
        by: &'static str,
    },
    /// A condition was judged.
    Judgement {
        text: String,
        holds: bool,
        evidence: String,
    },
    /// A file was written.
    Write { path: String, sha256: String, new: bool },
    /// A hook ran, or was kept from it.
    Hook { event: String, told: String, failed: bool },
    /// Something else did not work.
    Failure { asked: String, why: String },
}

/// A question that nobody answered yet.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Open {
    pub(super) id: String,
    pub(super) text: String,
    /// The lane it is asked in, and for what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) lane: Option<String>,
}

impl Account {
    /// Reads the journal of a run.
    pub(super) fn of(folder: &RunFolder, begun: &Begun) -> Result<Self, JournalError> {
        let mut account = Account {
            run: begun.run.clone(),
            workflow: begun.workflow.clone(),
            root: begun.root.clone(),
            agent: begun.since.first.as_ref().unwrap_or(&begun.agent).clone(),
            yolo: begun.yolo,
            inputs: begun.inputs.clone(),
            began: begun.at,
            ..Account::default()
        };
        for entry in Record::of(folder)? {
            account.see(entry?);
        }
        account.instructions = std::mem::take(&mut account.instructions).finish();
        if account.gaps.is_empty() {
            // A run that is not at its end yet has only what its replies leave open.
            account.gaps.clone_from(&account.instructions.gaps);
        }
        if let Some(stop) = account.stopped.as_ref().filter(|stop| stop.how == "waiting") {
            let ids = stop.why.split(", ").filter(|id| !id.is_empty());
            let open = |id: &str| Open {
                id: id.to_owned(),
                text: String::new(),
                lane: None,
            };
            account.open = ids.map(open).collect();
        }
        Ok(account)
    }

    /// Compares the files that were written with what they are now.
    pub(super) fn look(&mut self, root: &Path, host: &dyn Workspace) {
        self.files = self.writes.files(root, host);
    }

    /// Says whether the run waits for a person.
    pub(super) fn is_waiting(&self) -> bool {
        !self.open.is_empty()
    }

    /// Says whether the run came to its end.
    pub(super) fn is_completed(&self) -> bool {
        self.stopped
            .as_ref()
            .is_some_and(|stop| stop.how == EndKind::Completed.name())
    }

    /// Returns the claims that did not hold.
    pub(super) fn refused(&self) -> &[Refused] {
        &self.instructions.refused
    }

    fn see(&mut self, entry: Entry) {
        if let Line::Called(called) = &entry.line {
            self.used.add(called);
        }
        if entry.void {
            self.void += 1;
            return;
        }
        match &entry.line {
            Line::Done { effect: Some(_), .. } => self.done(&entry),
            Line::Hooked(hooked) => {
                let event = Event::Hook {
                    event: hooked.event.clone(),
                    told: brief::hooked(hooked),
                    failed: !hooked.end.is_fine(),
                };
                let happened = Happened::in_lane(&hooked.key.lane, event);
                self.step(&hooked.key, &hooked.step, None).events.push(happened);
            }
            Line::Resumed(resumed) => {
                self.resumed += u64::from(resumed.left.is_empty());
                self.gaps.clear();
                self.stopped = None;
            }
            Line::RolledBack { at, to } => {
                self.stopped = Some(Stop {
                    at: *at,
                    how: "rolled back".to_owned(),
                    why: format!("to line {to}; it can go on from there"),
                });
            }
            Line::Stopped { at, how, why, gaps, .. } => {
                self.gaps.clone_from(gaps);
                self.stopped = Some(Stop {
                    at: *at,
                    how: how.clone(),
                    why: why.clone(),
                });
            }
            Line::Called(called) => {
                let workflow = Some(called.workflow.as_str()).filter(|name| !name.is_empty());
                self.step(&called.key, &called.step, workflow).used.add(called);
            }
            Line::Done { effect: None, .. } | Line::Begun(_) | Line::Intent { .. } | Line::Settled { .. } => {}
        }
    }

    fn done(&mut self, entry: &Entry) {
        let Line::Done {
            key,
            step,
            effect: Some(effect),
            outcome,
            ..
        } = &entry.line
        else {
            return;
        };
        self.writes.see(entry.seq, key, effect, outcome);
        if !entry.redone {
            self.instructions.see(entry.seq, key, effect, outcome);
        }
        // The lanes of a way that the run no longer goes had other items.
        let lane = match entry.left {
            true => Inline::default(),
            false => key.lane.clone(),
        };
        if let Effect::Checkpoint(checkpoint) = &**effect
            && let Some(label) = &checkpoint.step
        {
            let within = Within {
                at: self.steps.len(),
                workflow: checkpoint.workflow.clone(),
                label: label.clone(),
                depth: checkpoint.depth,
            };
            self.standing.enter(key.lane.as_str(), within);
            self.steps.push(StepTold {
                workflow: checkpoint.workflow.clone(),
                label: label.clone(),
                goal: checkpoint.goal.clone(),
                depth: checkpoint.depth,
                lane: None,
                used: Used::default(),
                events: Vec::new(),
                within: lane.clone(),
            });
        }
        let events = events(entry, effect, outcome);
        if !events.is_empty() {
            let workflow = if let Effect::Dispatch(task) | Effect::Judge(task) = &**effect {
                Some(task.workflow.as_str())
            } else {
                None
            };
            let happened = events.into_iter().map(|event| Happened::in_lane(&lane, event));
            self.step(key, step, workflow).events.extend(happened);
        }
    }

    /// Returns the step that something happened in.
    fn step(&mut self, key: &Key, label: &str, workflow: Option<&str>) -> &mut StepTold {
        let known = self.standing.find(key.lane.as_str(), label, workflow);
        let at = known.or_else(|| self.steps.iter().rposition(|step| step.label == label));
        let at = at.unwrap_or_else(|| {
            self.steps.push(StepTold {
                workflow: String::new(),
                label: label.to_owned(),
                goal: String::new(),
                depth: 0,
                lane: None,
                used: Used::default(),
                events: Vec::new(),
                within: Inline::default(),
            });
            self.steps.len() - 1
        });
        &mut self.steps[at]
    }
}

fn events(entry: &Entry, effect: &Effect, outcome: &Outcome) -> Vec<Event> {
    match (effect, outcome) {
        (Effect::Dispatch(task) | Effect::Judge(task), _) => turn(entry, task, outcome),
        (Effect::Run { command, .. }, outcome @ Outcome::Ran { .. }) => vec![Event::Command {
            n: entry.turn.as_ref().map(|begun| begun.n),
            command: command.clone(),
            came: brief::came(outcome),
            failed: brief::is_wrong(outcome),
        }],
        (_, Outcome::Failed(failure)) => vec![Event::Failure {
            asked: format!("{} {}", effect.name(), brief::asked(effect)),
            why: format!("({}) {}", failure.kind.name(), failure.message),
        }],
        (Effect::Ask(question), Outcome::Answered(answer)) => vec![Event::Question {
            id: question.id.clone(),
            text: question.text.clone(),
            answer: answer.text.clone(),
            by: brief::by(answer.by),
        }],
        (Effect::Write(write), Outcome::Written { sha256, before }) if before.as_ref() != Some(sha256) => {
            vec![Event::Write {
                path: write.path.clone(),
                sha256: sha256.clone(),
                new: before.is_none(),
            }]
        }
        (_, _) => Vec::new(),
    }
}

fn turn(entry: &Entry, task: &Task, outcome: &Outcome) -> Vec<Event> {
    let begun = entry.turn.as_ref();
    let mut events = vec![Event::Turn {
        n: begun.map_or(0, |begun| begun.n),
        driver: begun.map(|begun| begun.driver.clone()).unwrap_or_default(),
        asked: brief::turn(task),
        came: brief::came(outcome),
        failed: brief::is_wrong(outcome),
    }];
    if let Outcome::Replied(envelope) = outcome {
        events.extend(judgements(task, envelope));
    }
    events
}

fn judgements(task: &Task, envelope: &Envelope) -> Vec<Event> {
    let judged = envelope.judgements.iter().filter_map(|judgement| {
        let text = task.conditions.get((judgement.n as usize).checked_sub(1)?)?;
        Some(Event::Judgement {
            text: text.clone(),
            holds: judgement.holds,
            evidence: judgement.evidence.clone(),
        })
    });
    judged.collect()
}
