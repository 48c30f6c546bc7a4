//! A state folder and a project in, the runs of the project out.
//!
//! `<state>/projects/<name of the project>-<hash of its path>/runs/<run>/` holds `journal.jsonl`, `blobs/`, `lock` and
//! `kept/`. It lies outside the work tree: no agent finds it by looking around, and no reset of the tree removes it.

mod moved;
mod summary;
#[cfg(test)]
mod tests;

pub use moved::Moved;
pub use summary::{RunState, RunSummary};

use super::clock::Moment;
use super::lock::{LockError, RunLock};
use super::private;
use super::snapshot::Snapshots;
use crate::machine::sha256;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many near ids an error lists.
const NEAR: usize = 5;

/// The runs of one project.
#[derive(Debug, Clone)]
pub struct Store {
    projects: PathBuf,
    runs: PathBuf,
    root: PathBuf,
}

/// The folder of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    id: String,
    path: PathBuf,
    projects: PathBuf,
}

/// Why a run was not found or made.
#[derive(Debug)]
pub enum StoreError {
    /// The project has no runs.
    NoRuns,
    /// No run is named so; those that come nearest.
    Unknown {
        /// What was asked for.
        wanted: String,
        /// Ids that come near, newest last.
        near: Vec<String>,
    },
    /// Several runs are named so.
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// The ids that begin with it, newest last.
        ids: Vec<String>,
    },
    /// A process works on it.
    Locked(LockError),
    /// The system refused.
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::NoRuns => formatter.write_str("this project has no runs; start one with `bmad exec`"),
            StoreError::Unknown { wanted, near } => {
                let near = near.join(", ");
                write!(
                    formatter,
                    "no run `{wanted}`; there are {near}, and `last` is the newest"
                )
            }
            StoreError::Ambiguous { wanted, ids } => {
                let ids = ids.join(", ");
                write!(formatter, "`{wanted}` may be {ids}; write more of the id")
            }
            StoreError::Locked(error) => write!(formatter, "the run is {error}"),
            StoreError::Refused { path, why } => write!(formatter, "`{}`: {why}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

impl Store {
    /// Opens the runs of the project at `project_root`; nothing is made before there is a run.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn open(state_dir: &Path, project_root: &Path) -> Result<Self, StoreError> {
        let root = fs::canonicalize(project_root).map_err(|error| refused(project_root, &error))?;
        let projects = state_dir.join("projects");
        let runs = projects.join(project_folder(&root)).join("runs");
        Ok(Self { projects, runs, root })
    }

    /// Makes the folder of a new run that starts at `now`; it is on the disk with the first line of its journal. Ids sort
    /// by time, to the millisecond.
    pub fn new_run(&self, now: i64) -> Result<RunFolder, StoreError> {
        private::make_folder(&self.runs).map_err(|error| refused(&self.runs, &error))?;
        let moment = Moment::at(now);
        // A second has room for 65 runs in each of its milliseconds; a run that finds its place taken takes the next.
        for place in u32::from(moment.millisecond) * 65..=0xffff {
            let id = format!(
                "{:04}{:02}{:02}-{:02}{:02}{:02}-{place:04x}",
                moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second
            );
            let folder = self.folder(&id);
            match private::make_new_folder(&folder.path) {
                Ok(()) => return Ok(folder),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(refused(&folder.path, &error)),
            }
        }
        Err(StoreError::Refused {
            path: self.runs.clone(),
            why: "too many runs begin in this second; try again".to_owned(),
        })
    }

    /// Tells how every run stands, newest last. Of each only the beginning and the end are read.
    pub fn runs(&self) -> Result<Vec<RunSummary>, StoreError> {
        let folders = self.ids()?.into_iter().map(|id| self.folder(&id));
        Ok(folders.map(|folder| summary::summarise(&folder)).collect())
    }

    /// Finds a run by its id, the beginning of its id, or `last`.
    pub fn find(&self, wanted: &str) -> Result<RunFolder, StoreError> {
        let mut ids = self.ids()?;
        let Some(newest) = ids.last() else {
            return Err(StoreError::NoRuns);
        };
        if wanted == "last" {
            return Ok(self.folder(newest));
        }
        if ids.iter().any(|id| id == wanted) {
            return Ok(self.folder(wanted));
        }
        let fitting: Vec<&String> = ids.iter().filter(|id| id.starts_with(wanted)).collect();
        let wanted = wanted.to_owned();
        match fitting[..] {
            [only] => Ok(self.folder(only)),
            [] => {
                // The longer the common beginning, the nearer; among equals the newest.
                ids.sort_by_key(|id| common(id, &wanted));
                let mut near = ids.split_off(ids.len().saturating_sub(NEAR));
                near.sort();
                Err(StoreError::Unknown { wanted, near })
            }
            [_, _, ..] => Err(StoreError::Ambiguous {
                wanted,
                ids: fitting.into_iter().cloned().collect(),
            }),
        }
    }

    /// Removes a run with everything that was kept for it; one that a process works on stays.
    pub fn remove(&self, run: &RunFolder) -> Result<(), StoreError> {
        let lock = RunLock::take(&run.lock(), 0).map_err(StoreError::Locked)?;
        let snapshots = Snapshots::of(&self.root, run);
        snapshots.forget().map_err(|error| StoreError::Refused {
            path: self.root.clone(),
            why: error.to_string(),
        })?;
        fs::remove_dir_all(&run.path).map_err(|error| refused(&run.path, &error))?;
        drop(lock);
        Ok(())
    }

    /// Returns the folder of the project.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Says whether a folder is that of the project, whatever way leads there.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn is_of(&self, root: &Path) -> bool {
        fs::canonicalize(root).is_ok_and(|root| root == self.root)
    }

    /// Returns where it is kept what a person trusts in this project.
    pub(super) fn trusted(&self) -> PathBuf {
        self.runs.with_file_name("trusted")
    }

    /// Returns the ids of all runs, newest last.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn ids(&self) -> Result<Vec<String>, StoreError> {
        let entries = match fs::read_dir(&self.runs) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(refused(&self.runs, &error)),
        };
        let names = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok());
        let mut ids: Vec<String> = names.filter(|name| is_id(name)).collect();
        ids.sort();
        Ok(ids)
    }

    fn folder(&self, id: &str) -> RunFolder {
        RunFolder {
            id: id.to_owned(),
            path: self.runs.join(id),
            projects: self.projects.clone(),
        }
    }
}

