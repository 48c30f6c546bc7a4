//! The files that a turn left behind when it was cut off: listed, and put back.

use super::{awaiting, flag};
use crate::host::Settlement;
use crate::os::snapshot::{Difference, SnapshotId, Snapshots};
use crate::runner::Left;
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

/// Lists what is different from a snapshot, without what the engine itself tells there of its runs.
pub(super) fn left_behind(snapshots: &Snapshots<'_>, id: &str) -> Result<Vec<Left>, String> {
    let id = SnapshotId::from_str(id).map_err(|error| error.to_string())?;
    let differences = snapshots.differences(&id);
    let mut differences = differences.map_err(|error| error.to_string())?;
    differences.retain(|difference| !flag::is_own(&difference.path) && !awaiting::is_own(&difference.path));
    let left = |difference: Difference| Left {
        path: difference.path,
        change: difference.change.name(),
    };
    Ok(differences.into_iter().map(left).collect())
}

/// Makes files what they were in a snapshot; answers those that are too large to have been kept.
pub(super) fn put_back(snapshots: &Snapshots<'_>, id: &str, paths: &[String]) -> Result<Vec<String>, String> {
    let id = SnapshotId::from_str(id).map_err(|error| error.to_string())?;
    let restored = snapshots.restore(&id, paths);
    restored
        .map(|restored| restored.left)
        .map_err(|error| error.to_string())
}
