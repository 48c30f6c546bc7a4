//! What a journal keeps of a hook, and what an agent is told of those that run inside its turns.

use super::CommandEnd;
use crate::machine::Key;
use serde::{Deserialize, Serialize};

/// A hook that ran, or was kept from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hooked {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// The effect it ran for.
    pub key: Key,
    /// The label of the step.
    pub step: String,
    /// The moment, by its name.
    pub event: String,
    /// The command, as it is written.
    pub command: String,
    /// Where it is written: `path:line`.
    pub place: String,
    /// What finds the hook again: the same while its command and its place in the file are.
    pub id: String,
    /// How it ended.
    pub end: CommandEnd,
    /// The values it was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<(String, String)>,
    /// What it wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub out: String,
    /// What it wrote for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub err: String,
    /// Whether the run stopped because of it: it runs again when the run goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stops: bool,
}

impl Hooked {
    /// Returns the first words of the command, for a person.
    pub fn name(&self) -> String {
        const LONGEST: usize = 60;
        let line = self.command.lines().next().unwrap_or_default();
        match line.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        }
    }
}

/// A hook for the tools that an agent uses itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsideHook {
    /// Whether it runs before the tool.
    pub before: bool,
    /// The command, as it is written.
    pub command: String,
    /// The tools it is for, separated by `|`; empty is all of them.
    pub matcher: String,
    /// Whether a tool is kept from running where it fails.
    pub critical: bool,
    /// How many milliseconds it may take.
    pub timeout: u64,
}
