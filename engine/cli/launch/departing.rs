//! Lines of a run in, the same lines out: a run that leaves lines behind is marked first, as one that went back.

use crate::host::{Durability, Journal, JournalError, Line};
use crate::os::journal::FileJournal;
use crate::os::snapshot::Undo;
use crate::os::store::RunFolder;
use std::path::Path;

/// A journal, and the mark beside it that says that some of its lines count no longer.
pub(super) struct Departing<'a> {
    journal: &'a mut FileJournal,
    undo: Undo<'a>,
}

impl<'a> Departing<'a> {
    /// Returns the journal of a run that works on the folder `root`.
    pub(super) fn of(journal: &'a mut FileJournal, root: &'a Path, run: &'a RunFolder) -> Self {
        let undo = Undo::of(root, run);
        Self { journal, undo }
    }
}

impl Journal for Departing<'_> {
    fn append(&mut self, line: &Line<'_>, durability: Durability) -> Result<(), JournalError> {
        if let Line::Resumed(resumed) = line
            && !resumed.left.is_empty()
        {
            // The same effects may come again over other bytes.
            let noted = self.undo.note();
            noted.map_err(|error| JournalError::Unwritten(error.to_string()))?;
        }
        self.journal.append(line, durability)
    }

    fn settle(&mut self) -> Result<(), JournalError> {
        self.journal.settle()
    }
}
