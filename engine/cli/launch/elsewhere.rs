//! A file that changed while agents only read in, whether somebody else writes it out.

use super::Launch;
use crate::cli::failure::Failure;
use crate::cli::hook::Settings;
use crate::cli::session::Session;
use crate::drivers;
use crate::os::store::{RunState, RunSummary, Store};
use crate::runner::Others;
use std::io::Write as _;
use std::sync::Arc;

/// Says of a file of the project whether it is in other hands: a process that is no agent of the run has it open, as the
/// log that its own output goes to, or it is of the files that another run of the project makes.
pub(super) fn elsewhere(
    launch: &Launch<'_>,
    store: &Store,
    token: &str,
    session: &Session<'_>,
) -> Arc<dyn Fn(&str) -> bool + Send + Sync> {
    let (root, host) = (launch.project.root.clone(), session.host());
    let token = token.to_owned();
    let since = launch.clock.now();
    let others = others(&launch.begun.run, store);
    let written = Settings::of(launch.project).written();
    Arc::new(move |path| {
        let file = root.join(path);
        // Where the whole project is the output folder, everything would be somebody else's.
        let mut folders = written.iter().filter(|folder| !root.starts_with(folder));
        let is_made = folders.any(|folder| file.starts_with(folder));
        let real = host.resolve(&file).map_or(file, |resolved| resolved.path);
        drivers::is_open_elsewhere(&real, &token) || (is_made && !others(since).is_empty())
    })
}

/// Names the other runs of the project that are at work, or were since a moment.
pub(super) fn others(own: &str, store: &Store) -> Others {
    let (own, store) = (own.to_owned(), store.clone());
    Arc::new(move |since| {
        let worked =
            |run: &RunSummary| matches!(run.state, RunState::Running(_)) || run.last.is_some_and(|last| last >= since);
        let runs = store.runs().unwrap_or_default().into_iter();
        let others = runs.filter(|run| run.id != own && worked(run));
        others.map(|run| run.id).collect()
    })
}

/// Says which other runs are at work: what they change is not known from what the agents of this one change.
pub(super) fn tell(own: &str, store: &Store, session: &mut Session<'_>) -> Result<(), Failure> {
    for run in others(own, store)(i64::MAX) {
        writeln!(
            session.errors,
            "note: run {run} is at work in this project too; what changes meanwhile may be its work, and is left alone"
        )?;
    }
    Ok(())
}
