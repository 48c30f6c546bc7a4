//! A turn on its way from agent to agent.

use super::conduct::is_review;
use crate::host::{Call, Turn};
use crate::machine::{Key, Mode};
use crate::runner::chance::backoff;
use crate::runner::ledger::Ledger;
use crate::runner::route::Route;
use std::time::Duration;

/// How often somebody whose service is busy is asked before somebody else is.
const MOST_CALLS: u32 = 3;
/// How far away a stated moment may be that is waited for without more ado, in milliseconds.
const NEAR: i64 = 60_000;

/// A turn on its way.
pub(super) struct Course<'a> {
    pub(super) turn: &'a Turn,
    pub(super) route: Route,
    /// Agents that are not asked again for this turn.
    pub(super) passed: Vec<String>,
    /// How often the present agent was asked.
    pub(super) calls: u32,
    /// How often anybody was.
    pub(super) all: u32,
    /// Whether the next call begins a conversation of its own.
    pub(super) anew: bool,
    /// What came last.
    pub(super) last: Option<Call>,
}

impl<'a> Course<'a> {
    pub(super) fn of(turn: &'a Turn, route: Route) -> Self {
        Self {
            turn,
            route,
            passed: Vec::new(),
            calls: 0,
            all: 0,
            anew: false,
            last: None,
        }
    }

    pub(super) fn key(&self) -> Key {
        Key {
            lane: self.turn.lane.as_str().into(),
            digest: self.turn.digest.as_str().into(),
            n: self.turn.n,
        }
    }

    /// Returns what chance comes from.
    pub(super) fn seed(&self, what: &str) -> String {
        format!(
            "{what} {} {} {} {}",
            self.turn.lane, self.turn.digest, self.turn.n, self.all
        )
    }

    /// Says whether it is a review beside others, which the rest can do without.
    pub(super) fn is_review(&self) -> bool {
        is_review(self.turn)
    }

    /// Returns how long to wait before the same agent is asked again; nothing where that is too long or too often.
    pub(super) fn soon(&self, until: Option<i64>, now: i64) -> Option<Duration> {
        let stated = until.map_or(0, |until| until - now);
        if self.calls >= MOST_CALLS || stated > NEAR {
            return None;
        }
        let stated = Duration::from_millis(u64::try_from(stated).unwrap_or_default());
        Some(backoff(self.calls, &self.seed("busy")).max(stated))
    }

    /// Says whether the last call went on with a conversation.
    pub(super) fn goes_on(&self, ledger: &Ledger) -> bool {
        let after = self.turn.task.after.as_deref();
        let went_on = after.is_some_and(|it| ledger.talk(&self.turn.lane, it).is_some());
        self.turn.task.mode == Mode::Session && went_on && self.calls < MOST_CALLS
    }
}
