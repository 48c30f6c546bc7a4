//! Processes that are no agents: a command line in, what it wrote and how it ended out.

use super::Wait;
pub use crate::machine::CommandEnd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Whoever runs commands.
pub trait Commands: Send + Sync {
    /// Runs a command to its end, or ends it, with everything it started.
    fn run(&self, line: Arc<CommandLine>) -> Wait<'_, Ran>;
}

/// A command for a shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The line, exactly as somebody wrote it: no value is ever put into it.
    pub text: String,
    /// The folder it runs in.
    pub root: PathBuf,
    /// The values it may use, as variables of its environment.
    pub variables: Vec<(String, String)>,
    /// What it reads; its input is closed after that.
    pub input: String,
    /// How long it may take.
    pub limit: Duration,
    /// A secret name of the run, by which survivors are found.
    pub token: String,
}

/// What came of a command. Secrets are masked, and no text is longer than its cap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: CommandEnd,
    /// What it wrote.
    pub out: String,
    /// What it wrote for people.
    pub err: String,
    /// How many bytes it wrote, what was cut off included.
    pub size: u64,
}
