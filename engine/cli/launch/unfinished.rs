//! The files that a turn left behind when it was cut off: listed, and put back.

use crate::host::Settlement;
use crate::os::snapshot::{SnapshotId, Snapshots};
use crate::os::store::RunFolder;
use std::path::Path;
use std::str::FromStr as _;

/// What is done about the files that a turn left behind when it was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Unfinished {
    /// Make them what they were before the turn
    Restore,
    /// Leave them as they are
    Keep,
}

impl From<Unfinished> for Settlement {
    fn from(said: Unfinished) -> Self {
        match said {
            Unfinished::Restore => Settlement::Restored,
            Unfinished::Keep => Settlement::Kept,
        }
    }
}

/// Lists what is different from a snapshot, in words.
pub(super) fn left_behind(root: &Path, folder: &RunFolder, id: &str) -> Result<Vec<String>, String> {
    let id = SnapshotId::from_str(id).map_err(|error| error.to_string())?;
    let differences = Snapshots::of(root, folder).differences(&id);
    let differences = differences.map_err(|error| error.to_string())?.into_iter();
    Ok(differences
        .map(|difference| format!("{:<8} {}", difference.change.name(), difference.path))
        .collect())
}

/// Makes every file that is different from a snapshot what it was.
pub(super) fn put_back(root: &Path, folder: &RunFolder, id: &str) -> Result<(), String> {
    let id = SnapshotId::from_str(id).map_err(|error| error.to_string())?;
    let snapshots = Snapshots::of(root, folder);
    let differences = snapshots.differences(&id).map_err(|error| error.to_string())?;
    let changed: Vec<String> = differences.into_iter().map(|difference| difference.path).collect();
    let restored = snapshots.restore(&id, &changed);
    restored.map(|_| ()).map_err(|error| error.to_string())
}
