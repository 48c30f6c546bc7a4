//! The memory of a run: one line for every finished effect.

use super::{Hooked, Noted, Spent};
use crate::machine::{Effect, FailureKind, Key, Outcome};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A place where lines are kept for good.
pub trait Journal: Send {
    /// Adds a line. With `Durability::Synced` it is on the disk, with every line before it, when this returns.
    fn append(&mut self, line: &Line<'_>, durability: Durability) -> Result<(), JournalError>;

    /// Puts every line that was added on the disk.
    fn settle(&mut self) -> Result<(), JournalError>;
}

/// When a line has to be on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Durability {
    /// Now.
    Synced,
    /// With the next line that is; whoever reads the journal finds it before.
    Written,
    /// With the next line that is.
    Buffered,
}

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "kebab-case")]
pub enum Line<'a> {
    /// A run begins.
    Begun(Box<Begun>),
    /// An agent or a command is about to be started: without an outcome later, what it did is unknown.
    Intent {
        /// When, in milliseconds since 1970.
        at: i64,
        /// What finds it.
        key: Key,
        /// The label of the step.
        step: String,
        /// Who is asked.
        driver: String,
        /// What is asked.
        effect: Cow<'a, Effect>,
        /// What the tree looked like before, where the turn may change it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snapshot: Option<String>,
    },
    /// An effect is finished.
    Done {
        /// When, in milliseconds since 1970.
        at: i64,
        /// What finds it.
        key: Key,
        /// The label of the step.
        step: String,
        /// What was asked; left out where an intent tells it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effect: Option<Cow<'a, Effect>>,
        /// What came of it.
        outcome: Cow<'a, Outcome>,
    },
    /// A hook ran, or was kept from it.
    Hooked(Box<Hooked>),
    /// A call of an agent ended; the turn it was made for may need another.
    Called(Box<Called>),
    /// A run goes on after it stopped.
    Resumed(Box<Resumed>),
    /// What was done about an effect whose outcome is unknown.
    Settled {
        /// When.
        at: i64,
        /// What finds it.
        key: Key,
        /// What was done.
        choice: Settlement,
    },
    /// Everything after a line is void for replay.
    RolledBack {
        /// When.
        at: i64,
        /// The number of the last line that counts.
        to: u64,
    },
    /// The run stopped in order.
    Stopped {
        /// When.
        at: i64,
        /// How, in one word: `completed`, `halted`, `waiting`, `failed`, `limit`, `parked`, `interrupted`.
        how: String,
        /// Why, for a person.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        /// How a review ended that is over, in one word.
        #[serde(default, skip_serializing_if = "String::is_empty", rename = "review")]
        outcome: String,
        /// What is missing in a run that came to its end.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        gaps: Vec<String>,
    },
}

/// What a run is, in its first line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Begun {
    /// The version of the journal's form.
    pub version: u32,
    /// The run.
    pub run: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The workflow's file, relative to the project.
    pub workflow: String,
    /// The folder of the project.
    pub root: String,
    /// The values it was given.
    pub inputs: Vec<(String, String)>,
    /// The agent that performs it.
    pub agent: String,
    /// Whether nothing is confirmed.
    pub yolo: bool,
    /// The most nodes it may run.
    pub fuel: u64,
    /// The files it is made of, with their SHA-256.
    pub sources: Vec<(String, String)>,
    /// The commands that the person allowed for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// Whether the person named the agent themselves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub typed: bool,
    /// Whether the agent is asked for the names that a text leaves open. Runs of before are not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fills: bool,
    /// Whether the lanes of a list are known by their items. Those of runs of before are by their places.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_item: bool,
    /// How workflows were read when it began, see `READING`.
    #[serde(skip_serializing_if = "is_first")]
    pub reading: u32,
    /// The limits that it has; runs of before tell none.
    #[serde(skip_serializing_if = "Noted::is_empty")]
    pub limits: Noted,
    /// What was said since, when it was resumed.
    #[serde(skip)]
    pub since: Since,
}

