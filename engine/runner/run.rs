//! The loop: what was done before is taken from the journal, the rest is performed, recorded, and handed back.

use super::files;
use super::history::History;
use super::perform::{self, Done};
use super::turns::Turns;
use crate::host::{Clock, Driver, Durability, Human, Journal, JournalError, Line, Settlement, Workspace};
use crate::machine::{Effect, End, Issued, Machine, Outcome, Question, Task};
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Makes the text of a turn, or says why it cannot.
pub type MakePrompt = Arc<dyn Fn(&Task) -> Result<String, String> + Send + Sync>;
/// Keeps the bytes of a file under a name of its own, and answers what is kept there.
pub type Keep = Arc<dyn Fn(&str, Option<&[u8]>) -> std::io::Result<Option<Vec<u8>>> + Send + Sync>;
/// Decides about a turn that was begun and never ended.
pub type Settle = Arc<dyn Fn(&Issued, Option<&str>) -> Result<Settlement, String> + Send + Sync>;

/// Everybody and everything a run works with.
#[derive(Clone)]
pub struct Crew {
    /// The agent that performs the workflow.
    pub driver: Arc<dyn Driver>,
    /// Whoever answers questions.
    pub human: Arc<dyn Human>,
    /// The files.
    pub workspace: Arc<dyn Workspace>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Makes the text of a turn.
    pub prompt: MakePrompt,
    /// Keeps the bytes of a file that is about to change, under a name of its own; answers what is kept there.
    pub keep: Keep,
    /// Notes what the tree looks like before an agent may change it; answers a name for it.
    pub snapshot: Arc<dyn Fn() -> Result<Option<String>, String> + Send + Sync>,
    /// Decides about a turn that was begun and never ended; the name is what the tree looked like before it.
    pub settle: Settle,
    /// The folder of the project.
    pub root: PathBuf,
    /// A secret name of this run.
    pub token: String,
}

impl fmt::Debug for Crew {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Crew")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// Whoever watches a run.
pub type Watch<'a> = &'a mut dyn FnMut(Event<'_>);

/// What a watcher sees.
#[derive(Debug)]
pub enum Event<'a> {
    /// An effect begins; replayed ones are not told.
    Began(&'a Issued),
    /// An effect is recorded.
    Recorded(&'a Issued, &'a Outcome),
    /// Everything that was done before is replayed: how many effects.
    Replayed(u64),
    /// A file is not as the run left it.
    Drifted(&'a str),
}

/// How a run stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// It came to an end.
    Ended(Box<End>),
    /// Nobody answers these questions.
    Waiting(Vec<Question>),
    /// Somebody interrupted it.
    Interrupted,
}

/// Why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// The journal is damaged, or does not take what is written.
    Journal(JournalError),
    /// The tree could not be noted before an agent changes it, or not be put back.
    Snapshot(String),
    /// The run could not be started at all.
    Runtime(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Journal(error) => error.fmt(formatter),
            RunError::Snapshot(why) => write!(formatter, "the files around an agent's turn could not be kept: {why}"),
            RunError::Runtime(why) => write!(formatter, "the run could not be started: {why}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<JournalError> for RunError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// Runs a machine until it ends, waits for a person, or is interrupted.
///
/// # Errors
/// Answers what is wrong with the journal; whatever was recorded before is kept.
pub fn run(
    machine: &mut Machine<'_>,
    journal: &mut dyn Journal,
    history: &mut History,
    crew: &Crew,
    watch: Watch<'_>,
) -> Result<Stopped, RunError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| RunError::Runtime(error.to_string()))?;
    let mut running = Running {
        journal,
        history,
        crew,
        watch,
        work: JoinSet::new(),
        turns: Turns::new(crew.driver.works_on_files()),
    };
    let stopped = runtime.block_on(running.through(machine));
    // Whoever is still at work is not waited for: a person at a prompt would never come back.
    runtime.shutdown_background();
    stopped
}

/// Replays what was done before and returns what would be performed next.
///
/// # Errors
/// Answers what is wrong with the journal.
pub fn replay(machine: &mut Machine<'_>, history: &mut History) -> Result<Vec<Issued>, JournalError> {
    let mut issued = machine.advance(Vec::new());
    loop {
        let outcomes = history.replay(&mut issued)?;
        if outcomes.is_empty() {
            return Ok(issued);
        }
        issued.extend(machine.advance(outcomes));
    }
}

struct Running<'a> {
    journal: &'a mut dyn Journal,
    history: &'a mut History,
    crew: &'a Crew,
    watch: Watch<'a>,
    work: JoinSet<Done>,
    turns: Turns,
}

impl Running<'_> {
    async fn through(&mut self, machine: &mut Machine<'_>) -> Result<Stopped, RunError> {
        let mut issued = machine.advance(Vec::new());
        let mut open: Vec<Question> = Vec::new();
        let mut interrupt = std::pin::pin!(perform::interrupted());
        loop {
            let mut outcomes = self.history.replay(&mut issued)?;
            for question in self.history.take_asked() {
                self.crew.human.replayed(&question);
            }
            if outcomes.is_empty() {
                if let Some(replayed) = self.history.ended() {
                    (self.watch)(Event::Replayed(replayed));
                    for (path, hash) in self.history.written() {
                        if files::differs(path, hash, self.crew) {
                            (self.watch)(Event::Drifted(path));
                        }
                    }
                }
                self.turns.add(issued.drain(..));
                while let Some(it) = self.turns.next() {
                    outcomes.extend(self.begin(it)?);
                }
            }
            if outcomes.is_empty() {
                if let Some(end) = machine.end() {
                    return Ok(Stopped::Ended(Box::new(end.clone())));
                }
                let done = tokio::select! {
                    done = self.work.join_next() => done,
                    () = &mut interrupt => return Ok(Stopped::Interrupted),
                };
                match done {
                    None => return Ok(Stopped::Waiting(open)),
                    Some(Ok(Done {
                        issued,
                        outcome: Some(outcome),
                    })) => {
                        outcomes.push(self.record(&issued, outcome)?);
                        self.turns.ended(&issued.effect);
                    }
                    Some(Ok(Done { issued, outcome: None })) => {
                        if let Effect::Ask(question) = issued.effect {
                            open.push(*question);
                        }
                    }
                    Some(Err(error)) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Some(Err(_)) => return Ok(Stopped::Interrupted),
                }
            }
            issued.extend(machine.advance(outcomes));
        }
    }

