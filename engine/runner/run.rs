//! The loop: what was done before is taken from the journal, the rest is performed, recorded, and handed back.

use super::ceilings::Hold;
use super::commands;
use super::crew::{Crew, Event, RunError, Stopped, Watch};
use super::history::History;
use super::hooks::Hooking;
use super::interrupt::Interrupt;
use super::ledger::News;
use super::own::OwnWrites;
use super::perform::{self, Done};
use super::readers::Readers;
use super::turns::Turns;
use crate::host::{Durability, Journal, Line, Workspace};
use crate::machine::{Effect, Issued, Key, Machine, Outcome, Question, Returned};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};

/// Runs a machine until it ends, waits for a person, is parked, or is interrupted.
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
    let own = Arc::new(OwnWrites::over(Arc::clone(&crew.workspace)));
    let crew = &Crew {
        workspace: Arc::clone(&own) as Arc<dyn Workspace>,
        ..crew.clone()
    };
    let mut running = Running {
        journal,
        history,
        crew,
        own: &own,
        watch,
        work: JoinSet::new(),
        turns: Turns::new(crew.driver.works_on_files()),
        readers: Readers::default(),
        ready: Vec::new(),
        untold: Vec::new(),
        began: HashMap::new(),
        hooks: Hooking::new(&crew.hooks),
        held: None,
        unmended: false,
    };
    let stopped = runtime.block_on(running.through(machine));
    let stopped = stopped.and_then(|stopped| running.cut_off().map(|()| stopped));
    // Whoever is still at work is not waited for: a person at a prompt would never come back.
    runtime.shutdown_background();
    stopped
}

/// How often it is looked whether others end when one has: one look brings on what the next one finds.
const LOOKS: usize = 8;

/// How many turns start together. Where there are more, the first are at work while the next are written down.
const TOGETHER: usize = 8;

/// Somebody who was waited for.
type Joined = Result<Done, JoinError>;

pub(super) struct Running<'a> {
    pub(super) journal: &'a mut dyn Journal,
    pub(super) history: &'a mut History,
    pub(super) crew: &'a Crew,
    pub(super) own: &'a OwnWrites,
    pub(super) watch: Watch<'a>,
    work: JoinSet<Done>,
    turns: Turns,
    pub(super) readers: Readers,
    /// What is about to be started, once its intents are on the disk.
    ready: Vec<Issued>,
    /// Turns that are recorded, and not told because they may not be on the disk.
    untold: Vec<(Issued, Outcome)>,
    pub(super) hooks: Hooking,
    /// Turns and commands that are not over.
    pub(super) began: HashMap<Key, UnderWay>,
    /// Why nobody is asked any more.
    held: Option<Hold>,
    /// Whether files may hold what something wrote that was left behind.
    pub(super) unmended: bool,
}

/// A turn or a command that is not over.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    /// When it began.
    pub(super) at: i64,
    /// How often it was begun before.
    pub(super) times: u32,
    /// How many milliseconds its calls took, where any ended: waiting between them is not work.
    pub(super) took: Option<u64>,
    /// What the tree looked like before it, where that was noted.
    pub(super) before: Option<String>,
}

