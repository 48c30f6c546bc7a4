//! How a run ended, and what was counted on the way.

use super::key::Inline;
use super::question::Branch;
use crate::builtins::Value;
use serde::Serialize;

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// In one word.
    pub kind: EndKind,
    /// Why, for a person.
    pub reason: String,
    /// Where: `path:line`, where there is a place.
    pub place: String,
    /// The workflows that ran, the outermost first, each with its step.
    pub stack: Vec<String>,
    /// The value it returned.
    pub value: Value,
    /// What it failed for, where that may go well when it is asked for anew.
    pub refused: Option<Refused>,
}

/// What a run failed for that may go well when it is asked for anew, and in which lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The replies to a turn were not taken, or a template could not be filled.
    Turn(Inline),
    /// A call could not begin, and a person stopped the run.
    Call(Inline),
    /// A call failed after it had begun, and a person stopped the run.
    Inside(Inline),
}

/// How a run ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// It came to its end.
    Completed,
    /// It stopped itself.
    Halted,
    /// Something did not work, and nobody could help.
    Failed,
    /// A limit stopped it: fuel, or the bound of a loop.
    Limit,
}

impl EndKind {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            EndKind::Completed => "completed",
            EndKind::Halted => "halted",
            EndKind::Failed => "failed",
            EndKind::Limit => "limit",
        }
    }
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Steps that began.
    pub steps: u64,
    /// Instructions that were done and shown to be.
    pub done: u64,
    /// Instructions that were done and only said to be.
    pub unverified: u64,
    /// Instructions that were skipped.
    pub skipped: u64,
    /// What is left for later: marked placeholders and calls that were skipped, each in words.
    pub gaps: Vec<String>,
    /// Turns of agents.
    pub turns: u64,
    /// Judgements.
    pub judgements: u64,
    /// Answers.
    pub answers: u64,
    /// Files written.
    pub writes: u64,
    /// Operations.
    pub nodes: u64,
    /// Steps that began, by workflow and label, in order and without repetition.
    pub reached: Vec<(String, String)>,
    /// The lanes that parted, as they are known, where somebody wants to know.
    #[serde(skip)]
    pub lanes: Vec<(Inline, Branch)>,
}
