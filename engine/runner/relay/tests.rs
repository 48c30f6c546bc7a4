//! Agents that do what a script says, and a clock that goes with the time of the test.

mod ceilings;
mod cut;
mod limits;
mod talks;

use super::{Member, Patience, Relay};
use crate::host::{Call, Clock, Driver, Reply, Spent, Staff, Tokens, Turn, Wait};
use crate::machine::{Access, Failure, FailureKind, Key, Task};
use crate::runner::ledger::{Ledger, News};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

const BEGINNING: i64 = 1_794_723_365_000;

/// A clock that goes on with the paused time of a test.
struct Ticking(Instant);

impl Clock for Ticking {
    fn now(&self) -> i64 {
        BEGINNING + i64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// An agent that does what a script says, and replies when the script is over.
struct Scripted {
    name: &'static str,
    calls: Mutex<VecDeque<Call>>,
    /// Every turn as it was handed over, and when.
    turns: Mutex<Vec<(u64, Turn)>>,
    began: Instant,
    /// How long a call takes.
    takes: Duration,
}

impl Driver for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn works_on_files(&self) -> bool {
        true
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        let at = self.began.elapsed().as_secs();
        self.turns.lock().unwrap().push((at, (*turn).clone()));
        let next = self.calls.lock().unwrap().pop_front();
        Box::pin(async move {
            tokio::time::sleep(self.takes).await;
            next.unwrap_or_else(done)
        })
    }
}

fn done() -> Call {
    Ok(Reply::default()).into()
}

fn fails(kind: FailureKind) -> Call {
    Err(Failure {
        kind,
        message: format!("it is {}", kind.name()),
    })
    .into()
}

fn limited(seconds: i64) -> Call {
    Call {
        until: Some(BEGINNING + seconds * 1000),
        ..fails(FailureKind::RateLimited)
    }
}

fn spent(tokens: u64, cost: Option<f64>) -> Call {
    let tokens = Tokens {
        input: tokens,
        ..Tokens::default()
    };
    Call {
        spent: Spent {
            tokens: Some(tokens),
            cost,
        },
        ..done()
    }
}

/// A relay of scripted agents.
struct Team {
    relay: Relay,
    ledger: Arc<Ledger>,
    agents: Vec<Arc<Scripted>>,
    began: Instant,
}

impl Team {
    fn new(staff: Staff, patience: Patience, scripts: Vec<(&'static str, Vec<Call>)>) -> Self {
        let began = Instant::now();
        let agents: Vec<Arc<Scripted>> = scripts
            .into_iter()
            .map(|(name, calls)| {
                Arc::new(Scripted {
                    name,
                    calls: Mutex::new(calls.into()),
                    turns: Mutex::default(),
                    began,
                    takes: Duration::ZERO,
                })
            })
            .collect();
        let members = agents.iter().map(|agent| Member {
            spec: agent.name.to_owned(),
            driver: Arc::clone(agent) as Arc<dyn Driver>,
            model: None,
            models: ["haiku", "sonnet", "opus"]
                .map(|name| (name.to_owned(), format!("a-{name}")))
                .to_vec(),
            knows_tiers: false,
        });
        let ledger = Arc::new(Ledger::default());
        let clock = Arc::new(Ticking(began));
        let relay = Relay::new(members.collect(), staff, Arc::clone(&ledger), clock).with_patience(patience);
        Self {
            relay,
            ledger,
            agents,
            began,
        }
    }

    /// Takes a turn; answers how it ended in a word.
    async fn take(&self, turn: Turn) -> String {
        let key = key(&turn);
        let call = self.relay.perform(Arc::new(turn)).await;
        match (self.ledger.take_hold(&key), call.result) {
            (Some(hold), _) => match hold.until {
                Some(until) => format!("held until {} s", (until - BEGINNING) / 1000),
                None => "held".to_owned(),
            },
            (None, Ok(_)) => "done".to_owned(),
            (None, Err(failure)) => failure.kind.name().to_owned(),
        }
    }

    /// Returns when an agent was called, in seconds.
    fn called(&self, at: usize) -> Vec<u64> {
        self.agents[at]
            .turns
            .lock()
            .unwrap()
            .iter()
            .map(|(at, _)| *at)
            .collect()
    }

    fn turns(&self, at: usize) -> Vec<Turn> {
        self.agents[at]
            .turns
            .lock()
            .unwrap()
            .iter()
            .map(|(_, turn)| turn.clone())
            .collect()
    }

    fn seconds(&self) -> u64 {
        self.began.elapsed().as_secs()
    }

    /// Returns how the calls that the journal is told of ended.
    fn told(&self) -> Vec<String> {
        let news = self.ledger.take_news().into_iter();
        news.filter_map(|news| match news {
            News::Called(called) => Some(called.class.map_or("done", FailureKind::name).to_owned()),
            News::Told(_) => None,
        })
        .collect()
    }
}

fn key(turn: &Turn) -> Key {
    Key {
        lane: turn.lane.as_str().into(),
        digest: turn.digest.as_str().into(),
        n: turn.n,
    }
}

/// A turn of the main line.
fn turn(digest: &str) -> Turn {
    Turn {
        task: Task {
            workflow: "dev".to_owned(),
            step: "1".to_owned(),
            attempt: 1,
            ..Task::default()
        },
        digest: digest.to_owned(),
        lane: "0".to_owned(),
        token: "token".to_owned(),
        ..Turn::default()
    }
}

fn attempt(digest: &str, attempt: u32) -> Turn {
    let mut turn = turn(digest);
    turn.task.attempt = attempt;
    turn
}

/// A review beside others.
fn review(digest: &str, attempt: u32) -> Turn {
    let mut turn = turn(digest);
    turn.task.attempt = attempt;
    turn.task.access = Access::Read;
    turn.task.prompt = "Look.".to_owned();
    turn.lane = "0.1.2".to_owned();
    turn
}

fn with_fallback(names: &[&str]) -> Staff {
    Staff {
        fallback: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Staff::default()
    }
}

/// Runs a test in a time that goes on only where everybody waits.
fn paused<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime.unwrap().block_on(test)
}
