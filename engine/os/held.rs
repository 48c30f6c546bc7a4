//! The path of a small file in, the file and the right to be the only one who changes it out.
//!
//! The lock is on the file itself and ends with the process, whatever ends it. A change is a whole new file in its place;
//! whoever waited for the old one then looks again.

use super::draft::{self, Sync, is_at};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often it is looked whether somebody let go.
const GLANCE: Duration = Duration::from_millis(5);

/// A file that nobody else changes who asks first. Ends when it is dropped.
#[derive(Debug)]
pub struct HeldFile {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
}

/// Why a file is not held.
#[derive(Debug)]
pub enum HeldError {
    /// Nothing is there.
    Missing,
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It holds more than is read.
    TooLarge,
    /// Somebody else does not let go of it.
    Busy,
    /// The system refused.
    Refused(io::Error),
}

impl fmt::Display for HeldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeldError::Missing => formatter.write_str("it is not there"),
            HeldError::NotAFile => formatter.write_str("it is no file"),
            HeldError::TooLarge => formatter.write_str("it is too large"),
            HeldError::Busy => formatter.write_str("another program does not let go of it"),
            HeldError::Refused(error) => write!(formatter, "{}", error.to_string().to_lowercase()),
        }
    }
}

impl std::error::Error for HeldError {}

impl From<io::Error> for HeldError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::Missing,
            io::ErrorKind::IsADirectory => Self::NotAFile,
            _ => Self::Refused(error),
        }
    }
}

impl HeldFile {
    /// Takes hold of a file of at most `most` bytes; waits `patience` for others to let go of it.
    ///
    /// # Errors
    /// Answers why not.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk and the clock")]
    pub fn take(path: &Path, most: u64, patience: Duration) -> Result<Self, HeldError> {
        let until = Instant::now() + patience;
        loop {
            // Asked before opening: opening a pipe would wait for a writer.
            if !fs::metadata(path)?.is_file() {
                return Err(HeldError::NotAFile);
            }
            let file = File::open(path)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, path) => return Self::read(path, file, most),
                // Replaced while it was waited for.
                Ok(()) if Instant::now() < until => {}
                Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(GLANCE),
                Ok(()) | Err(TryLockError::WouldBlock) => return Err(HeldError::Busy),
                // Where files cannot be locked nobody can be waited for.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Self::read(path, file, most);
                }
                Err(TryLockError::Error(error)) => return Err(HeldError::Refused(error)),
            }
        }
    }

    fn read(path: &Path, file: File, most: u64) -> Result<Self, HeldError> {
        let mut bytes = Vec::new();
        (&file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(HeldError::TooLarge);
        }
        let path = path.to_path_buf();
        Ok(Self { path, file, bytes })
    }

    /// Returns what it holds.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts other bytes in its place. Where somebody did so without asking, theirs stay.
    ///
    /// # Errors
    /// Answers what the system says, or that the file is another one by now.
    pub fn replace(self, bytes: &[u8]) -> io::Result<()> {
        if !is_at(&self.file, &self.path) {
            return Err(io::Error::other("it was changed by another program"));
        }
        draft::write(&self.path, bytes, Sync::Now)
    }

    /// Removes it.
    ///
    /// # Errors
    /// Answers what the system says.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::{HeldError, HeldFile};
    use std::fs::{self, File};
    use std::path::Path;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(60);

    fn take(path: &Path) -> Result<HeldFile, HeldError> {
        HeldFile::take(path, 10, Duration::ZERO)
    }

    #[test]
    fn nobody_else_gets_what_is_held() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(matches!(take(&path), Err(HeldError::Missing)));
        assert!(matches!(take(folder.path()), Err(HeldError::NotAFile)));
        fs::write(&path, "one").unwrap();
        let held = take(&path).unwrap();
        assert!(matches!(take(&path), Err(HeldError::Busy)));
        held.replace(b"two").unwrap();
        let held = take(&path).unwrap();
        assert_eq!(held.bytes(), b"two");
        held.remove().unwrap();
        assert!(!path.exists());
        fs::write(&path, "more than ten").unwrap();
        assert!(matches!(take(&path), Err(HeldError::TooLarge)));
    }

    #[test]
    fn what_somebody_wrote_without_asking_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "one").unwrap();
        let held = take(&path).unwrap();
        fs::rename(&path, folder.path().join("old")).unwrap();
        fs::write(&path, "other").unwrap();
        assert!(held.replace(b"two").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"other");
    }

    #[test]
    fn no_change_of_many_at_once_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "0").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let held = HeldFile::take(&path, 10, LONG).unwrap();
                        let count: u32 = str::from_utf8(held.bytes()).unwrap().parse().unwrap();
                        held.replace((count + 1).to_string().as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read(&path).unwrap(), b"40");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_no_files() {
        assert!(matches!(take(Path::new("/dev/zero")), Err(HeldError::NotAFile)));
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert!(matches!(take(&pipe), Err(HeldError::NotAFile)));
        assert!(File::open(folder.path()).is_ok());
    }
}
