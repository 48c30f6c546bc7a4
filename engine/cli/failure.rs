//! What stopped a command, as a person reads it.

use crate::cli::Exit;
use crate::host::JournalError;
use std::fmt;
use std::io;

/// Why a command could not do its work, and what to do about it.
#[derive(Debug)]
pub(super) struct Failure {
    /// The code the process ends with.
    pub(super) exit: Exit,
    message: String,
    hints: Vec<String>,
}

impl Failure {
    /// Makes a failure of the person's command line or configuration.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message.into())
    }

    /// Makes a failure of the work itself.
    pub(super) fn work(message: impl Into<String>) -> Self {
        Self::new(Exit::Findings, message.into())
    }

    /// Makes a failure of a run's journal.
    pub(super) fn journal(error: &JournalError) -> Self {
        match error {
            JournalError::Damaged { .. } => Self::new(Exit::Damaged, error.to_string()),
            JournalError::Unwritten(_) => Self::new(Exit::Findings, error.to_string()).with_hint(
                "nothing after the last line that was kept counts as done; resumed, the run goes on from there",
            ),
            JournalError::Missing(_) => Self::new(Exit::Usage, error.to_string())
                .with_hint("the run was ended before it did anything; `bmad exec` starts it anew"),
            JournalError::Newer(_) => Self::new(Exit::Usage, error.to_string())
                .with_hint("go on with the version of bmad that began the run; nothing was changed"),
        }
    }

    /// Adds what the person can do.
    #[must_use]
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn new(exit: Exit, message: String) -> Self {
        Self {
            exit,
            message,
            hints: Vec::new(),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::work(format!("the output could not be written: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "error: {}", self.message)?;
        for hint in &self.hints {
            writeln!(formatter, "  hint: {hint}")?;
        }
        Ok(())
    }
}
