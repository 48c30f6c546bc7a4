//! The state of a review, its tracker and the last words of an agent in, whether the agent may stop out. Pure.
//!
//! Only a tag that is really there is a signal, and a promise counts only where nothing is open. A limit always lets the
//! agent go: nobody is trapped.

mod moment;
mod said;
mod signal;
mod state;
mod tally;
#[cfg(test)]
mod tests;

pub use moment::milliseconds;
pub use said::last_message;
pub use signal::Signal;
pub use state::LoopState;
pub use tally::{Tally, tally};

/// Everything that decides.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// Where the review stands.
    pub state: &'a LoopState,
    /// The last words of the agent.
    pub said: &'a str,
    /// What is left to do.
    pub tally: Tally,
    /// The time, in milliseconds since 1970.
    pub now: i64,
    /// Whether the agent works on only because it was kept from stopping before.
    pub is_again: bool,
    /// How many times in a row the agent's own program lets a hook keep it from stopping.
    pub cap: Option<u64>,
}

/// Whether an agent may stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may.
    Release(Release),
    /// It has to go on; whether it promised what is not true.
    Hold {
        /// Whether it said that everything is resolved.
        promised: bool,
    },
}

/// Why an agent may stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Release {
    /// It promised that everything is resolved, and so it is.
    Complete,
    /// It needs a person, and says what for.
    Blocked(String),
    /// It ran out of time, and says why.
    TimedOut(String),
    /// A limit of the review is reached.
    Limit(Limit),
    /// It said nothing of it, and there is nothing to do.
    NothingOpen,
    /// Its own program would let it stop now, without a word.
    Capped(u64),
}

impl Release {
    /// Says whether the review is over with it.
    pub fn is_end(&self) -> bool {
        match self {
            Release::Complete
            | Release::Blocked(_)
            | Release::TimedOut(_)
            | Release::Limit(_)
            | Release::NothingOpen => true,
            Release::Capped(_) => false,
        }
    }
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So many rounds.
    Rounds(u64),
    /// So many failures in a row.
    Failures(u64),
    /// So many seconds.
    Runtime(u64),
}

/// Decides whether an agent may stop.
pub fn decide(facts: &Facts<'_>) -> Verdict {
    let signals = Signal::all(facts.said, &facts.state.promise);
    let promised = signals.contains(&Signal::Complete);
    if promised && facts.tally.is_clear() {
        return Verdict::Release(Release::Complete);
    }
    for signal in signals {
        match signal {
            Signal::Complete => {}
            Signal::Blocked(why) => return Verdict::Release(Release::Blocked(why)),
            Signal::Timeout(why) => return Verdict::Release(Release::TimedOut(why)),
        }
    }
    if let Some(limit) = limit(facts) {
        return Verdict::Release(Release::Limit(limit));
    }
    if facts.tally.open == 0 && !promised {
        return Verdict::Release(Release::NothingOpen);
    }
    match (facts.cap, facts.state.blocks) {
        (Some(cap), Some(blocks)) if facts.is_again && blocks >= cap => Verdict::Release(Release::Capped(cap)),
        (_, _) => Verdict::Hold { promised },
    }
}

fn limit(facts: &Facts<'_>) -> Option<Limit> {
    let state = facts.state;
    if state.round >= state.max_rounds {
        return Some(Limit::Rounds(state.max_rounds));
    }
    if state.failures >= state.max_failures {
        return Some(Limit::Failures(state.max_failures));
    }
    let (started, seconds) = state.runtime?;
    let elapsed = facts.now.saturating_sub(started) / 1000;
    let is_over = u64::try_from(elapsed).is_ok_and(|elapsed| elapsed >= seconds);
    is_over.then_some(Limit::Runtime(seconds))
}
