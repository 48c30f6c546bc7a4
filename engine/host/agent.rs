//! Those who do the work and those who decide: agents and people.

use super::Wait;
use crate::machine::{Answer, Envelope, Failure, Question, Task};
use std::path::PathBuf;
use std::sync::Arc;

/// An agent that takes turns.
pub trait Driver: Send + Sync {
    /// Returns the name a person reads and a journal keeps.
    fn name(&self) -> &str;

    /// Says whether it changes files by itself, so that the tree is noted before its turns.
    fn works_on_files(&self) -> bool {
        false
    }

    /// Lists files that it keeps for itself: that they change is not the doing of whoever takes a turn.
    fn own_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Takes one turn; a turn that only judges changes nothing.
    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Result<Reply, Failure>>;
}

/// One turn as a driver gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What is to be done, as data.
    pub task: Task,
    /// The same as text, made from the prompt files.
    pub prompt: String,
    /// The folder the agent works in.
    pub root: PathBuf,
    /// What finds the turn in the journal: the same in every run of the same workflow with the same answers.
    pub digest: String,
    /// How many turns of the same digest came before.
    pub n: u32,
    /// A secret name of this run, given to every process, by which survivors are found.
    pub token: String,
}

/// What a turn yielded.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// The typed part.
    pub envelope: Envelope,
    /// What the agent wrote, for the record; empty where there is no text behind the envelope.
    pub raw: String,
}

/// Whoever answers questions.
pub trait Human: Send + Sync {
    /// Answers a question; nothing means that nobody is there to answer it now.
    fn ask(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>>;

    /// Hears of a question whose answer the journal holds: who counts questions counts it too.
    fn replayed(&self, _question: &Question) {}

    /// Says whether the last question has no answer because the person wants the run to stop.
    fn interrupted(&self) -> bool {
        false
    }
}
