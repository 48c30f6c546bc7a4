//! The files of the engine's own hands: what it writes while agents read is not theirs.

use super::crew::Crew;
use crate::host::{Entry, ReadError, Resolved, Workspace};
use crate::machine::sha256;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The files, with a note of what the engine wrote.
pub(super) struct OwnWrites {
    inner: Arc<dyn Workspace>,
    /// What each file holds since; nothing where it was removed.
    written: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl OwnWrites {
    pub(super) fn over(inner: Arc<dyn Workspace>) -> Self {
        Self {
            inner,
            written: Mutex::default(),
        }
    }

    /// Forgets what was written so far.
    pub(super) fn forget(&self) {
        self.written().clear();
    }

    /// Says whether a file is what the engine made of it, or is one that the driver keeps for itself.
    pub(super) fn holds(&self, path: &str, crew: &Crew) -> bool {
        let full = crew.root.join(path);
        let real = |path: &Path| self.inner.resolve(path).map(|resolved| resolved.path);
        let kept = crew.driver.own_files();
        if kept
            .iter()
            .any(|own| *own == full || real(own).is_some_and(|own| Some(own) == real(&full)))
        {
            return true;
        }
        let now = self.inner.read(&full).ok().map(|bytes| sha256(&bytes));
        self.written().get(&full).is_some_and(|then| *then == now)
    }

    /// Takes a file as it is for one that the engine made.
    pub(super) fn adopt(&self, path: &str, crew: &Crew) {
        let full = crew.root.join(path);
        let bytes = self.inner.read(&full).ok();
        self.note(&full, bytes.as_deref());
    }

    fn note(&self, path: &Path, bytes: Option<&[u8]>) {
        self.written().insert(path.to_path_buf(), bytes.map(sha256));
    }

    fn written(&self) -> MutexGuard<'_, HashMap<PathBuf, Option<String>>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Workspace for OwnWrites {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.inner.read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.inner.exists(path)
    }

    fn is_executable(&self, path: &Path) -> bool {
        self.inner.is_executable(path)
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        self.inner.list(path)
    }

    fn resolve(&self, path: &Path) -> Option<Resolved> {
        self.inner.resolve(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.note(path, Some(bytes));
        self.inner.write(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.note(path, None);
        self.inner.remove(path)
    }

    fn write_soon(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.note(path, Some(bytes));
        self.inner.write_soon(path, bytes)
    }
}
