//! The loop: what was done before is taken from the journal, the rest is performed, recorded, and handed back.

use super::files;
use super::history::History;
use super::hooks::{Hooking, Hooks};
use super::perform::{self, Done};
use super::turns::Turns;
use super::unfinished;
use crate::host::{Clock, Driver, Durability, Hooked, Human, Journal, JournalError, Line, Settlement, Workspace};
use crate::machine::{Effect, End, Issued, Key, Machine, Outcome, Question, Returned, Task};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};

/// Makes the text of a turn, or says why it cannot.
pub type MakePrompt = Arc<dyn Fn(&Task) -> Result<String, String> + Send + Sync>;
/// Keeps the bytes of a file under a name of its own, and answers what is kept there.
pub type Keep = Arc<dyn Fn(&str, Option<&[u8]>) -> std::io::Result<Option<Vec<u8>>> + Send + Sync>;
/// Does something with what the tree looked like before a turn, by its name.
pub type WithSnapshot<T> = Arc<dyn Fn(&str) -> Result<T, String> + Send + Sync>;

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
    /// Lists what is different from a snapshot, in words.
    pub left_behind: WithSnapshot<Vec<String>>,
    /// Makes everything what it was in a snapshot.
    pub put_back: WithSnapshot<()>,
    /// What runs around effects.
    pub hooks: Hooks,
    /// What becomes of the files that a turn left behind when it was cut off, where that was said.
    pub unfinished: Option<Settlement>,
    /// How often it is told that somebody is still waited for.
    pub beat: Duration,
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
    /// What a turn that was cut off left behind, and what became of it.
    Settled(Settlement, &'a str),
    /// A hook ran, or was kept from it.
    Hooked(&'a Hooked),
    /// Something that a person should know.
    Noted(&'a str),
    /// Somebody is waited for, for this long.
    Waited(Duration),
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
        ready: Vec::new(),
        untold: Vec::new(),
        began: HashMap::new(),
        hooks: Hooking::new(&crew.hooks),
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

/// Somebody who was waited for.
type Joined = Result<Done, JoinError>;

pub(super) struct Running<'a> {
    pub(super) journal: &'a mut dyn Journal,
    pub(super) history: &'a mut History,
    pub(super) crew: &'a Crew,
    pub(super) watch: Watch<'a>,
    work: JoinSet<Done>,
    turns: Turns,
    /// What is about to be started, once its intents are on the disk.
    ready: Vec<Issued>,
    /// Turns that are recorded, and not told because they may not be on the disk.
    untold: Vec<(Issued, Outcome)>,
    /// When turns that are not over began.
    began: HashMap<Key, i64>,
    pub(super) hooks: Hooking,
}

impl Running<'_> {
    async fn through(&mut self, machine: &mut Machine<'_>) -> Result<Stopped, RunError> {
        let mut issued = machine.advance(Vec::new());
        let mut open: Vec<Question> = Vec::new();
        let mut interrupt = std::pin::pin!(perform::interrupted());
        loop {
            if let Some(stop) = self.hooks.stop.take() {
                return Ok(stop);
            }
            let mut outcomes = self.history.replay(&mut issued)?;
            self.hooks.replayed(&outcomes);
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
                self.hook_owed().await?;
                self.turns.add(issued.drain(..));
                outcomes = self.begin_all().await?;
            }
            if outcomes.is_empty() && self.hooks.stop.is_none() {
                if let Some(end) = machine.end() {
                    return self.hook_end(end).await;
                }
                let first = tokio::select! {
                    done = self.next_ended() => done,
                    () = &mut interrupt => return Ok(Stopped::Interrupted),
                };
                let Some(first) = first else {
                    return Ok(Stopped::Waiting(open));
                };
                let Some(done) = self.ended_together(first, &mut open) else {
                    return Ok(Stopped::Interrupted);
                };
                outcomes = self.record(done)?;
                self.hook_after(&outcomes).await?;
            }
            issued.extend(machine.advance(outcomes));
        }
    }

    /// Begins what may begin now, and answers what is already done. What is waited for starts last, all together, so
    /// that the disk is waited for once.
    async fn begin_all(&mut self) -> Result<Vec<Returned>, RunError> {
        let mut outcomes = Vec::new();
        while let Some(issued) = self.turns.next() {
            if !self.hook_before(&issued).await? {
                return Ok(outcomes);
            }
            if issued.effect.is_costly() {
                self.intend(&issued).await?;
            }
            if perform::takes_time(&issued.effect) {
                self.ready.push(issued);
                continue;
            }
            if issued.effect.changes() || !self.untold.is_empty() {
                self.settle()?;
            }
            (self.watch)(Event::Began(&issued));
            let outcome = perform::now(&issued, self.crew);
            let recorded = self.record(vec![(issued, outcome)])?;
            self.hook_after(&recorded).await?;
            outcomes.extend(recorded);
            if self.hooks.stop.is_some() {
                return Ok(outcomes);
            }
        }
        if !self.ready.is_empty() || !self.untold.is_empty() {
            self.settle()?;
        }
        for issued in std::mem::take(&mut self.ready) {
            (self.watch)(Event::Began(&issued));
            let given = self.hook_given(&issued);
            self.work.spawn(perform::later(issued, self.crew.clone(), given));
        }
        Ok(outcomes)
    }

    /// Waits for somebody, and says from time to time that it does.
    async fn next_ended(&mut self) -> Option<Joined> {
        let mut waited = Duration::ZERO;
        loop {
            match tokio::time::timeout(self.crew.beat, self.work.join_next()).await {
                Ok(done) => return done,
                // A person may take all the time they want.
                Err(_) if self.began.is_empty() => {}
                Err(_) => {
                    waited += self.crew.beat;
                    (self.watch)(Event::Waited(waited));
                }
            }
        }
    }

    /// Collects everybody who is done by now; a question without an answer stays open. Nothing means that the run is
    /// being torn down.
    fn ended_together(&mut self, first: Joined, open: &mut Vec<Question>) -> Option<Vec<(Issued, Outcome)>> {
        let mut ended = Vec::new();
        let mut next = Some(first);
        while let Some(joined) = next {
            let Done { issued, outcome } = match joined {
                Ok(done) => done,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => return None,
            };
            match (outcome, issued.effect) {
                (Some(outcome), effect) => ended.push((Issued { effect, ..issued }, outcome)),
                (None, Effect::Ask(question)) => open.push(*question),
                (None, _) => {}
            }
            next = self.work.try_join_next();
        }
        Some(ended)
    }

    /// Says what is about to be paid for. One that was begun before and never ended is decided about first.
    async fn intend(&mut self, issued: &Issued) -> Result<(), RunError> {
        if let Some(before) = self.history.unknown(&issued.key) {
            let settled = unfinished::settle(issued, before.as_deref(), self.crew);
            let (choice, told) = settled.await.map_err(RunError::Snapshot)?;
            if !told.is_empty() {
                (self.watch)(Event::Settled(choice, &told));
            }
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
        let at = self.crew.clock.now();
        self.began.insert(issued.key.clone(), at);
        let intent = Line::Intent {
            at,
            key: issued.key.clone(),
            step: issued.step.clone(),
            driver: self.crew.driver.name().to_owned(),
            effect: Cow::Borrowed(&issued.effect),
            snapshot,
        };
        Ok(self.journal.append(&intent, Durability::Buffered)?)
    }

    /// Puts every line on the disk, and tells of what waited for that.
    fn settle(&mut self) -> Result<(), RunError> {
        self.journal.settle()?;
        for (issued, outcome) in self.untold.drain(..) {
            (self.watch)(Event::Recorded(&issued, &outcome));
        }
        Ok(())
    }

    /// Records what is done, and tells of it once it is on the disk. Turns wait for the disk together with those that
    /// begin after them.
    fn record(&mut self, done: Vec<(Issued, Outcome)>) -> Result<Vec<Returned>, RunError> {
        let at = self.crew.clock.now();
        for (issued, outcome) in &done {
            let line = Line::Done {
                at,
                key: issued.key.clone(),
                step: issued.step.clone(),
                effect: (!issued.effect.is_costly()).then_some(Cow::Borrowed(&issued.effect)),
                outcome: Cow::Borrowed(outcome),
            };
            self.journal.append(&line, Durability::Buffered)?;
        }
        if done.iter().any(|(issued, _)| perform::is_kept_at_once(&issued.effect)) {
            self.settle()?;
        }
        let mut outcomes = Vec::with_capacity(done.len());
        for (issued, outcome) in done {
            self.turns.ended(&issued.effect);
            let began = self.began.remove(&issued.key).unwrap_or(at);
            let took = u64::try_from(at - began).unwrap_or_default();
            if issued.effect.is_costly() {
                self.untold.push((issued.clone(), outcome.clone()));
            } else {
                (self.watch)(Event::Recorded(&issued, &outcome));
            }
            outcomes.push(Returned { issued, took, outcome });
        }
        Ok(outcomes)
    }
}
