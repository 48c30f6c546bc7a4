//! A folder for what may go at any time; it goes with its holder.

use super::private::make_new_folder;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How often another name is tried.
const TRIES: u32 = 100;

/// A folder that nobody else may look into, removed when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes a new folder below `parent`, which is there.
    ///
    /// # Errors
    /// Answers what the system says.
    pub fn make(parent: &Path) -> io::Result<Self> {
        let mut tries = 0;
        loop {
            let path = parent.join(format!("bmad-{}-{tries}", super::pid()));
            match make_new_folder(&path) {
                // One that is there may be somebody else's.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
                made => return made.map(|()| Self { path }),
            }
        }
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clean up.
        fs::remove_dir_all(&self.path).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn two_are_never_the_same_and_both_go() {
        let parent = tempfile::tempdir().unwrap();
        let one = Scratch::make(parent.path()).unwrap();
        let two = Scratch::make(parent.path()).unwrap();
        assert_ne!(one.path(), two.path());
        let (first, second) = (one.path().to_owned(), two.path().to_owned());
        assert!(first.is_dir() && second.is_dir());
        drop((one, two));
        assert!(!first.exists() && !second.exists());
    }
}
