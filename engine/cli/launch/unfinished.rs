//! The files that a turn left behind when it was cut off: listed, and put back.

use super::{Launch, again, awaiting, flag};
use crate::host::Settlement;
use crate::os::snapshot::{Difference, SnapshotError, SnapshotId, Snapshots, changed_at};
use crate::runner::{Back, Left, Since};
use std::str::FromStr as _;
use std::sync::Arc;

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

/// Says of a file whether it is the work of somebody else since a turn was cut off: it changed after a moment, or it is of
/// the workflow, which was read before the turn is taken again.
pub(super) fn since(launch: &Launch<'_>) -> Since {
    let root = launch.project.root.clone();
    let edited = match launch.goes_on {
        true => again::changed(launch.project, &launch.begun),
        false => Vec::new(),
    };
    Arc::new(move |path, moment| {
        let is_later = |moment| changed_at(&root.join(path)).is_some_and(|at| at > moment);
        moment.is_some_and(is_later) || edited.iter().any(|edited| edited == path)
    })
}

/// Keeps the files as they are, and makes some of them what they were in a snapshot.
pub(super) fn put_back(snapshots: &Snapshots<'_>, id: &str, paths: &[String]) -> Result<Back, String> {
    let said = |error: SnapshotError| error.to_string();
    let id = SnapshotId::from_str(id).map_err(said)?;
    let kept = snapshots.take_beside(snapshots.next(), &id).map_err(said)?;
    // Where it fails on the way, some files are put back and others are not; all of them are kept.
    let stuck =
        |error: SnapshotError| format!("{error}; have them back with `bmad rollback RUN --take {kept} --yes PATHS`");
    let left = snapshots.restore(&id, paths).map_err(stuck)?.left;
    let kept = Some(kept.to_string());
    Ok(Back { kept, left })
}