impl RunFolder {
    /// Returns the id of the run.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where the journal is.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// Returns where the lock is.
    pub fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    /// Returns the folder of what the run keeps of files.
    pub fn kept(&self) -> PathBuf {
        self.path.join("kept")
    }

    /// Returns the index that snapshots use in place of the user's own.
    pub fn index(&self) -> PathBuf {
        self.path.join("index")
    }

    /// Returns the folder that holds the runs of all projects; wherever it lies, it is no part of a project.
    pub fn projects(&self) -> &Path {
        &self.projects
    }
}

/// Names the folder of a project: readable, and different for every path.
fn project_folder(root: &Path) -> String {
    let name = root.file_name().map_or("root".into(), |name| name.to_string_lossy());
    let name: String = name.chars().take(60).collect();
    let hash = sha256(root.as_os_str().as_encoded_bytes());
    format!("{name}-{}", &hash[..12])
}

/// Says whether a name is the id of a run: digits, digits, hexadecimal digits.
fn is_id(name: &str) -> bool {
    let mut parts = name.split('-');
    let mut next = |all: fn(&u8) -> bool| {
        let part = parts.next();
        part.is_some_and(|part| !part.is_empty() && part.as_bytes().iter().all(all))
    };
    next(u8::is_ascii_digit) && next(u8::is_ascii_digit) && next(u8::is_ascii_hexdigit) && parts.next().is_none()
}

fn common(left: &str, right: &str) -> usize {
    left.bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count()
}

fn refused(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Refused {
        path: path.to_path_buf(),
        why: error.to_string().to_lowercase(),
    }
}
