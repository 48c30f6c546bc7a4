//! Those who do the work and those who decide: agents and people.

use super::{InsideHook, Wait};
use crate::machine::{Answer, Envelope, Failure, Question, Task};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Who takes a turn that is switched off.
pub const NOBODY: &str = "nobody";

/// An agent that takes turns.
pub trait Driver: Send + Sync {
    /// Returns the name a person reads and a journal keeps.
    fn name(&self) -> &str;

    /// Returns the name of who is asked first for a task; nothing where nobody is.
    fn asked(&self, _task: &Task) -> Option<&str> {
        Some(self.name())
    }

    /// Says whether it changes files by itself, so that the tree is noted before its turns.
    fn works_on_files(&self) -> bool {
        false
    }

    /// Says whether it runs hooks for the tools it uses inside its turns.
    fn runs_hooks(&self) -> bool {
        false
    }

    /// Says whether its calls are kept in the journal and counted: they take time, or cost something.
    fn counts(&self) -> bool {
        self.works_on_files()
    }

    /// Lists files that it keeps for itself: that they change is not the doing of whoever takes a turn.
    fn own_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Takes one turn; a turn that only judges changes nothing.
    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call>;
}

/// One turn as a driver gets it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Turn {
    /// What is to be done, as data.
    pub task: Task,
    /// The same as text, made from the prompt files.
    pub prompt: String,
    /// The text for a conversation that begins in place of the one it should go on with, where that has to say more.
    pub anew: Option<String>,
    /// The folder the agent works in.
    pub root: PathBuf,
    /// What finds the turn in the journal: the same in every run of the same workflow with the same answers.
    pub digest: String,
    /// How many turns of the same digest came before.
    pub n: u32,
    /// The lane it is taken in; `0` is the main line.
    pub lane: String,
    /// A secret name of this run, given to every process, by which survivors are found.
    pub token: String,
    /// The conversation it belongs to.
    pub session: Session,
    /// Hooks for the tools it uses itself.
    pub hooks: Vec<InsideHook>,
}

impl Turn {
    /// Begins a conversation with it, whatever it should have gone on with.
    pub fn begin_anew(&mut self) {
        self.session.resume = None;
        self.session.counted = Spent::default();
        if let Some(anew) = self.anew.take() {
            self.prompt = anew;
        }
    }
}

/// The conversation a turn belongs to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// The one it goes on with; none begins a new one.
    pub resume: Option<String>,
    /// The name that a new one gets where the agent lets it be chosen.
    pub choose: String,
    /// What was counted of it so far: some agents count a conversation from its beginning.
    pub counted: Spent,
}

/// One call of an agent, whichever way it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What it yielded, or why it yielded nothing.
    pub result: Result<Reply, Failure>,
    /// When the agent says that it can be asked again, in milliseconds since 1970.
    pub until: Option<i64>,
    /// What it used.
    pub spent: Spent,
    /// The conversation it was part of.
    pub session: Option<String>,
    /// The model that really answered.
    pub model: Option<String>,
    /// What a person should know of it: what was not allowed, what could not be done as asked.
    pub notes: Vec<String>,
}

impl From<Result<Reply, Failure>> for Call {
    fn from(result: Result<Reply, Failure>) -> Self {
        Self {
            result,
            until: None,
            spent: Spent::default(),
            session: None,
            model: None,
            notes: Vec::new(),
        }
    }
}

/// What a call used. What is not known is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens, where they are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Dollars, where the agent tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

impl Spent {
    /// Says whether nothing is known.
    pub fn is_unknown(&self) -> bool {
        self.tokens.is_none() && self.cost.is_none()
    }

    /// Adds what another call used.
    #[must_use]
    pub fn plus(self, other: Spent) -> Spent {
        let tokens = match (self.tokens, other.tokens) {
            (Some(one), Some(two)) => Some(one.plus(two)),
            (one, two) => one.or(two),
        };
        let cost = match (self.cost, other.cost) {
            (Some(one), Some(two)) => Some(one + two),
            (one, two) => one.or(two),
        };
        Spent { tokens, cost }
    }

    /// Takes off what was counted before; never less than nothing.
    #[must_use]
    pub fn minus(self, before: Spent) -> Spent {
        let earlier = before.tokens.unwrap_or_default();
        Spent {
            tokens: self.tokens.map(|tokens| tokens.minus(earlier)),
            cost: self.cost.map(|cost| (cost - before.cost.unwrap_or_default()).max(0.0)),
        }
    }
}

/// Tokens by kind; none is counted twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tokens {
    /// Read by the model, and not from a cache.
    pub input: u64,
    /// Read from a cache.
    pub cached: u64,
    /// Put into a cache.
    pub stored: u64,
    /// Written by the model, thoughts included.
    pub output: u64,
}

impl Tokens {
    /// Returns all of them together.
    pub fn sum(self) -> u64 {
        let parts = [self.cached, self.stored, self.output];
        parts.into_iter().fold(self.input, u64::saturating_add)
    }

    fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            stored: self.stored.saturating_add(other.stored),
            output: self.output.saturating_add(other.output),
        }
    }

    fn minus(self, other: Tokens) -> Tokens {
        Tokens {
            input: self.input.saturating_sub(other.input),
            cached: self.cached.saturating_sub(other.cached),
            stored: self.stored.saturating_sub(other.stored),
            output: self.output.saturating_sub(other.output),
        }
    }
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

    /// Answers a question where nobody has to be asked: from a file, or by a rule. Otherwise `ask_person` comes next.
    fn settle(&self, _question: &Question) -> Option<Answer> {
        None
    }

    /// Asks a person what `settle` did not answer.
    fn ask_person(&self, question: Arc<Question>) -> Wait<'_, Option<Answer>> {
        self.ask(question)
    }

    /// Hears of a question whose answer the journal holds: who counts questions counts it too.
    fn replayed(&self, _question: &Question) {}

    /// Says whether the last question has no answer because the person wants the run to stop.
    fn interrupted(&self) -> bool {
        false
    }
}
