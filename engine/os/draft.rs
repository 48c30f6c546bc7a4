//! The path of a file in, a draft next to it that takes its place out.
//!
//! A file has one draft, by name. A process that is killed while it writes leaves it behind, and whoever writes the file
//! next clears it away: what is left in a folder does not grow, and after a resume nothing is left.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How often a draft is tried for while others write the same file.
const TRIES: usize = 10_000;

/// When a file has to be on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sync {
    /// Before it takes its place.
    Now,
    /// Whenever the system gets to it: the file can be made again.
    Later,
}

/// A file that is about to take the place of another.
#[derive(Debug)]
pub(super) struct Draft {
    path: PathBuf,
    target: PathBuf,
    /// Locked for as long as it is written: a draft that nobody holds is of a process that is gone.
    file: File,
}

/// Puts new bytes in the place of a file; a draft that another writer took for one left behind is made anew.
pub(super) fn write(target: &Path, bytes: &[u8], sync: Sync) -> io::Result<()> {
    for _ in 0..TRIES {
        match Draft::of(target)?.put(bytes, sync) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            put => return put,
        }
    }
    Draft::of(target)?.put(bytes, sync)
}

impl Draft {
    /// Begins the draft of a file; waits while another process writes it.
    pub(super) fn of(target: &Path) -> io::Result<Self> {
        let path = beside(target)?;
        for _ in 0..TRIES {
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    clear(&path)?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            hold(&file)?;
            // Between making and locking it, somebody may have taken it for one that was left behind.
            if is_at(&file, &path) {
                let target = target.to_path_buf();
                return Ok(Self { path, target, file });
            }
        }
        Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "other programs write the same file; try again",
        ))
    }

    /// Fills the draft and puts it in the place of the file; where that fails nothing of it is left.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub(super) fn put(mut self, bytes: &[u8], sync: Sync) -> io::Result<()> {
        let put = self.fill(bytes, sync).and_then(|()| self.replace());
        if put.is_err() && fs::remove_file(&self.path).is_err() {
            // It stays until the file is written again; the first failure is the one to tell.
            return put;
        }
        put
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn fill(&mut self, bytes: &[u8], sync: Sync) -> io::Result<()> {
        if let Ok(metadata) = fs::metadata(&self.target) {
            self.file.set_permissions(metadata.permissions())?;
        }
        self.file.write_all(bytes)?;
        match sync {
            Sync::Now => self.file.sync_all(),
            Sync::Later => Ok(()),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn replace(&self) -> io::Result<()> {
        fs::rename(&self.path, &self.target)
    }
}

/// Removes a draft that was left behind; waits for its writer where there is one.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn clear(path: &Path) -> io::Result<()> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    // A link is not ours, and is not followed.
    let gone = match if is_file { File::open(path).ok() } else { None } {
        Some(file) => {
            hold(&file)?;
            !is_at(&file, path)
        }
        None => false,
    };
    match if gone { Ok(()) } else { fs::remove_file(path) } {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        cleared => cleared,
    }
}

/// Waits for the lock of a file; where files cannot be locked nobody can be waited for.
fn hold(file: &File) -> io::Result<()> {
    match file.lock() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        held => held,
    }
}

/// Says whether an open file is still the one at a path.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = fs::metadata(path).and_then(|there| Ok((there, file.metadata()?)));
    there.is_ok_and(|(there, opened)| (there.dev(), there.ino()) == (opened.dev(), opened.ino()))
}

/// Says whether an open file is still the one at a path.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut draft = OsString::from(".");
    draft.push(name);
    draft.push(".bmad-draft");
    Ok(target.with_file_name(draft))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::{Draft, Sync};
    use std::fs;
    use std::path::PathBuf;

    fn names(folder: &std::path::Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_that_was_left_behind_is_cleared_away_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.md");
        let mut left = Draft::of(&target).unwrap();
        left.fill(b"half", Sync::Now).unwrap();
        // As if its process was killed: the lock is gone and the file is there.
        drop(left);
        assert_eq!(names(folder.path()), [".a.md.bmad-draft"]);
        Draft::of(&target).unwrap().put(b"whole", Sync::Now).unwrap();
        assert_eq!(names(folder.path()), ["a.md"]);
        assert_eq!(fs::read(&target).unwrap(), b"whole");
    }

    #[test]
    fn writers_of_one_file_wait_for_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.md");
        let writers: Vec<_> = (0..8)
            .map(|n: u8| {
                let target: PathBuf = target.clone();
                std::thread::spawn(move || {
                    for _ in 0..20 {
                        super::write(&target, &[n; 1000], Sync::Now).unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        let bytes = fs::read(&target).unwrap();
        assert!(bytes.len() == 1000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(names(folder.path()), ["a.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_a_draft_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (other, target) = (folder.path().join("other"), folder.path().join("a.md"));
        fs::write(&other, "theirs").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join(".a.md.bmad-draft")).unwrap();
        Draft::of(&target).unwrap().put(b"ours", Sync::Now).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a.md", "other"]);
    }
}
