//! One thing that can go wrong with a program: what the stand-in does, and what has to come of it.

use super::voice::{Fault, Notice};
use crate::machine::FailureKind;

/// One thing that can go wrong.
pub(super) struct Scenario {
    /// Its name, in words.
    pub(super) name: &'static str,
    /// What the stand-in does, in order.
    pub(super) acts: &'static [Act],
    /// What has to come of it.
    pub(super) expected: Expected,
    /// How the driver is set.
    pub(super) given: Given,
}

/// What a stand-in does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Act {
    /// Begins a conversation.
    Begin,
    /// Begins another conversation than it was asked to.
    BeginOther,
    /// Ends well, with an envelope.
    Done,
    /// Ends well, with these words.
    Reply(&'static str),
    /// Ends well, with an envelope, and with a byte before it that is no UTF-8.
    Torn,
    /// Fails, if it has words for it.
    Fail(Fault),
    /// Fails the first time it is called, if it has words for it.
    FailOnce(Fault),
    /// Something on the way, if it has words for it.
    Notice(Notice<'static>),
    /// Reads all that it is told.
    Hear,
    /// A command of the shell.
    Shell(&'static str),
    /// The last event, cut in the middle.
    Cut,
    /// The last event, with its keys in another order and some that nobody knows.
    Shuffled,
    /// An event that nobody knows.
    Unknown,
}

/// What has to come of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::drivers) enum Expected {
    /// A reply.
    Done,
    /// A reply, and a note that holds these words.
    Noted(&'static str),
    /// A failure of this kind.
    Fails(FailureKind),
    /// A failure of this kind that says these words.
    Says(FailureKind, &'static str),
    /// A failure with a moment when it can be asked again, or without one.
    Resets(bool),
}

/// How the driver is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// As usual: a short silence and a short stay after the result.
    Usual,
    /// The same, but silent for as long as it likes.
    Patient,
    /// Only a limit in all.
    Limit,
    /// A conversation to go on with.
    Resuming,
    /// A prompt of a megabyte, and silent for as long as it likes.
    LongPrompt,
    /// The program is not there.
    NoProgram,
    /// The program may not be run.
    NotRunnable,
}
