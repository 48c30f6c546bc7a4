//! What the files of a folder were at one moment: hashes, links, and what the system said about them.

use super::{Change, Difference, SnapshotError, refused};
use crate::os::private;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io::Write;
use std::path::Path;

/// The largest file whose bytes are kept.
pub(super) const LARGEST: u64 = 16 * 1024 * 1024;

/// How long before a manifest a file must have been written for its times to be trusted, in nanoseconds: a file that is
/// written twice within one tick of the system's clock has the same times both times.
const SETTLED: i64 = 2_000_000_000;

/// How long before a manifest a file must have changed last to have been there for sure, in nanoseconds: the disk may have
/// a clock of its own.
const SURELY: i64 = 60_000_000_000;

/// The files of a folder at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// When it was made, in nanoseconds since 1970.
    pub(super) taken: i64,
    pub(super) files: BTreeMap<String, Entry>,
    /// Where the repository stood, in words, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) head: Option<String>,
    /// What was there and not looked at: what git ignores, repositories of their own, and folders
    /// that may not be read. A folder stands for all below it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) unseen: BTreeSet<String>,
    /// How open the files of a tree of git are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) modes: Option<Modes>,
    /// What may not be read, for whoever takes the snapshot.
    #[serde(skip)]
    pub(super) closed: BTreeSet<String>,
}

/// How open files are, where git keeps them: it knows only which of them may be run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Modes {
    /// What most files have, and most programs.
    files: u32,
    programs: u32,
    /// The others.
    pub(super) others: BTreeMap<String, u32>,
}

impl Modes {
    /// Finds what most have in common.
    pub(super) fn of(all: BTreeMap<String, u32>) -> Self {
        let most = |programs: bool| {
            let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
            for mode in all.values().filter(|mode| is_program(**mode) == programs) {
                *counts.entry(*mode).or_default() += 1;
            }
            let most = counts.into_iter().max_by_key(|(_, count)| *count);
            most.map_or(0, |(mode, _)| mode)
        };
        let (files, programs) = (most(false), most(true));
        let mut others = all;
        others.retain(|_, mode| *mode != files && *mode != programs);
        Self {
            files,
            programs,
            others,
        }
    }

    /// Returns how open a file was that git made again with this mode.
    pub(super) fn was(&self, path: &str, made: u32) -> Option<u32> {
        let usual = match is_program(made) {
            true => self.programs,
            false => self.files,
        };
        let mode = self.others.get(path).copied().unwrap_or(usual);
        Some(mode).filter(|mode| *mode != 0)
    }
}

/// Says whether git takes a file of this mode for a program.
fn is_program(mode: u32) -> bool {
    mode & 0o100 != 0
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) stat: Stat,
    pub(super) what: What,
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum What {
    /// Bytes, by their SHA-256.
    Bytes(String),
    /// Too many bytes to keep or to hash, or bytes that may not be read.
    Large,
    /// A link, and where it leads.
    Link(String),
}

/// What the system says about a file; if all of it is the same, the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stat {
    pub(super) size: u64,
    /// When its bytes changed and when anything about it changed, in nanoseconds since 1970.
    pub(super) written: i64,
    pub(super) changed: i64,
    pub(super) inode: u64,
    pub(super) mode: u32,
}

impl Stat {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let moment = |seconds: i64, nanoseconds: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds);
        Self {
            size: metadata.len(),
            written: moment(metadata.mtime(), metadata.mtime_nsec()),
            changed: moment(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            mode: metadata.mode() & 0o777,
        }
    }

    #[cfg(not(unix))]
    pub(super) fn of(metadata: &Metadata) -> Self {
        let written = metadata.modified().ok();
        let written = written.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let written = written
            .and_then(|after| i64::try_from(after.as_nanos()).ok())
            .unwrap_or(0);
        Self {
            size: metadata.len(),
            written,
            changed: written,
            inode: 0,
            mode: if metadata.permissions().readonly() {
                0o444
            } else {
                0o644
            },
        }
    }
}

impl Manifest {
    /// Returns what a file was, if it cannot have changed since.
    pub(super) fn unchanged(&self, path: &str, stat: &Stat) -> Option<&What> {
        let entry = self.files.get(path).filter(|entry| entry.stat == *stat)?;
        let settled = stat.written.max(stat.changed) < self.taken.saturating_sub(SETTLED);
        settled.then_some(&entry.what)
    }

    /// Says whether a file is where nobody looked: that it is not listed does not mean that it was not there.
    pub(super) fn overlooked(&self, path: &str) -> bool {
        lies_in(path, &self.unseen)
    }

    /// Says whether nothing about a file changed since long before, its name included.
    pub(super) fn is_older(&self, real: &Path) -> bool {
        let stat = fs::symlink_metadata(real).map(|metadata| Stat::of(&metadata));
        stat.is_ok_and(|stat| stat.changed < self.taken.saturating_sub(SURELY))
    }

    /// Returns what is different in `now`.
    pub(super) fn differences(&self, now: &Manifest) -> Vec<Difference> {
        let difference = |path: &String, change| Difference {
            path: path.clone(),
            change,
        };
        let mut found: Vec<Difference> = now
            .files
            .iter()
            .filter_map(|(path, entry)| match self.files.get(path) {
                None if self.overlooked(path) => None,
                None => Some(difference(path, Change::Added)),
                Some(before) => before.differs(entry).then(|| difference(path, Change::Changed)),
            })
            .collect();
        // What nobody may look at now may still be there.
        let gone = self.files.keys();
        let gone = gone.filter(|path| !now.files.contains_key(*path) && !now.overlooked(path));
        found.extend(gone.map(|path| difference(path, Change::Removed)));
        found.sort();
        found
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub(super) fn write(&self, path: &Path) -> Result<(), SnapshotError> {
        let draft = path.with_extension("draft");
        let write = || {
            if let Some(folder) = path.parent() {
                private::make_folder(folder)?;
            }
            let mut file = private::options()
                .write(true)
                .create(true)
                .truncate(true)
                .open(&draft)?;
            file.write_all(&serde_json::to_vec(self)?)?;
            fs::rename(&draft, path)
        };
        write().map_err(|error| refused(path, &error))
    }

    /// Reads a manifest; none where there is not one.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub(super) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }
}

/// Says whether a path is one of some, or below one.
pub(super) fn lies_in(path: &str, some: &BTreeSet<String>) -> bool {
    !some.is_empty()
        && Path::new(path)
            .ancestors()
            .filter_map(Path::to_str)
            .any(|it| some.contains(it))
}

impl Entry {
    fn differs(&self, now: &Entry) -> bool {
        match (&self.what, &now.what) {
            // Nobody read it, so the times have to do.
            (What::Large, What::Large) => (self.stat.size, self.stat.written) != (now.stat.size, now.stat.written),
            (What::Link(before), What::Link(after)) => before != after,
            (before, after) => before != after || self.stat.mode != now.stat.mode,
        }
    }
}
