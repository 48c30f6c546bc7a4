//! Snapshots outside git: every file by its hash, and a manifest for each snapshot.

use super::contents::Contents;
use super::manifest::{Entry, LARGEST, Manifest, What};
use super::restore::{self, Place};
use super::walk::{Found, own, walk};
use super::{Difference, Restored, SnapshotError, refused};
use crate::host::Clock;
use crate::os::clock::SystemClock;
use crate::os::store::RunFolder;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What is known of the snapshots of one run, so that it is not found out again whenever a turn ends.
#[derive(Debug, Default)]
pub struct Known {
    /// The folder of all runs, where it lies in the project.
    own: OnceLock<Option<PathBuf>>,
    /// The manifest that was last written or read, with its number.
    last: Mutex<Option<(u32, Arc<Manifest>)>>,
    /// What a person should know, and whether somebody told it.
    notes: Mutex<Vec<(String, bool)>>,
}

impl Known {
    /// Returns what a person should know of the snapshots since the last time; each note comes once.
    pub fn take_notes(&self) -> Vec<String> {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let new = notes.iter_mut().filter(|(_, told)| !told);
        new.map(|(note, told)| {
            *told = true;
            note.clone()
        })
        .collect()
    }

    pub(super) fn note(&self, note: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.iter().any(|(known, _)| *known == note) {
            notes.push((note, false));
        }
    }

    fn keep(&self, n: u32, manifest: &Arc<Manifest>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((n, Arc::clone(manifest)));
    }

    fn kept(&self, n: u32) -> Option<Arc<Manifest>> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, manifest) = last.as_ref().filter(|(last, _)| *last == n)?;
        Some(Arc::clone(manifest))
    }
}

/// The snapshots of a run that are kept with it.
pub(super) struct Kept<'a> {
    pub(super) root: &'a Path,
    pub(super) run: &'a RunFolder,
    pub(super) known: &'a Known,
}

impl Kept<'_> {
    /// Keeps the files; answers what may not be read.
    pub(super) fn take(&self, n: u32) -> Result<BTreeSet<String>, SnapshotError> {
        // What did not change since the newest snapshot is not read again.
        let before = last(self.run).and_then(|n| self.manifest(n));
        let now = self.scan(before.as_deref(), Bytes::Kept)?;
        now.write(&manifest_path(self.run, n))?;
        let closed = now.closed.clone();
        self.known.keep(n, &Arc::new(now));
        Ok(closed)
    }

    pub(super) fn differences(&self, n: u32) -> Result<Vec<Difference>, SnapshotError> {
        let before = self.read(n)?;
        let now = self.scan(Some(&before), Bytes::Hashed)?;
        Ok(before.differences(&now))
    }

    pub(super) fn restore(&self, n: u32, only: &[String]) -> Result<Restored, SnapshotError> {
        let before = self.read(n)?;
        let root = self.root;
        let places = restore::places(root, self.own(), only)?;
        let is_large = |path: &String| before.files.get(path).is_some_and(|entry| entry.what == What::Large);
        let (rest, left) = restore::part(&places, |place| {
            is_large(&place.path) || (!before.files.contains_key(&place.path) && before.overlooked(&place.path))
        });
        let back = Vec::new();
        let mut restored = Restored { back, left };
        // What was not there goes first: a folder of it may stand where a file was.
        let (there, added): (Vec<&Place>, Vec<&Place>) = rest
            .into_iter()
            .partition(|place| before.files.contains_key(&place.path));
        for place in added {
            restore::remove(root, place, before.taken)?;
            restored.back.push(place.path.clone());
        }
        let there = restore::with_room(root, there, &mut restored.left);
        let contents = Contents::of(self.run);
        for place in there {
            let entry = &before.files[&place.path];
            match &entry.what {
                What::Bytes(hash) => {
                    let bytes = contents.get(hash).map_err(|error| refused(&place.real, &error))?;
                    restore::put_bytes(root, place, &bytes, entry.stat.mode)?;
                }
                What::Link(target) => restore::put_link(root, place, target)?,
                What::Large => continue,
            }
            restored.back.push(place.path.clone());
        }
        Ok(restored)
    }

    /// Returns a manifest; none where there is not one.
    fn manifest(&self, n: u32) -> Option<Arc<Manifest>> {
        if let Some(manifest) = self.known.kept(n) {
            return Some(manifest);
        }
        let manifest = Arc::new(Manifest::read(&manifest_path(self.run, n))?);
        self.known.keep(n, &manifest);
        Some(manifest)
    }

    /// Returns the manifest of a snapshot that is kept here. One that tells where a repository stood goes with a tree of git,
    /// and lists only what is too large for that.
    fn read(&self, n: u32) -> Result<Arc<Manifest>, SnapshotError> {
        self.manifest(n)
            .filter(|manifest| manifest.head.is_none())
            .ok_or_else(|| SnapshotError::Unknown(format!("kept:{n}")))
    }

    /// Returns the folder of all runs, if it lies in the project.
    fn own(&self) -> Option<&Path> {
        let found = self.known.own.get_or_init(|| own(self.root, self.run.projects()));
        found.as_deref()
    }

    /// Looks at every file; what `before` knows is not read again.
    fn scan(&self, before: Option<&Manifest>, bytes: Bytes) -> Result<Manifest, SnapshotError> {
        // Read before the files are: what is written from now on has to be read again.
        let taken = SystemClock.now().saturating_mul(1_000_000);
        let contents = Contents::of(self.run);
        let mut manifest = Manifest {
            taken,
            ..Manifest::default()
        };
        let walked = walk(self.root, self.own())?;
        manifest.closed.extend(walked.closed.iter().cloned());
        manifest.unseen.extend(walked.closed);
        for found in walked.files {
            let known = before.and_then(|before| before.unchanged(&found.path, &found.stat));
            let what = match known {
                Some(what) => Some(what.clone()),
                None => look(self.root, &found, (bytes == Bytes::Kept).then_some(&contents))?,
            };
            if what == Some(What::Large) && found.stat.size <= LARGEST {
                manifest.closed.insert(found.path.clone());
            }
            if let Some(what) = what {
                let stat = found.stat;
                manifest.files.insert(found.path, Entry { stat, what });
            }
        }
        Ok(manifest)
    }
}

/// What becomes of the bytes of a file that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bytes {
    /// They are kept.
    Kept,
    /// Only their hash is.
    Hashed,
}

pub(super) fn manifest_path(run: &RunFolder, n: u32) -> PathBuf {
    run.kept().join(format!("{n}.json"))
}

/// Returns the number of the newest snapshot.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn last(run: &RunFolder) -> Option<u32> {
    let names = fs::read_dir(run.kept()).ok()?.flatten();
    let number =
        |entry: fs::DirEntry| -> Option<u32> { entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok() };
    names.filter_map(number).max()
}

/// Looks at one file; answers nothing where it is gone by now.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn look(root: &Path, found: &Found, keep: Option<&Contents>) -> Result<Option<What>, SnapshotError> {
    if let Some(target) = &found.target {
        return Ok(Some(What::Link(target.clone())));
    }
    if found.stat.size > LARGEST {
        return Ok(Some(What::Large));
    }
    let path = root.join(&found.path);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(Some(What::Large)),
        Err(error) => return Err(refused(&path, &error)),
    };
    let hash = match keep {
        Some(contents) => contents.put(&bytes).map_err(|error| refused(&path, &error))?,
        None => crate::machine::sha256(&bytes),
    };
    Ok(Some(What::Bytes(hash)))
}