/// How workflows are read and told now. It is counted up where the same files come to mean other turns or questions:
/// what a run of before did may not be found again then.
pub const READING: u32 = 5;

/// Says whether workflows were read as they were before readings were counted.
fn is_first(reading: &u32) -> bool {
    *reading == 0
}

/// What was said when a run was resumed, beside what takes the place of what was said when it began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Since {
    /// The agent that it began with, where another was named.
    pub first: Option<String>,
    /// Whether nothing is confirmed any more. What the workflow is told of its mode stays as it began.
    pub yolo: bool,
    /// Whether the project is in another place than the journal says.
    pub moved: bool,
}

impl Begun {
    /// Takes what was said when the run was resumed: it counts until something else is said.
    pub fn go_on(&mut self, resumed: &Resumed) {
        if let Some(agent) = resumed.agent.clone() {
            let before = std::mem::replace(&mut self.agent, agent);
            self.since.first.get_or_insert(before);
            self.typed = true;
        }
        if let Some(root) = &resumed.root {
            self.root.clone_from(root);
        }
        self.since.yolo |= resumed.yolo;
        self.fuel = resumed.fuel.unwrap_or(self.fuel);
        self.allowed.extend(resumed.allowed.iter().cloned());
        if let Some(limits) = &resumed.limits {
            self.limits.clone_from(limits);
        }
    }

    /// Says whether this agent is another one than worked before, so that it fills what was left open.
    pub fn is_new(&self, agent: &str) -> bool {
        self.agent != agent || self.since.first.as_ref().is_some_and(|first| first != agent)
    }
}

/// How a run goes on after it stopped, and what the person said then; journals of earlier versions say only when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resumed {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The process.
    pub pid: u32,
    /// The agent that was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Whether nothing is confirmed from here on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub yolo: bool,
    /// The most nodes that the run may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// The commands that the person allowed beside those before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
    /// The folder of the project, where it is in another place than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// What is asked for anew: outcomes before this line count no longer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<Key>,
    /// The limits that it goes on with, where they are others than before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Noted>,
    /// The lines that are left behind, because something else is done in their place from here on: the workflow was
    /// edited, or something was asked for anew. Of them only answers and turns that change nothing are used again. Such a
    /// line is written by a process that is at work already.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<u64>,
    /// Whether this process tells what it leaves behind. Those of before did not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tells: bool,
}

/// One call of an agent, after it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Called {
    /// When it ended, in milliseconds since 1970.
    pub at: i64,
    /// What finds the turn it was made for.
    pub key: Key,
    /// The label of the step.
    pub step: String,
    /// The workflow.
    #[serde(default)]
    pub workflow: String,
    /// Who was called.
    pub driver: String,
    /// The model that answered, or else the one that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The conversation that can be gone on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it used.
    #[serde(default, skip_serializing_if = "Spent::is_unknown")]
    pub spent: Spent,
    /// How many milliseconds it took.
    #[serde(default)]
    pub took: u64,
    /// What kind of failure it was; none where the agent replied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<FailureKind>,
    /// Whether it was cut off: what it used is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// When the agent says that it can be asked again, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
}

/// What is done about an effect whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Settlement {
    /// The tree was put back and the turn is taken again.
    Restored,
    /// What is there is kept and the turn is taken again.
    Kept,
}

/// Why a journal cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalError {
    /// A line is damaged: its number, and what is wrong with it.
    Damaged {
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// The disk refused; whether the line is kept is not known.
    Unwritten(String),
    /// There is no such journal.
    Missing(String),
    /// A later version of the program wrote it, in a form of this number.
    Newer(u32),
}

impl fmt::Display for JournalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::Damaged { line, why } => write!(
                formatter,
                "journal line {line} is damaged ({why}); resume from a copy or start a new run"
            ),
            JournalError::Unwritten(why) => write!(formatter, "the journal could not be written: {why}"),
            JournalError::Missing(what) => write!(formatter, "no journal at `{what}`"),
            JournalError::Newer(form) => write!(
                formatter,
                "the journal has form {form}, which only later versions of bmad know"
            ),
        }
    }
}

impl std::error::Error for JournalError {}
