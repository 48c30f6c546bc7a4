//! Paths in, the right to be the only one there out.
//!
//! A run is held by a lock of the system, which ends with the process whatever ends it. A file that other programs
//! write too is held by a file next to it, for as long as one write takes.

mod file;
mod run;
#[cfg(test)]
mod tests;

pub use file::FileLock;
pub use run::RunLock;

use super::clock::Moment;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;

/// Who holds a lock, in the lock's own file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// What the process is, for a person.
    #[serde(default)]
    pub holder: String,
    /// The process.
    pub pid: u32,
    /// Since when, in milliseconds since 1970.
    pub since: i64,
    /// Tells apart two locks of one process at one moment.
    #[serde(default)]
    pub n: u32,
}

/// Why a lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Somebody else has it; who is not known where the lock says nothing yet.
    Held(Option<Holder>),
    /// The system refused.
    Refused(io::Error),
}

impl fmt::Display for LockError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Held(Some(holder)) => {
                let since = Moment::at(holder.since).text();
                let pid = holder.pid;
                write!(formatter, "held by process {pid} since {since}; wait for it or end it")
            }
            LockError::Held(None) => formatter.write_str("held by another process; wait for it or end it"),
            LockError::Refused(error) => {
                write!(
                    formatter,
                    "no lock could be taken: {}",
                    error.to_string().to_lowercase()
                )
            }
        }
    }
}

impl std::error::Error for LockError {}

impl From<io::Error> for LockError {
    fn from(error: io::Error) -> Self {
        Self::Refused(error)
    }
}
