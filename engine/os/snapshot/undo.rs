//! The files that a run wrote in, the same files as they were before out.
//!
//! Before a run writes a file, it keeps what the file holds, under the name of the write. A run that went back may make
//! the same write again over other bytes: so that the old ones are not taken for them, a new folder begins each time.

use super::restore::{self, NEVER};
use super::walk::own;
use super::{SnapshotError, refused};
use crate::host::Workspace as _;
use crate::machine::{Key, sha256};
use crate::os::Disk;
use crate::os::store::RunFolder;
use std::io;
use std::path::{Path, PathBuf};

/// What a run kept of the files it wrote.
#[derive(Debug)]
pub struct Undo<'a> {
    root: &'a Path,
    run: &'a RunFolder,
}

impl<'a> Undo<'a> {
    /// Returns what `run` kept of the folder `root`.
    pub fn of(root: &'a Path, run: &'a RunFolder) -> Self {
        Self { root, run }
    }

    /// Returns the folder that bytes are kept in from now on.
    pub fn folder(&self) -> PathBuf {
        self.numbered(times(self.run))
    }

    /// Notes that the run goes back: lines of its journal may be void from now on.
    pub fn note(&self) -> io::Result<()> {
        let times = times(self.run) + 1;
        Disk.write(&mark(self.run), format!("{times}\n").as_bytes())
    }

    /// Returns the bytes that were kept before a write, if they are still what they were.
    pub fn kept(&self, key: &Key, hash: &str) -> Option<Vec<u8>> {
        let folders = (0..=times(self.run)).rev().map(|times| self.numbered(times));
        let mut kept = folders.filter_map(|folder| Disk.read(&folder.join(key.file_name())).ok());
        kept.find(|bytes| sha256(bytes) == hash)
    }

    /// Makes a file what it was; without bytes it was not there.
    pub fn put_back(&self, path: &str, bytes: Option<&[u8]>) -> Result<(), SnapshotError> {
        let own = own(self.root, self.run.projects());
        let places = restore::places(self.root, own.as_deref(), &[path.to_owned()])?;
        for place in &places {
            match bytes {
                None => restore::remove(self.root, place, NEVER)?,
                Some(bytes) => Disk
                    .write(&place.real, bytes)
                    .map_err(|error| refused(&place.real, &error))?,
            }
        }
        Ok(())
    }

    fn numbered(&self, times: u32) -> PathBuf {
        match times {
            0 => self.run.kept().join("before"),
            _ => self.run.kept().join(format!("before-{times}")),
        }
    }
}

/// Says whether a run ever went back, so that lines of its journal may be void.
pub fn went_back(run: &RunFolder) -> bool {
    times(run) > 0
}

/// Returns how often a run went back. A note that cannot be read is still a note.
fn times(run: &RunFolder) -> u32 {
    match Disk.read(&mark(run)) {
        Ok(text) => String::from_utf8_lossy(&text).trim().parse().unwrap_or(1),
        Err(_) => u32::from(Disk.exists(&mark(run))),
    }
}

fn mark(run: &RunFolder) -> PathBuf {
    run.path().join("rolled-back")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::{Undo, went_back};
    use crate::machine::{Key, sha256};
    use crate::os::store::{RunFolder, Store};
    use std::fs;
    use std::path::Path;

    fn run(folder: &Path) -> RunFolder {
        fs::create_dir_all(folder.join("project")).unwrap();
        let store = Store::open(&folder.join("state"), &folder.join("project")).unwrap();
        store.new_run(1_794_723_365_000).unwrap()
    }

    fn key() -> Key {
        Key {
            lane: "0".into(),
            digest: "ab".into(),
            n: 0,
        }
    }

    fn keep(undo: &Undo<'_>, text: &str) {
        fs::create_dir_all(undo.folder()).unwrap();
        fs::write(undo.folder().join(key().file_name()), text).unwrap();
    }

    #[test]
    fn each_time_a_run_goes_back_bytes_are_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path());
        let root = folder.path().join("project");
        let undo = Undo::of(&root, &run);
        keep(&undo, "one");
        assert!(!went_back(&run));
        undo.note().unwrap();
        assert!(went_back(&run));
        keep(&undo, "two");
        for text in ["one", "two"] {
            let found = undo.kept(&key(), &sha256(text.as_bytes()));
            assert_eq!(found.as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn bytes_that_are_not_what_they_were_are_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path());
        let root = folder.path().join("project");
        let undo = Undo::of(&root, &run);
        keep(&undo, "changed");
        assert_eq!(undo.kept(&key(), &sha256(b"one")), None);
    }

    #[test]
    fn a_file_that_was_not_there_goes_with_its_empty_folders() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path());
        let root = folder.path().join("project");
        fs::create_dir_all(root.join("docs/new")).unwrap();
        fs::write(root.join("docs/new/a.md"), "a").unwrap();
        fs::write(root.join("docs/b.md"), "b").unwrap();
        let undo = Undo::of(&root, &run);
        undo.put_back("docs/new/a.md", None).unwrap();
        undo.put_back("docs/b.md", Some(b"before")).unwrap();
        assert!(!root.join("docs/new").exists());
        assert_eq!(fs::read_to_string(root.join("docs/b.md")).unwrap(), "before");
    }

    #[test]
    fn nothing_outside_the_project_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path());
        let root = folder.path().join("project");
        fs::write(folder.path().join("outside.md"), "mine").unwrap();
        let undo = Undo::of(&root, &run);
        assert!(undo.put_back("../outside.md", None).is_err());
        assert!(undo.put_back("../outside.md", Some(b"x")).is_err());
        assert_eq!(fs::read_to_string(folder.path().join("outside.md")).unwrap(), "mine");
    }
}
