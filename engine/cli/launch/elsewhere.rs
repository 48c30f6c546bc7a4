//! A file that changed while agents only read in, whether somebody else writes it out.

use super::Launch;
use crate::cli::hook::Settings;
use crate::cli::session::Session;
use crate::drivers;
use crate::os::store::{RunState, RunSummary, Store};
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
    let (own, store, token) = (launch.begun.run.clone(), store.clone(), token.to_owned());
    let since = launch.clock.now();
    let written = Settings::of(launch.project).written();
    Arc::new(move |path| {
        let file = root.join(path);
        // Where the whole project is the output folder, everything would be somebody else's.
        let mut folders = written.iter().filter(|folder| !root.starts_with(folder));
        let is_made = folders.any(|folder| file.starts_with(folder));
        let real = host.resolve(&file).map_or(file, |resolved| resolved.path);
        drivers::is_open_elsewhere(&real, &token) || (is_made && has_others(&store, &own, since))
    })
}

/// Says whether another run of the project is at work, or was since then.
fn has_others(store: &Store, own: &str, since: i64) -> bool {
    let runs = store.runs().unwrap_or_default();
    let worked =
        |run: &RunSummary| matches!(run.state, RunState::Running(_)) || run.last.is_some_and(|last| last >= since);
    runs.iter().any(|run| run.id != own && worked(run))
}
