//! A workspace in memory: the same engine, no disk.

use bmad::host::{Entry, EntryKind, ReadError, Resolved, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files by path.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    files: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
    /// A file or folder that nobody may open.
    locked: Option<PathBuf>,
}

impl Memory {
    pub(crate) fn new(files: impl IntoIterator<Item = (String, impl Into<Vec<u8>>)>) -> Self {
        let files = files
            .into_iter()
            .map(|(path, bytes)| (Path::new("/project").join(path), bytes.into()))
            .collect();
        Self {
            files: Mutex::new(files),
            locked: None,
        }
    }

    /// Keeps everybody from opening a file or folder.
    pub(crate) fn lock(mut self, path: &str) -> Self {
        self.locked = Some(Path::new("/project").join(path));
        self
    }

    fn is_locked(&self, path: &Path) -> bool {
        self.locked.as_ref().is_some_and(|locked| path.starts_with(locked))
    }

    /// Says whether nobody can tell what is at a path.
    fn is_hidden(&self, path: &Path) -> bool {
        self.is_locked(path) && self.locked.as_deref() != Some(path)
    }
}

impl Workspace for Memory {
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        if self.is_locked(path) {
            return Err(ReadError::Refused("permission denied".to_owned()));
        }
        self.files.lock().unwrap().get(path).cloned().ok_or(ReadError::Missing)
    }

    fn exists(&self, path: &Path) -> bool {
        !self.is_hidden(path) && self.files.lock().unwrap().keys().any(|known| known.starts_with(path))
    }

    fn closed(&self, path: &Path) -> Option<String> {
        let is_file = self.files.lock().unwrap().contains_key(path);
        let is_closed = self.is_hidden(path) || self.is_locked(path) && !is_file;
        is_closed.then(|| "permission denied".to_owned())
    }

    fn list(&self, path: &Path) -> Vec<Entry> {
        let files = self.files.lock().unwrap();
        if self.is_locked(path) {
            return Vec::new();
        }
        let mut folders = BTreeSet::new();
        let mut entries = Vec::new();
        for known in files.keys() {
            let Ok(rest) = known.strip_prefix(path) else { continue };
            let mut parts = rest.components();
            let Some(first) = parts.next() else { continue };
            let name = first.as_os_str().to_string_lossy().into_owned();
            if parts.next().is_some() {
                folders.insert(name);
            } else {
                entries.push(Entry {
                    name,
                    kind: EntryKind::File,
                });
            }
        }
        entries.extend(folders.into_iter().map(|name| Entry {
            name,
            kind: EntryKind::Folder,
        }));
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    fn resolve(&self, path: &Path) -> Option<Resolved> {
        let files = self.files.lock().unwrap();
        if self.is_hidden(path) {
            return None;
        }
        let kind = if files.contains_key(path) {
            EntryKind::File
        } else if files.keys().any(|known| known.starts_with(path)) {
            EntryKind::Folder
        } else {
            return None;
        };
        Some(Resolved {
            path: path.to_path_buf(),
            kind,
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files.lock().unwrap().remove(path);
        Ok(())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.lock().unwrap().insert(path.to_path_buf(), bytes.to_vec());
        Ok(())
    }
}