    /// Begins an effect. What takes no time is done at once and answered; the rest is waited for.
    fn begin(&mut self, issued: Issued) -> Result<Option<(u64, Outcome)>, RunError> {
        (self.watch)(Event::Began(&issued));
        if issued.effect.changes() {
            self.journal.settle()?;
        }
        if issued.effect.is_costly() {
            self.intend(&issued)?;
        }
        if perform::takes_time(&issued.effect) {
            self.work.spawn(perform::later(issued, self.crew.clone()));
            return Ok(None);
        }
        let outcome = perform::now(&issued, self.crew);
        self.record(&issued, outcome).map(Some)
    }

    /// Says what is about to be paid for. One that was begun before and never ended is decided about first.
    fn intend(&mut self, issued: &Issued) -> Result<(), RunError> {
        if let Some(before) = self.history.unknown(&issued.key) {
            let choice = (self.crew.settle)(issued, before.as_deref()).map_err(RunError::Snapshot)?;
            let settled = Line::Settled {
                at: self.crew.clock.now(),
                key: issued.key.clone(),
                choice,
            };
            self.journal.append(&settled, Durability::Synced)?;
        }
        let works = issued.effect.changes() && self.crew.driver.works_on_files();
        let snapshot = match works {
            true => (self.crew.snapshot)().map_err(RunError::Snapshot)?,
            false => None,
        };
        let intent = Line::Intent {
            at: self.crew.clock.now(),
            key: issued.key.clone(),
            step: issued.step.clone(),
            driver: self.crew.driver.name().to_owned(),
            effect: Cow::Borrowed(&issued.effect),
            snapshot,
        };
        Ok(self.journal.append(&intent, Durability::Synced)?)
    }

    fn record(&mut self, issued: &Issued, outcome: Outcome) -> Result<(u64, Outcome), RunError> {
        let line = Line::Done {
            at: self.crew.clock.now(),
            key: issued.key.clone(),
            step: issued.step.clone(),
            effect: (!issued.effect.is_costly()).then_some(Cow::Borrowed(&issued.effect)),
            outcome: Cow::Borrowed(&outcome),
        };
        self.journal.append(&line, durability(&issued.effect))?;
        (self.watch)(Event::Recorded(issued, &outcome));
        Ok((issued.id, outcome))
    }
}

/// What can be looked at again is on the disk with the next line that has to be.
fn durability(effect: &Effect) -> Durability {
    match effect {
        Effect::Checkpoint(_) | Effect::Dispatch(_) | Effect::Judge(_) | Effect::Ask(_) | Effect::Write(_) => {
            Durability::Synced
        }
        Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Verify { .. }
        | Effect::Now => Durability::Buffered,
    }
}
