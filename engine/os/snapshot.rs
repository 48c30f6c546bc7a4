//! A folder in, what its files are right now out, so that they can be compared and put back.
//!
//! Taken before an agent may write: if nobody hears of its end, what it did can be shown and undone. In a git work tree
//! the files become a tree of the repository through an index of our own; the user's index, HEAD and branches are not
//! touched, and ignored files are not looked at. Elsewhere the files are kept with the run.

mod contents;
mod git;
mod kept;
mod manifest;
mod restore;
#[cfg(test)]
mod tests;
mod undo;
mod walk;

pub use contents::Contents;
pub use git::Changes;
pub use kept::Known;
pub use undo::{Undo, went_back};

use super::store::RunFolder;
use git::WorkTree;
use kept::Kept;
use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How many files are named that may not be read.
const NAMED: usize = 5;

/// The snapshots of one run.
#[derive(Debug)]
pub struct Snapshots<'a> {
    root: &'a Path,
    run: &'a RunFolder,
    work_tree: OnceLock<Option<WorkTree<'a>>>,
    known: Arc<Known>,
}

/// What finds a snapshot of a run: `git:<n>:<tree>` or `kept:<n>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotId {
    /// A tree of the repository.
    Git {
        /// Which snapshot of the run.
        n: u32,
        /// The tree.
        tree: String,
    },
    /// Files kept with the run.
    Kept {
        /// Which snapshot of the run.
        n: u32,
    },
}

/// A file that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Relative to the folder, with `/`.
    pub path: String,
    /// What happened to it.
    pub change: Change,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It was not there.
    Added,
    /// It was different.
    Changed,
    /// It was there.
    Removed,
}

impl Change {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Changed => "changed",
            Change::Removed => "removed",
        }
    }
}

/// What became of files that were to be put back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// They are what they were.
    pub back: Vec<String>,
    /// They are left as they are: what they were was not kept, or what they are now would be lost.
    pub left: Vec<String>,
}

/// Why a snapshot could not be taken or used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotError {
    /// There is no such snapshot.
    Unknown(String),
    /// There is no such commit.
    NoCommit(String),
    /// A path leads out of the folder, or through a link.
    Escapes(String),
    /// Git refused.
    Git {
        /// What it was asked.
        command: String,
        /// What it said.
        why: String,
    },
    /// The system refused.
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Unknown(id) => write!(formatter, "no snapshot `{id}`; the files stay as they are"),
            SnapshotError::NoCommit(name) => write!(formatter, "no commit, branch or tag is called `{name}`"),
            SnapshotError::Escapes(path) => {
                write!(formatter, "`{path}` leads out of the project; it is left as it is")
            }
            SnapshotError::Git { command, why } => write!(formatter, "`git {command}` failed: {why}"),
            SnapshotError::Refused { path, why } => write!(formatter, "`{}`: {why}", path.display()),
        }
    }
}

impl std::error::Error for SnapshotError {}

impl fmt::Display for SnapshotId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotId::Git { n, tree } => write!(formatter, "git:{n}:{tree}"),
            SnapshotId::Kept { n } => write!(formatter, "kept:{n}"),
        }
    }
}

impl std::str::FromStr for SnapshotId {
    type Err = SnapshotError;

    fn from_str(text: &str) -> Result<Self, SnapshotError> {
        let unknown = || SnapshotError::Unknown(text.to_owned());
        let number = |digits: &str| digits.parse().map_err(|_| unknown());
        match text.split(':').collect::<Vec<&str>>()[..] {
            ["git", n, tree] if !tree.is_empty() && tree.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                let tree = tree.to_owned();
                Ok(SnapshotId::Git { n: number(n)?, tree })
            }
            ["kept", n] => Ok(SnapshotId::Kept { n: number(n)? }),
            _ => Err(unknown()),
        }
    }
}

impl<'a> Snapshots<'a> {
    /// Returns the snapshots that `run` takes of the folder `root`.
    pub fn of(root: &'a Path, run: &'a RunFolder) -> Self {
        Self {
            root,
            run,
            work_tree: OnceLock::new(),
            known: Arc::default(),
        }
    }

    /// Takes what was found out before, and adds to it.
    pub fn knowing(mut self, known: &Arc<Known>) -> Self {
        self.known = Arc::clone(known);
        self
    }

    /// Returns a number that no snapshot of the run has, whichever process took it.
    pub fn next(&self) -> u32 {
        kept::last(self.run).map_or(1, |n| n.saturating_add(1))
    }

    /// Takes snapshot `n`; one of the same number that nobody wrote down is replaced.
    pub fn take(&self, n: u32) -> Result<SnapshotId, SnapshotError> {
        self.take_after(n, None)
    }

    /// Takes snapshot `n` right before files are put back as they were in another one. What that one left out is left out
    /// here too, whatever became of the rules since.
    pub fn take_beside(&self, n: u32, other: &SnapshotId) -> Result<SnapshotId, SnapshotError> {
        match other {
            SnapshotId::Git { n: other, .. } => self.take_after(n, Some(*other)),
            // It knows nothing of what git ignores, which may be there only since.
            SnapshotId::Kept { .. } => self.take_kept(n),
        }
    }

