//! What the machine asks the world for, and what comes back.

use super::effect::{Effect, Outcome};
use super::key::{Inline, Key};
use super::whence::Whence;

/// An effect that the world is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Issued {
    /// By which its outcome is handed back.
    pub id: u64,
    /// By which it is found in a journal.
    pub key: Key,
    /// The label of the step it is in.
    pub step: Inline,
    /// What is asked for.
    pub effect: Effect,
    /// How many seconds it may take, where whoever called the workflow has no more left.
    pub limit: Option<u32>,
    /// Where in the workflows it comes from.
    pub whence: Whence,
}

/// An effect that comes back with its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    /// The effect, as it was asked for.
    pub issued: Issued,
    /// How many milliseconds an agent took; nothing else counts, least of all a person.
    pub took: u64,
    /// What came of it.
    pub outcome: Outcome,
}
