//! The journal of a run in, what was done before out.

use crate::host::{Begun, JournalError};
use crate::os::journal::{ReplayKind, ends, replay};
use crate::os::store::RunFolder;
use crate::runner::Past;

/// What was done before, in the order it was recorded.
type Pasts = Box<dyn Iterator<Item = Result<Past, JournalError>> + Send>;

/// Reads what a run did before; what was rolled back is void.
pub(in crate::cli) fn past(folder: &RunFolder) -> Result<Pasts, JournalError> {
    let path = folder.journal();
    let void = match rolled_back_to(folder) {
        true => voided(replay(&path)?)?,
        false => Vec::new(),
    };
    let lines = replay(&path)?.filter_map(move |line| match line {
        Err(error) => Some(Err(error)),
        Ok(line) if void.iter().any(|(from, to)| line.seq > *from && line.seq <= *to) => None,
        Ok(line) => match line.kind {
            ReplayKind::Intent { key, snapshot, .. } => Some(Ok(Past::Begun(key, snapshot))),
            ReplayKind::Done { key, outcome, .. } => Some(Ok(Past::Done(key, outcome))),
            ReplayKind::Begun(_)
            | ReplayKind::Resumed { .. }
            | ReplayKind::Settled { .. }
            | ReplayKind::RolledBack { .. }
            | ReplayKind::Stopped { .. } => None,
        },
    });
    Ok(Box::new(lines))
}

/// Returns the lines that are void, as (the last that counts, the last that does not).
fn voided(
    lines: impl Iterator<Item = Result<crate::os::journal::Replayed, JournalError>>,
) -> Result<Vec<(u64, u64)>, JournalError> {
    let mut void = Vec::new();
    for line in lines {
        let line = line?;
        if let ReplayKind::RolledBack { to } = line.kind {
            void.push((to, line.seq));
        }
    }
    Ok(void)
}

/// Says whether a run was ever rolled back: only then its journal is read twice.
fn rolled_back_to(folder: &RunFolder) -> bool {
    folder.path().join("rolled-back").exists()
}

/// Reads how a run began.
pub(in crate::cli) fn begun(folder: &RunFolder) -> Result<Begun, JournalError> {
    ends(&folder.journal()).map(|ends| *ends.begun)
}
