//! Paths in, the paths below them that changed out, once things have been quiet for a moment.

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long nothing must change before a batch of changes is handed over.
const QUIET: Duration = Duration::from_millis(200);
/// How long a batch may grow while things keep changing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why changes can no longer be seen.
#[derive(Debug)]
pub struct WatchError(notify::Error);

impl fmt::Display for WatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "changes cannot be watched: {}", self.0)
    }
}

impl std::error::Error for WatchError {}

impl From<notify::Error> for WatchError {
    fn from(error: notify::Error) -> Self {
        Self(error)
    }
}

/// A standing order to see changes. Changes made after `start` returned are never missed.
#[derive(Debug)]
pub struct Watch {
    events: Receiver<notify::Result<Event>>,
    wanted: Vec<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Starts to watch files, and folders with all that is below them.
    pub fn start(paths: &[PathBuf]) -> Result<Watch, WatchError> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender)?;
        let mut wanted = Vec::with_capacity(paths.len());
        for path in paths {
            let path = real(path)?;
            if path.is_dir() {
                watcher.watch(&path, RecursiveMode::Recursive)?;
            } else {
                // An editor replaces a file by another one: only the folder sees that.
                let folder = path.parent().unwrap_or(&path);
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            wanted.push(path);
        }
        Ok(Watch {
            events,
            wanted,
            _watcher: watcher,
        })
    }

    /// Waits for the next batch of changes and returns what changed, sorted, each path once.
    pub fn wait(&mut self) -> Result<Vec<PathBuf>, WatchError> {
        loop {
            let first = self.events.recv().map_err(|_| ended())??;
            let mut changed = BTreeSet::new();
            self.note(first, &mut changed);
            if !changed.is_empty() {
                self.gather(&mut changed)?;
                return Ok(changed.into_iter().collect());
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a batch has a latest moment")]
    fn gather(&self, changed: &mut BTreeSet<PathBuf>) -> Result<(), WatchError> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(QUIET.min(left)) {
                Ok(event) => self.note(event?, changed),
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
    }

    fn note(&self, event: Event, changed: &mut BTreeSet<PathBuf>) {
        if !is_change(event.kind) {
            return;
        }
        let wanted = |path: &PathBuf| self.wanted.iter().any(|root| path.starts_with(root));
        changed.extend(event.paths.into_iter().filter(wanted));
    }
}

/// Says whether an event changed something. Reading a file is an event too, and reading is what follows a change.
fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(_) | EventKind::Other)
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn real(path: &Path) -> Result<PathBuf, WatchError> {
    std::fs::canonicalize(path).map_err(|error| WatchError(notify::Error::io(error).add_path(path.to_path_buf())))
}

fn ended() -> WatchError {
    WatchError(notify::Error::generic("the system stopped reporting them"))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests change real files")]
mod tests {
    use super::{Watch, is_change};
    use notify::EventKind;
    use notify::event::{AccessKind, AccessMode, DataChange, ModifyKind};
    use std::fs;
    use std::path::PathBuf;

    fn names(changed: &[PathBuf]) -> Vec<&str> {
        changed.iter().filter_map(|path| path.file_name()?.to_str()).collect()
    }

    #[test]
    fn several_changes_come_as_one_batch() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("deep")).unwrap();
        let mut watch = Watch::start(&[folder.path().to_path_buf()]).unwrap();
        fs::write(folder.path().join("deep/b.md"), "b").unwrap();
        fs::write(folder.path().join("a.md"), "a").unwrap();
        let changed = watch.wait().unwrap();
        assert_eq!(names(&changed), ["a.md", "b.md"]);
    }

    #[test]
    fn only_the_watched_file_of_a_folder_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.md");
        fs::write(&file, "one").unwrap();
        let mut watch = Watch::start(std::slice::from_ref(&file)).unwrap();
        fs::write(folder.path().join("other.md"), "b").unwrap();
        fs::write(folder.path().join("draft"), "two").unwrap();
        fs::rename(folder.path().join("draft"), &file).unwrap();
        assert_eq!(names(&watch.wait().unwrap()), ["a.md"]);
    }

    #[test]
    fn reading_a_file_is_no_change() {
        assert!(!is_change(EventKind::Access(AccessKind::Close(AccessMode::Read))));
        assert!(is_change(EventKind::Modify(ModifyKind::Data(DataChange::Content))));
    }

    #[test]
    fn a_path_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = Watch::start(&[folder.path().join("missing.md")]).unwrap_err();
        assert!(error.to_string().contains("missing.md"), "{error}");
    }
}
