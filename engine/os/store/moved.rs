//! A project without runs in, the runs out that it may have had in another place.

use super::{Store, is_id, project_folder};
use crate::os::journal::{ends, resumes};
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
        let journal = runs.join(&newest).join("journal.jsonl");
        let mut begun = ends(&journal).ok()?.begun;
        let is_here = !Path::new(&begun.root).exists() && self.root.join(&begun.workflow).exists();
        if !is_here || is_next_to(kept, Path::new(&begun.root)) {
            return None;
        }
        // They came along with it before, and went on in the other place.
        for resumed in resumes(&journal).ok()? {
            begun.go_on(&resumed);
        }
        let from = PathBuf::from(&begun.root);
        (!from.exists()).then(|| (newest, from, kept.to_path_buf()))
    }
}

/// Says whether runs are kept for a folder that is there, next to the one they began in: it was renamed, and they came
/// along.
fn is_next_to(kept: &Path, began: &Path) -> bool {
    let folder = kept.file_name().and_then(|name| name.to_str());
    let name = folder.and_then(|folder| folder.rsplit_once('-'));
    name.is_some_and(|(name, _)| {
        let renamed = began.with_file_name(name);
        renamed.exists() && folder == Some(&project_folder(&renamed))
    })
}

/// Returns what a folder holds, by name.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}
