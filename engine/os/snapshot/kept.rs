//! Snapshots outside git: every file by its hash, and a manifest for each snapshot.

use super::contents::Contents;
use super::manifest::{Entry, LARGEST, Manifest, What};
use super::restore::{self, Place};
use super::walk::{Found, own, walk};
use super::{Difference, Restored, SnapshotError, refused};
use crate::host::Clock;
use crate::os::clock::SystemClock;
use crate::os::store::RunFolder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) fn take(root: &Path, run: &RunFolder, n: u32) -> Result<(), SnapshotError> {
    let before = newest(run);
    let now = scan(root, run, before.as_ref(), true)?;
    now.write(&manifest_path(run, n))
}

pub(super) fn differences(root: &Path, run: &RunFolder, n: u32) -> Result<Vec<Difference>, SnapshotError> {
    let before = read(run, n)?;
    let now = scan(root, run, Some(&before), false)?;
    Ok(before.differences(&now))
}

pub(super) fn restore(root: &Path, run: &RunFolder, n: u32, only: &[String]) -> Result<Restored, SnapshotError> {
    let before = read(run, n)?;
    let own = own(root, run.projects());
    let places = restore::places(root, own.as_deref(), only)?;
    let mut restored = Restored::default();
    // What was not there goes first: a folder of it may stand where a file was.
    let (there, added): (Vec<&Place>, Vec<&Place>) =
        places.iter().partition(|place| before.files.contains_key(&place.path));
    for place in added {
        restore::remove(root, place)?;
        restored.back.push(place.path.clone());
    }
    let contents = Contents::of(run);
    for place in there {
        let entry = &before.files[&place.path];
        match &entry.what {
            What::Bytes(hash) => {
                let bytes = contents.get(hash).map_err(|error| refused(&place.real, &error))?;
                restore::put_bytes(root, place, &bytes, entry.stat.mode)?;
            }
            What::Link(target) => restore::put_link(root, place, target)?,
            What::Large => {
                restored.left.push(place.path.clone());
                continue;
            }
        }
        restored.back.push(place.path.clone());
    }
    Ok(restored)
}

pub(super) fn manifest_path(run: &RunFolder, n: u32) -> PathBuf {
    run.kept().join(format!("{n}.json"))
}

fn read(run: &RunFolder, n: u32) -> Result<Manifest, SnapshotError> {
    Manifest::read(&manifest_path(run, n)).ok_or_else(|| SnapshotError::Unknown(format!("kept:{n}")))
}

/// Returns the manifest of the newest snapshot: what did not change since is not read again.
fn newest(run: &RunFolder) -> Option<Manifest> {
    Manifest::read(&manifest_path(run, last(run)?))
}

/// Returns the number of the newest snapshot.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn last(run: &RunFolder) -> Option<u32> {
    let names = fs::read_dir(run.kept()).ok()?.flatten();
    let number =
        |entry: fs::DirEntry| -> Option<u32> { entry.file_name().to_str()?.strip_suffix(".json")?.parse().ok() };
    names.filter_map(number).max()
}

/// Looks at every file; what `before` knows is not read again, and with `keep` the bytes of the others are kept.
fn scan(root: &Path, run: &RunFolder, before: Option<&Manifest>, keep: bool) -> Result<Manifest, SnapshotError> {
    // Read before the files are: what is written from now on has to be read again.
    let taken = SystemClock.now().saturating_mul(1_000_000);
    let contents = Contents::of(run);
    let mut manifest = Manifest {
        taken,
        ..Manifest::default()
    };
    for found in walk(root, own(root, run.projects()).as_deref())? {
        let known = before.and_then(|before| before.unchanged(&found.path, &found.stat));
        let what = match known {
            Some(what) => Some(what.clone()),
            None => look(root, &found, keep.then_some(&contents))?,
        };
        if let Some(what) = what {
            let stat = found.stat;
            manifest.files.insert(found.path, Entry { stat, what });
        }
    }
    Ok(manifest)
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
        Err(error) => return Err(refused(&path, &error)),
    };
    let hash = match keep {
        Some(contents) => contents.put(&bytes).map_err(|error| refused(&path, &error))?,
        None => crate::machine::sha256(&bytes),
    };
    Ok(Some(What::Bytes(hash)))
}
