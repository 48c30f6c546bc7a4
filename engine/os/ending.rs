//! The path of a file that may be very long in, its end out.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Returns the last bytes of a file, at most so many.
///
/// # Errors
/// Answers what the system says; a folder, a pipe or a device is no file.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub fn ending(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Asked before opening: opening a pipe would wait for a writer.
    let there = fs::metadata(path)?;
    if !there.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(there.len().saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::ending;
    use std::fs;
    use std::path::Path;

    #[test]
    fn only_the_end_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(ending(&path, 3).unwrap(), b"789");
        assert_eq!(ending(&path, 99).unwrap(), b"0123456789");
        assert!(ending(folder.path(), 3).is_err());
        assert!(ending(&folder.path().join("b"), 3).is_err());
        assert!(!cfg!(unix) || ending(Path::new("/dev/zero"), 3).is_err());
    }
}
