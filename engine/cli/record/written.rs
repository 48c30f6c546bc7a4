//! Writes of a run in, the files they left out: with what they hold now.

use super::Record;
use crate::host::{JournalError, Line, Workspace};
use crate::machine::{Effect, Key, Outcome, sha256};
use crate::os::store::RunFolder;
use crate::runner::unmarked;
use serde::Serialize;
use std::path::Path;

/// Every change that a run made to a file, in order.
#[derive(Debug, Default)]
pub(in crate::cli) struct Writes {
    /// The changes.
    pub(in crate::cli) changes: Vec<Written>,
    /// The files in the order they were first written, with the SHA-256 that each was left with. One that held already
    /// what was written is among them.
    files: Vec<(String, String)>,
}

/// One change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Written {
    /// The number of the line.
    pub(in crate::cli) seq: u64,
    /// What finds what was kept before it.
    pub(in crate::cli) key: Key,
    /// Relative to the project.
    pub(in crate::cli) path: String,
    /// The SHA-256 before; none where there was no file.
    pub(in crate::cli) before: Option<String>,
    /// The SHA-256 after.
    pub(in crate::cli) after: String,
}

/// A file that a run wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::cli) struct FileWritten {
    /// Relative to the project.
    pub(in crate::cli) path: String,
    /// The SHA-256 that the run left it with.
    pub(in crate::cli) sha256: String,
    /// What became of it.
    pub(in crate::cli) now: Fate,
}

/// What became of a file since it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Fate {
    /// It holds what the run wrote.
    Same,
    /// Somebody changed it.
    Changed,
    /// It is not there.
    Gone,
}

impl Fate {
    /// Returns the words a person reads.
    pub(in crate::cli) fn words(self) -> &'static str {
        match self {
            Fate::Same => "same",
            Fate::Changed => "changed since",
            Fate::Gone => "gone",
        }
    }
}

impl Writes {
    /// Takes one finished effect; one that wrote no file is passed over.
    pub(in crate::cli) fn see(&mut self, seq: u64, key: &Key, effect: &Effect, outcome: &Outcome) {
        let (Some(path), Outcome::Written { sha256, before }) = (effect.writes(), outcome) else {
            return;
        };
        match self.files.iter_mut().find(|(known, _)| known == path) {
            Some((_, left)) => left.clone_from(sha256),
            None => self.files.push((path.to_owned(), sha256.clone())),
        }
        if before.as_ref() != Some(sha256) {
            self.changes.push(Written {
                seq,
                key: key.clone(),
                path: path.to_owned(),
                before: before.clone(),
                after: sha256.clone(),
            });
        }
    }

    /// Reads the writes of a run that count, and those that a rollback made void.
    pub(in crate::cli) fn of(folder: &RunFolder) -> Result<(Self, Self), JournalError> {
        let (mut counts, mut void) = (Self::default(), Self::default());
        for entry in Record::of(folder)? {
            let entry = entry?;
            if let Line::Done {
                key,
                effect: Some(effect),
                outcome,
                ..
            } = &entry.line
            {
                let writes = if entry.void { &mut void } else { &mut counts };
                writes.see(entry.seq, key, effect, outcome);
            }
        }
        Ok((counts, void))
    }

    /// Returns the files in the order they were first written, as they are now.
    pub(in crate::cli) fn files(&self, root: &Path, host: &dyn Workspace) -> Vec<FileWritten> {
        let files = self.files.iter().map(|(path, left)| FileWritten {
            path: path.clone(),
            sha256: left.clone(),
            now: fate(root, path, left, host),
        });
        files.collect()
    }
}

/// Says what became of a file that was left with a SHA-256. A mark that a check was skipped is the run's own.
pub(in crate::cli) fn fate(root: &Path, path: &str, left: &str, host: &dyn Workspace) -> Fate {
    let Ok(bytes) = host.read(&root.join(path)) else {
        return Fate::Gone;
    };
    if sha256(&bytes) == left {
        return Fate::Same;
    }
    let unmarked = str::from_utf8(&bytes).ok().and_then(|text| unmarked(path, text));
    match unmarked.is_some_and(|text| sha256(text.as_bytes()) == left) {
        true => Fate::Same,
        false => Fate::Changed,
    }
}

/// Returns the SHA-256 of a file of the project; none where there is no file that can be read.
pub(in crate::cli) fn hash(root: &Path, path: &str, host: &dyn Workspace) -> Option<String> {
    host.read(&root.join(path)).ok().map(|bytes| sha256(&bytes))
}
