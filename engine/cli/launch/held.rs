//! A run that stopped in, the right to go on with it and what was done before out.
//!
//! The journal is read on threads of its own from here on, while the project is loaded.

use super::lock;
use super::past::{history, writes};
use crate::cli::failure::Failure;
use crate::host::JournalError;
use crate::os::journal::Ends;
use crate::os::lock::RunLock;
use crate::os::store::RunFolder;
use crate::runner::History;

/// A run that only this process goes on with.
pub(in crate::cli) struct Held {
    pub(in crate::cli) folder: RunFolder,
    /// What was done before; what is wrong with it is told when it is needed.
    pub(super) history: Result<History, JournalError>,
    /// Whether agents may have been at work when the process before this one ended.
    pub(super) at_work: bool,
    pub(super) lock: RunLock,
}

impl Held {
    /// Takes the lock of a run and begins to read its journal.
    pub(in crate::cli) fn take(folder: RunFolder, ends: &Ends) -> Result<Self, Failure> {
        let lock = lock(&folder, ends.begun.at)?;
        Ok(Self {
            history: history(&folder).map(|history| history.reading(writes(&folder))),
            at_work: !ends.waits(),
            folder,
            lock,
        })
    }
}
