//! What a file said before the engine changed it, kept with the state of runs so that the change can be taken back.

use super::private;
use crate::machine::sha256;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Remembers files that the engine changes on a person's word.
#[derive(Debug, Clone)]
pub struct Before {
    folder: PathBuf,
}

/// What a file was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Was {
    /// There was none.
    Missing,
    /// It held these bytes.
    File(Vec<u8>),
}

impl Before {
    /// Opens what is remembered below a state folder; nothing is made before there is something to keep.
    pub fn below(state: &Path) -> Self {
        Self {
            folder: state.join("changed"),
        }
    }

    /// Remembers what a file was before it came to hold `after`. Files may hold secrets, so nobody else can read it.
    ///
    /// # Errors
    /// Answers what the system says.
    pub fn keep(&self, file: &Path, was: &Was, after: &[u8]) -> io::Result<()> {
        private::make_folder(&self.folder)?;
        let mut kept = private::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(self.place(file))?;
        let (word, bytes) = match was {
            Was::Missing => ("missing", &[][..]),
            Was::File(bytes) => ("file", bytes.as_slice()),
        };
        kept.write_all(format!("{} {word}\n", sha256(after)).as_bytes())?;
        kept.write_all(bytes)?;
        kept.sync_data()
    }

    /// Returns what a file was, where nobody else has changed it since.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn was(&self, file: &Path, now: &[u8]) -> Option<Was> {
        let kept = fs::read(self.place(file)).ok()?;
        let end = memchr::memchr(b'\n', &kept)?;
        let (sum, word) = str::from_utf8(&kept[..end]).ok()?.split_once(' ')?;
        if sum != sha256(now) {
            return None;
        }
        match word {
            "missing" => Some(Was::Missing),
            "file" => Some(Was::File(kept[end + 1..].to_vec())),
            _ => None,
        }
    }

    /// Forgets a file.
    ///
    /// # Errors
    /// Answers what the system says.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn forget(&self, file: &Path) -> io::Result<()> {
        match fs::remove_file(self.place(file)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn place(&self, file: &Path) -> PathBuf {
        self.folder.join(sha256(file.display().to_string().as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Before, Was};
    use std::path::Path;

    #[test]
    fn what_was_is_known_until_somebody_else_changes_the_file() {
        let state = tempfile::tempdir().unwrap();
        let (before, file) = (Before::below(state.path()), Path::new("/p/settings.json"));
        assert_eq!(before.was(file, b"after"), None);
        for was in [Was::Missing, Was::File(b"one\n\xfftwo".to_vec()), Was::File(Vec::new())] {
            before.keep(file, &was, b"after").unwrap();
            assert_eq!(before.was(file, b"after"), Some(was));
            assert_eq!(before.was(file, b"other"), None);
        }
        before.forget(file).unwrap();
        before.forget(file).unwrap();
        assert_eq!(before.was(file, b"after"), None);
    }
}