impl Running<'_> {
    async fn through(&mut self, machine: &mut Machine<'_>) -> Result<Stopped, RunError> {
        let mut interrupt = Interrupt::new(self.crew);
        if interrupt.has_come_while(self.crew.survivors.clone()).await {
            return Ok(Stopped::Interrupted);
        }
        let (mut issued, mut open) = (machine.advance(Vec::new()), Vec::<Question>::new());
        loop {
            if let Some(stop) = self.hooks.stop.take() {
                return Ok(stop);
            }
            if interrupt.has_come_meanwhile(machine.is_busy()).await {
                return self.interrupted();
            }
            if machine.is_busy() {
                issued.extend(machine.advance(Vec::new()));
                continue;
            }
            let mut outcomes = self.history.replay(&mut issued)?;
            self.hooks.replayed(&outcomes);
            self.remember();
            if outcomes.is_empty() {
                // Much may have been replayed, and what comes next is not undone.
                if self.tell_replayed()? && interrupt.has_come_by_now().await {
                    return self.interrupted();
                }
                self.hook_owed().await?;
                self.history.put_cut_off_first(&mut issued);
                self.turns.add(issued.drain(..));
                // Of many turns the first are at work before anybody is waited for.
                if self.turns.count() >= TOGETHER && interrupt.has_come().await {
                    return self.interrupted();
                }
                if self.held.is_none() {
                    outcomes = self.begin_all().await?;
                }
            }
            if outcomes.is_empty() && self.hooks.stop.is_none() {
                if let Some(end) = machine.end() {
                    self.leave_rest(end).await?;
                    return self.hook_end(end).await;
                }
                if let Some(parked) = self.parked()? {
                    return Ok(parked);
                }
                let first = tokio::select! {
                    done = self.next_ended() => done?,
                    () = interrupt.wait() => return self.interrupted(),
                };
                let Some(first) = first else {
                    return Ok(Stopped::Waiting(open));
                };
                self.let_others_end().await;
                let Some(done) = self.ended_together(first, &mut open) else {
                    return Ok(Stopped::Interrupted);
                };
                outcomes = self.looked_at(done).await?;
            }
            issued.extend(machine.advance(outcomes));
        }
    }

    /// Looks at what came of whoever ended, and records it.
    async fn looked_at(&mut self, mut done: Vec<(Issued, Outcome)>) -> Result<Vec<Returned>, RunError> {
        self.verify_readers(&mut done)?;
        self.note_changes(&mut done)?;
        let outcomes = self.record(done)?;
        self.hook_after(&outcomes).await?;
        Ok(outcomes)
    }

    /// Stops where nobody is asked any more. Whoever is still at work is waited for: it is paid for.
    fn parked(&mut self) -> Result<Option<Stopped>, RunError> {
        let Some(Hold { until, why }) = self.held.take_if(|_| self.began.is_empty()) else {
            return Ok(None);
        };
        self.settle()?;
        Ok(Some(Stopped::Parked { until, why }))
    }

    /// Begins what may begin now, and answers what is already done. What is waited for starts several at a time, so that
    /// the disk is waited for once for all of them.
    async fn begin_all(&mut self) -> Result<Vec<Returned>, RunError> {
        let mut outcomes = Vec::new();
        while let Some(issued) = self.turns.next() {
            if let Some(outcome) = commands::refused(&issued, self.crew).or_else(|| self.settled(&issued)) {
                outcomes.extend(self.record(vec![(issued, outcome)])?);
                continue;
            }
            if !self.hook_before(&issued).await? {
                return Ok(outcomes);
            }
            self.depart(&issued).await?;
            if issued.effect.is_costly() && self.hooks.stop.is_none() {
                self.intend(&issued).await?;
            }
            if self.hooks.stop.is_some() {
                return Ok(outcomes);
            }
            if perform::takes_time(&issued.effect) {
                self.ready.push(issued);
                // A hook that comes before a turn may stop the run: then nobody should be at work.
                if self.ready.len() == TOGETHER && self.hooks.is_idle() {
                    self.start_ready()?;
                    tokio::task::yield_now().await;
                }
                continue;
            }
            if issued.effect.changes() || !self.untold.is_empty() {
                self.settle()?;
            }
            (self.watch)(Event::Began(&issued));
            let outcome = self.perform_now(&issued)?;
            let recorded = self.record(vec![(issued, outcome)])?;
            self.hook_after(&recorded).await?;
            outcomes.extend(recorded);
            if self.hooks.stop.is_some() {
                return Ok(outcomes);
            }
        }
        self.start_ready()?;
        Ok(outcomes)
    }

    /// Starts what is ready, once that it begins is on the disk.
    fn start_ready(&mut self) -> Result<(), RunError> {
        if !self.ready.is_empty() || !self.untold.is_empty() {
            self.settle()?;
        }
        for issued in std::mem::take(&mut self.ready) {
            (self.watch)(Event::Began(&issued));
            let given = self.hook_given(&issued);
            let times = self.began.get(&issued.key).map_or(0, |turn| turn.times);
            self.work.spawn(perform::later(issued, self.crew.clone(), times, given));
        }
        Ok(())
    }

    /// Waits for somebody, and says from time to time that it does. What a call used is on the disk before another one
    /// is made for the same turn.
    async fn next_ended(&mut self) -> Result<Option<Joined>, RunError> {
        let mut waited = Duration::ZERO;
        loop {
            let next = async {
                tokio::select! {
                    biased;
                    done = self.work.join_next() => Some(done),
                    () = self.crew.ledger.told() => None,
                }
            };
            match tokio::time::timeout(self.crew.beat, next).await {
                Ok(Some(done)) => return Ok(done),
                Ok(None) => {
                    if self.take_news()? {
                        self.settle()?;
                    }
                }
                // A person may take all the time they want.
                Err(_) if self.began.is_empty() => {}
                Err(_) => {
                    waited += self.crew.beat;
                    (self.watch)(Event::Waited(waited));
                }
            }
        }
    }

    /// Writes down which calls ended, and tells what a person should know; answers whether anything was written.
    pub(super) fn take_news(&mut self) -> Result<bool, RunError> {
        let mut wrote = false;
        for news in self.crew.ledger.take_news() {
            match news {
                News::Told(text) => (self.watch)(Event::Told(&text)),
                News::Called(called) => {
                    if let Some(turn) = self.began.get_mut(&called.key) {
                        turn.took = Some(turn.took.unwrap_or_default() + called.took);
                    }
                    (self.watch)(Event::Called(&called));
                    self.journal.append(&Line::Called(called), Durability::Buffered)?;
                    wrote = true;
                }
            }
        }
        Ok(wrote)
    }

    /// Lets those who are just ending come to their end: what is written down together waits for the disk once.
    async fn let_others_end(&self) {
        let looks = if self.began.len() > 1 { LOOKS } else { 0 };
        for _ in 0..looks {
            tokio::task::yield_now().await;
        }
    }

    /// Collects everybody who is done by now; a question without an answer stays open. Nothing means that the run is
    /// being torn down.
    fn ended_together(&mut self, first: Joined, open: &mut Vec<Question>) -> Option<Vec<(Issued, Outcome)>> {
        let mut ended = Vec::new();
        let mut next = Some(first);
        while let Some(joined) = next {
            let Done { issued, outcome, hold } = match joined {
                Ok(done) => done,
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => return None,
            };
            if let Some(hold) = hold {
                self.began.remove(&issued.key);
                let known = self.held.get_or_insert_with(|| hold.clone());
                known.until = known.until.or(hold.until);
            }
            match (outcome, issued.effect) {
                (Some(outcome), effect) => ended.push((Issued { effect, ..issued }, outcome)),
                (None, Effect::Ask(question)) => open.push(*question),
                (None, _) => {}
            }
            next = self.work.try_join_next();
        }
        Some(ended)
    }

    /// Puts every line on the disk, and tells of what waited for that.
    pub(super) fn settle(&mut self) -> Result<(), RunError> {
        self.journal.settle()?;
        for (issued, outcome) in self.untold.drain(..) {
            (self.watch)(Event::Recorded(&issued, &outcome));
        }
        Ok(())
    }

    /// Records what is done, and tells of it once it is on the disk. Turns wait for the disk together with those that
    /// begin after them.
    pub(super) fn record(&mut self, done: Vec<(Issued, Outcome)>) -> Result<Vec<Returned>, RunError> {
        self.take_news()?;
        let at = self.crew.clock.now();
        for (issued, outcome) in &done {
            self.departed(issued)?;
            self.history.did(issued, outcome);
            let line = Line::Done {
                at,
                key: issued.key.clone(),
                step: issued.step.to_string(),
                effect: (!self.began.contains_key(&issued.key)).then_some(Cow::Borrowed(&issued.effect)),
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
            let turn = self.began.remove(&issued.key);
            let whole = |turn: &UnderWay| u64::try_from(at - turn.at).unwrap_or_default();
            let took = turn.map_or(0, |turn| turn.took.unwrap_or_else(|| whole(&turn)));
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
