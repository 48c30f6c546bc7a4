//! Bytes in, their hash out; and the bytes of a hash again.

use crate::machine::sha256;
use crate::os::private;
use crate::os::store::RunFolder;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// The bytes that a run keeps, each once, found by their SHA-256.
///
/// They are not synced: they are read only after they were compared with their hash.
#[derive(Debug, Clone)]
pub struct Contents {
    folder: PathBuf,
}

impl Contents {
    /// Returns what `run` keeps.
    pub fn of(run: &RunFolder) -> Self {
        Self { folder: run.kept() }
    }

    /// Keeps bytes and returns their SHA-256.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn put(&self, bytes: &[u8]) -> io::Result<String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let hash = sha256(bytes);
        let path = self.folder.join(&hash);
        if fs::metadata(&path).is_ok_and(|there| there.len() == bytes.len() as u64) {
            return Ok(hash);
        }
        private::make_folder(&self.folder)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let draft = self.folder.join(format!(".{}-{number}.draft", std::process::id()));
        let mut file = private::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&draft)?;
        file.write_all(bytes)?;
        fs::rename(&draft, &path)?;
        Ok(hash)
    }

    /// Returns the bytes of a hash; bytes that are not what they were are an error.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn get(&self, hash: &str) -> io::Result<Vec<u8>> {
        // A hash from a journal is a name of ours; anything else could lead elsewhere.
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("`{hash}` is no hash"),
            ));
        }
        let bytes = fs::read(self.folder.join(hash))?;
        if sha256(&bytes) != hash {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "what was kept has changed since",
            ));
        }
        Ok(bytes)
    }
}
