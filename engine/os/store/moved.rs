//! A project without runs in, the runs out that it may have had in another place.

use super::{Store, is_id};
use crate::os::journal::ends;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs of a project that is not where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Where the project was.
    pub from: PathBuf,
    /// What of it has to come along: all that is kept, or only the runs where something is kept for this one.
    pub kept: PathBuf,
    /// Where it has to be kept to belong to this one.
    pub here: PathBuf,
}

impl Store {
    /// Finds the runs of a folder that is gone and whose last workflow is in this one; of several the newest.
    pub fn moved(&self) -> Option<Moved> {
        let here = self.runs.parent().filter(|_| !self.runs.exists())?;
        let kept = names(&self.projects).into_iter();
        let found = kept.filter_map(|name| self.was(&self.projects.join(name)));
        let (_, from, kept) = found.max()?;
        // What is moved to a folder that is there goes into it.
        let kept = match here.exists() {
            true => kept.join("runs"),
            false => kept,
        };
        let here = here.to_path_buf();
        Some(Moved { from, kept, here })
    }

    /// Returns the newest run that is kept in a folder, and where its project was, where this may be it.
    fn was(&self, kept: &Path) -> Option<(String, PathBuf, PathBuf)> {
        let runs = kept.join("runs");
        let newest = names(&runs).into_iter().filter(|name| is_id(name)).max()?;
        let begun = ends(&runs.join(&newest).join("journal.jsonl")).ok()?.begun;
        let from = PathBuf::from(&begun.root);
        let is_here = !from.exists() && self.root.join(&begun.workflow).exists();
        is_here.then(|| (newest, from, kept.to_path_buf()))
    }
}

/// Returns what a folder holds, by name.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
