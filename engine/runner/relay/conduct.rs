//! A call in, what it says about the agent out.

use crate::host::{Call, Turn};
use crate::machine::{Access, FailureKind};

/// What a call says about the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conduct {
    /// It replied.
    Replied,
    /// It works, and said no: asking again would not help.
    Answered,
    /// Its service has too much to do.
    Busy,
    /// Its service takes no more from this person for now.
    Limited,
    /// It does not let the engine in.
    Locked,
    /// It has nothing left to spend.
    Empty,
    /// It took too long: what it did meanwhile is not known, so that it is not repeated without a word.
    Late,
    /// It failed.
    Failed,
}

/// Reads what a call says about the agent.
pub(super) fn conduct(call: &Call) -> Conduct {
    let Err(failure) = &call.result else {
        return Conduct::Replied;
    };
    match failure.kind {
        FailureKind::RateLimited => Conduct::Limited,
        FailureKind::Overloaded => Conduct::Busy,
        FailureKind::Auth => Conduct::Locked,
        FailureKind::Limit => Conduct::Empty,
        FailureKind::Timeout => Conduct::Late,
        FailureKind::Crashed | FailureKind::Stuck | FailureKind::Malformed => Conduct::Failed,
        FailureKind::Denied
        | FailureKind::Files
        | FailureKind::Escapes
        | FailureKind::Missing
        | FailureKind::TooLong
        | FailureKind::Refused => Conduct::Answered,
    }
}

impl Call {
    /// Says whether the agent was given more than it can read.
    pub(super) fn is_too_long(&self) -> bool {
        matches!(&self.result, Err(failure) if failure.kind == FailureKind::TooLong)
    }
}

/// Says whether a turn is a review beside others, which the rest can do without.
pub(super) fn is_review(turn: &Turn) -> bool {
    let is_beside = turn.lane.contains('.');
    is_beside && turn.task.access == Access::Read && !turn.task.only_judges()
}