    fn take_after(&self, n: u32, other: Option<u32>) -> Result<SnapshotId, SnapshotError> {
        match self.work_tree() {
            Some(work_tree) => {
                let (tree, closed) = work_tree.take(n, other)?;
                self.note_closed(&closed);
                Ok(SnapshotId::Git { n, tree })
            }
            None => {
                // A turn may bring git or take it away; that it refuses to look is worth a word.
                if let Some(why) = refusal(self.root) {
                    self.known.note(why);
                }
                self.take_kept(n)
            }
        }
    }

    fn take_kept(&self, n: u32) -> Result<SnapshotId, SnapshotError> {
        let closed = self.kept().take(n)?;
        self.note_closed(&closed);
        Ok(SnapshotId::Kept { n })
    }

    /// Notes which files are not kept since they may not be read.
    fn note_closed(&self, closed: &BTreeSet<String>) {
        let named: Vec<&str> = closed.iter().take(NAMED).map(String::as_str).collect();
        let more = match closed.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if !named.is_empty() {
            let named = named.join("`, `");
            self.known.note(format!(
                "`{named}`{more} may not be read: what becomes of it in a turn is not put back"
            ));
        }
    }

    /// Returns what is different now, sorted by path.
    pub fn differences(&self, id: &SnapshotId) -> Result<Vec<Difference>, SnapshotError> {
        match id {
            SnapshotId::Git { n, tree } => self.repository(id)?.differences(*n, tree),
            SnapshotId::Kept { n } => self.kept().differences(*n),
        }
    }

    /// Says where the repository stood and where it stands, where that is not the same. Nothing puts it back.
    pub fn moved(&self, id: &SnapshotId) -> Option<(String, String)> {
        match id {
            SnapshotId::Git { n, .. } => self.repository(id).ok()?.moved(*n),
            SnapshotId::Kept { .. } => None,
        }
    }

    /// Makes the files at these paths what they were, those that were not there included; no other file is touched.
    pub fn restore(&self, id: &SnapshotId, only: &[String]) -> Result<Restored, SnapshotError> {
        match id {
            SnapshotId::Git { n, tree } => self.repository(id)?.restore(*n, tree, only),
            SnapshotId::Kept { n } => self.kept().restore(*n, only),
        }
    }

    /// Lets go of what the repository keeps for the run; what the run keeps itself goes with its folder.
    pub fn forget(&self) -> Result<(), SnapshotError> {
        self.work_tree().map_or(Ok(()), WorkTree::forget)
    }

    /// Returns the repository that holds a snapshot.
    fn repository(&self, id: &SnapshotId) -> Result<&WorkTree<'a>, SnapshotError> {
        let unknown = || SnapshotError::Unknown(id.to_string());
        self.work_tree().ok_or_else(unknown)
    }

    fn kept(&self) -> Kept<'_> {
        Kept {
            root: self.root,
            run: self.run,
            known: &self.known,
        }
    }

    fn work_tree(&self) -> Option<&WorkTree<'a>> {
        self.work_tree
            .get_or_init(|| WorkTree::find(self.root, self.run))
            .as_ref()
    }
}

/// Says why git does not look at a folder that seems to be in a repository, and what that means; nothing where it does.
pub fn refusal(root: &Path) -> Option<String> {
    let why = git::refusal(root)?;
    let why: Vec<&str> = why.split_whitespace().collect();
    Some(format!(
        "git does not look at this project ({}); its files are kept without git, and those that it ignores are looked at too",
        why.join(" ")
    ))
}

/// Says what changed in a folder since a commit.
///
/// # Errors
/// Answers what git said where the folder is in no repository, and whether the commit is not there.
pub fn changes_since(root: &Path, since: &str) -> Result<Changes, SnapshotError> {
    git::changes_since(root, since)
}

/// Returns the differences of some of the files that changed, as text.
///
/// # Errors
/// Answers what git said.
pub fn differences(root: &Path, changes: &Changes, files: &[String]) -> Result<String, SnapshotError> {
    git::differences(root, changes, files)
}

/// Returns when anything about a file changed last, in milliseconds since 1970; nothing where it is not there.
pub fn changed_at(path: &Path) -> Option<i64> {
    let metadata = path.symlink_metadata().ok()?;
    Some(manifest::Stat::of(&metadata).changed / 1_000_000)
}

/// Lists the files of a folder that are worth a copy, sorted: what git keeps or would keep, elsewhere everything but what
/// a command makes again.
pub(super) fn files(root: &Path) -> Result<Vec<String>, SnapshotError> {
    match git::listed(root) {
        Some(paths) => Ok(paths),
        None => Ok(walk::walk(root, None)?
            .files
            .into_iter()
            .map(|found| found.path)
            .collect()),
    }
}

fn refused(path: &Path, error: &io::Error) -> SnapshotError {
    SnapshotError::Refused {
        path: path.to_path_buf(),
        why: error.to_string().to_lowercase(),
    }
}
