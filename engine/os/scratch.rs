//! A folder for what may go at any time; it goes with its holder.

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
    /// Makes a new folder below `parent`.
    ///
    /// # Errors
    /// Answers what the system says.
    #[expect(clippy::disallowed_methods, reason = "the os room makes folders")]
    pub fn make(parent: &Path) -> io::Result<Self> {
        fs::create_dir_all(parent)?;
        for n in 0..TRIES {
            let path = parent.join(format!("bmad-{}-{n}", std::process::id()));
            match private(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("no free name for a folder"))
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

#[cfg(unix)]
fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().create(path)
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
