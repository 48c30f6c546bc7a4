//! Calls of agents in; what they used, the conversations they left, and what the journal has to be told out.
//!
//! Everything in it comes from the journal: a run that goes on counts what it used before.

use super::ceilings::{Count, Dearest, Hold, Scope, check};
use super::used::Used;
use crate::host::{Called, Limits, Spent};
use crate::machine::{FailureKind, Key};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// What is kept about the calls of a run.
#[derive(Debug, Default)]
pub struct Ledger {
    books: Mutex<Books>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Books {
    /// What the journal and the person have not been told yet.
    news: Vec<News>,
    run: Count,
    /// The most that a call of each agent used.
    dearest: Dearest,
    workflows: HashMap<String, Count>,
    steps: HashMap<(String, String), Count>,
    /// The conversation after a turn, by lane and digest.
    talks: HashMap<(String, String), Talk>,
    /// What was counted of a conversation.
    counted: HashMap<String, Spent>,
    /// Conversations that know of what was rolled back.
    spoilt: HashSet<String>,
    /// How many calls were made for a turn.
    tries: HashMap<Key, u32>,
    /// Calls in a row that came to nothing, by lane.
    failures: HashMap<String, u32>,
    /// Calls that are not over, each as it is told where it is cut off.
    open: HashMap<Key, Called>,
    /// How many calls for a turn were cut off in earlier processes, and nothing tells of them.
    lost: HashMap<Key, u32>,
    /// Whether a call was cut off in this process.
    is_cut: bool,
    /// Turns that nobody can or may take now.
    holds: HashMap<Key, Hold>,
    /// Turns that are taken once somebody can be asked: nothing of them is under way.
    waits: HashMap<Key, Hold>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum News {
    /// A call ended.
    Called(Box<Called>),
    /// A person should know this.
    Told(String),
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Talk {
    /// Who had it.
    pub(super) driver: String,
    /// Its name.
    pub(super) session: String,
}

impl Ledger {
    /// Returns what was used by all calls of the run so far.
    pub fn used(&self) -> Used {
        self.books().run.used
    }

    /// Takes a call of an earlier process; one that was rolled back was still paid for.
    pub(super) fn replayed(&self, called: &Called, void: bool) {
        let mut books = self.books();
        books.enter(called);
        if let Some(session) = called.session.clone().filter(|_| void) {
            books.spoilt.insert(session);
        }
    }

    /// Refuses a call that may not be made, or notes that it is under way.
    pub(super) fn begin(&self, (workflow, step): (&str, &str), limits: &Limits, now: i64) -> Result<(), Hold> {
        let mut books = self.books();
        let dearest = books.dearest.clone();
        books.each(workflow, step, |scope, count| {
            check(scope, count, limits, &dearest, now)
        })?;
        books.each(workflow, step, |_, count| {
            count.under_way += 1;
            Ok(())
        })
    }

    /// Notes that a call that was about to be made is not made.
    pub(super) fn cancel(&self, (workflow, step): (&str, &str)) {
        self.books().over(workflow, step);
    }

    /// Notes that calls for a turn were cut off in earlier processes, and that nothing tells of them yet.
    pub(super) fn lose(&self, key: &Key, calls: u32) {
        if calls > 0 {
            self.books().lost.insert(key.clone(), calls);
        }
    }

    /// Tells of the calls for a turn that were cut off in earlier processes: they may have been paid for.
    pub(super) fn tell_lost(&self, called: &Called) {
        let mut books = self.books();
        let Some(lost) = books.lost.remove(&called.key) else {
            return;
        };
        for _ in 0..lost {
            books.enter(called);
            books.news.push(News::Called(Box::new(called.clone())));
        }
        self.news.notify_one();
    }

    /// Notes that a call is made, and what is told of it where it is cut off.
    pub(super) fn open(&self, called: Called) {
        self.books().open.insert(called.key.clone(), called);
    }

    /// Cuts off every call that is not over.
    pub(super) fn cut_off(&self, now: i64) {
        let mut books = self.books();
        let mut open: Vec<Called> = books.open.drain().map(|(_, called)| called).collect();
        open.sort_by(|one, two| one.key.cmp(&two.key));
        for mut called in open {
            called.took = u64::try_from(now - called.at).unwrap_or_default();
            called.at = now;
            books.over(&called.workflow, &called.step);
            books.enter(&called);
            books.is_cut = true;
            books.news.push(News::Called(Box::new(called)));
        }
    }

    /// Says whether a call was cut off in this process.
    pub fn is_cut(&self) -> bool {
        self.books().is_cut
    }

    /// Notes that a call ended.
    pub(super) fn end(&self, called: Called) {
        let mut books = self.books();
        books.open.remove(&called.key);
        books.over(&called.workflow, &called.step);
        books.enter(&called);
        books.news.push(News::Called(Box::new(called)));
        self.news.notify_one();
    }

    /// Tells the person something.
    pub fn tell(&self, text: String) {
        self.books().news.push(News::Told(text));
        self.news.notify_one();
    }

    /// Waits until there is something to tell.
    pub(super) async fn told(&self) {
        self.news.notified().await;
    }

    /// Takes what happened since the last time.
    pub(super) fn take_news(&self) -> Vec<News> {
        std::mem::take(&mut self.books().news)
    }

    /// Returns how many seconds agents may still be at work, where that is limited.
    pub(super) fn seconds_left(&self, (workflow, step): (&str, &str), limits: &Limits) -> Option<u32> {
        let mut least: Option<u64> = None;
        let mut books = self.books();
        // Nothing is refused here.
        drop(books.each(workflow, step, |scope, count| {
            if let Some(most) = scope.ceiling(limits).time {
                let left = (most * 1000).saturating_sub(count.used.took).div_ceil(1000);
                least = Some(least.map_or(left, |least| least.min(left)));
            }
            Ok(())
        }));
        least.map(|least| u32::try_from(least).unwrap_or(u32::MAX))
    }

    /// Notes that nobody can or may take a turn now.
    pub(super) fn hold(&self, key: Key, hold: Hold) {
        self.books().holds.insert(key, hold);
    }

    /// Takes the note, where there is one.
    pub(super) fn take_hold(&self, key: &Key) -> Option<Hold> {
        self.books().holds.remove(key)
    }

    /// Notes that a turn waits until somebody can be asked.
    pub(super) fn wait(&self, key: Key, hold: Hold) {
        self.books().waits.insert(key, hold);
    }

    /// Notes that a turn goes on.
    pub(super) fn go_on(&self, key: &Key) {
        self.books().waits.remove(key);
    }

    /// Says what turns wait for, where all of them only wait.
    pub(super) fn waiting<'k>(&self, keys: impl Iterator<Item = &'k Key>) -> Option<Hold> {
        let books = self.books();
        let holds: Option<Vec<&Hold>> = keys.map(|key| books.waits.get(key)).collect();
        let holds = holds?;
        let first = holds.first()?;
        Some(Hold {
            until: holds.iter().find_map(|hold| hold.until),
            why: first.why.clone(),
        })
    }

    /// Finds the conversation that a turn was part of.
    pub(super) fn talk(&self, lane: &str, digest: &str) -> Option<Talk> {
        let books = self.books();
        let talk = books.talks.get(&(lane.to_owned(), digest.to_owned()))?;
        (!books.spoilt.contains(&talk.session)).then(|| talk.clone())
    }

    /// Returns what was counted of a conversation.
    pub(super) fn counted(&self, session: &str) -> Spent {
        self.books().counted.get(session).copied().unwrap_or_default()
    }

    /// Returns how many calls were made for a turn.
    pub(super) fn tries(&self, key: &Key) -> u32 {
        self.books().tries.get(key).copied().unwrap_or_default()
    }

    /// Returns how many calls in a row came to nothing in a lane.
    pub(super) fn failures(&self, lane: &str) -> u32 {
        self.books().failures.get(lane).copied().unwrap_or_default()
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    /// Does something with the count of the run, of a workflow and of a step.
    fn each(
        &mut self,
        workflow: &str,
        step: &str,
        mut with: impl FnMut(Scope<'_>, &mut Count) -> Result<(), Hold>,
    ) -> Result<(), Hold> {
        with(Scope::Run, &mut self.run)?;
        let own = self.workflows.entry(workflow.to_owned()).or_default();
        with(Scope::Workflow(workflow), own)?;
        let place = (workflow.to_owned(), step.to_owned());
        with(Scope::Step(workflow, step), self.steps.entry(place).or_default())
    }

    fn over(&mut self, workflow: &str, step: &str) {
        // Nothing is refused here.
        drop(self.each(workflow, step, |_, count| {
            count.under_way = count.under_way.saturating_sub(1);
            Ok(())
        }));
    }

    fn enter(&mut self, called: &Called) {
        // Nothing is refused here.
        drop(self.each(&called.workflow, &called.step, |_, count| {
            count.add(called);
            Ok(())
        }));
        self.dearest.add(called);
        *self.tries.entry(called.key.clone()).or_default() += 1;
        let lane = called.key.lane.to_string();
        match called.class {
            // Whoever cut it off says nothing about the agent.
            None if called.cut => {}
            Some(class) if is_trouble(class) => *self.failures.entry(lane).or_default() += 1,
            Some(_) | None => drop(self.failures.remove(&lane)),
        }
        let Some(session) = called.session.clone().filter(|_| !called.cut) else {
            return;
        };
        let counted = self.counted.entry(session.clone()).or_default();
        *counted = counted.plus(called.spent);
        let driver = called.driver.clone();
        let place = (called.key.lane.to_string(), called.key.digest.to_string());
        self.talks.insert(place, Talk { driver, session });
    }
}

/// Says whether a call came to nothing for a reason that may be gone after a while.
fn is_trouble(class: FailureKind) -> bool {
    match class {
        FailureKind::Crashed
        | FailureKind::Timeout
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::Auth
        | FailureKind::Limit
        | FailureKind::Stuck => true,
        FailureKind::Malformed
        | FailureKind::Denied
        | FailureKind::Files
        | FailureKind::Escapes
        | FailureKind::Missing
        | FailureKind::TooLong
        | FailureKind::Refused => false,
    }
}
