//! A workspace in memory that remembers every write.

use crate::memory::Memory;
use bmad::host::{Entry, ReadError, Resolved, Workspace};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files in memory, and everything that was ever written to them.
pub(super) struct Watched {
    inner: Memory,
    written: Mutex<Vec<(PathBuf, String)>>,
    removed: Mutex<Vec<PathBuf>>,
}

impl Watched {
    pub(super) fn over(inner: Memory) -> Self {
        Self {
            inner,
            written: Mutex::default(),
            removed: Mutex::default(),
        }
    }

    /// Returns the text of a file of the project.
    pub(super) fn text(&self, path: &str) -> String {
        let bytes = self.inner.read(&Path::new("/project").join(path)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Returns what was written, in its order.
    pub(super) fn written(&self) -> Vec<(PathBuf, String)> {
        self.written.lock().unwrap().clone()
    }

    /// Returns what was removed.
    pub(super) fn removed(&self) -> Vec<PathBuf> {
        self.removed.lock().unwrap().clone()
    }
}

impl Workspace for Watched {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.inner.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.inner.exists(path)
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        self.inner.list(path)
    }

    fn resolve(&self, path: &Path) -> Option<Resolved> {
        self.inner.resolve(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        self.written.lock().unwrap().push((path.to_path_buf(), text));
        self.inner.write(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.removed.lock().unwrap().push(path.to_path_buf());
        self.inner.remove(path)
    }
}
