//! Runs that nobody needs any more, removed.

use super::Args;
use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::Clock as _;
use crate::os::clock::SystemClock;
use crate::os::store::{RunFolder, RunState, RunSummary, Store};
use serde_json::json;
use std::io::Write as _;

/// A day, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Removes the runs that were named, and those that are old; none where one that was named has to stay.
pub(super) fn remove(args: &Args, store: &Store, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let runs = store.runs().map_err(|error| Failure::work(error.to_string()))?;
    let mut chosen = named(args, store, &runs)?;
    if let Some(days) = args.remove_older {
        let before = SystemClock.now().saturating_sub(i64::from(days).saturating_mul(DAY));
        let is_old = |run: &&RunSummary| run.last.is_none_or(|last| last <= before);
        let old = runs.iter().filter(is_old).filter(|run| may_go(args, run.state));
        for run in old {
            chosen.push((run, found(args, store, &run.id)?));
        }
        chosen.sort_by(|one, other| one.0.id.cmp(&other.0.id));
        chosen.dedup_by(|one, other| one.0.id == other.0.id);
    }
    for (run, folder) in &chosen {
        store.remove(folder).map_err(|error| Failure::work(error.to_string()))?;
        if args.json {
            writeln!(
                session.output,
                "{}",
                json!({ "removed": run.id, "state": run.state.name() })
            )?;
        } else {
            writeln!(
                session.output,
                "removed {}  {}  {}",
                run.id,
                run.state.name(),
                run.workflow
            )?;
        }
    }
    if chosen.is_empty() && !args.json {
        writeln!(session.output, "nothing to remove")?;
    }
    Ok(Exit::Clean)
}

/// Finds the runs that were named, each of which may go.
fn named<'r>(args: &Args, store: &Store, runs: &'r [RunSummary]) -> Result<Vec<(&'r RunSummary, RunFolder)>, Failure> {
    let mut chosen = Vec::new();
    for wanted in &args.remove {
        let folder = found(args, store, wanted)?;
        let Some(run) = runs.iter().find(|run| run.id == folder.id()) else {
            continue;
        };
        if !may_go(args, run.state) {
            return Err(stays(args, run));
        }
        chosen.push((run, folder));
    }
    Ok(chosen)
}

fn found(args: &Args, store: &Store, wanted: &str) -> Result<RunFolder, Failure> {
    let list = with_state("bmad runs", args.state_dir.as_deref());
    store.find(wanted).map_err(|error| {
        Failure::usage(error.to_string()).with_hint(format!("`{list}` lists the runs of this project"))
    })
}

/// Says whether a run may be removed: it is over, or that is wanted all the same. One at work stays.
fn may_go(args: &Args, state: RunState) -> bool {
    match state {
        RunState::Completed | RunState::Halted => true,
        RunState::Running(_) => false,
        RunState::Waiting
        | RunState::Failed
        | RunState::Limited
        | RunState::Parked
        | RunState::Interrupted
        | RunState::RolledBack
        | RunState::Damaged => args.force,
    }
}

fn stays(args: &Args, run: &RunSummary) -> Failure {
    let command = |words: String| with_state(words, args.state_dir.as_deref());
    let failure = Failure::usage(format!(
        "run {} is {}, and nothing was removed",
        run.id,
        run.state.name()
    ));
    if matches!(run.state, RunState::Running(_)) {
        return failure.with_hint("a process works on it; stop that first");
    }
    let resume = command(format!("bmad resume {}", run.id));
    let forced = command(format!("bmad runs --remove {} --force", run.id));
    failure
        .with_hint(format!("`{resume}` goes on with it"))
        .with_hint(format!("`{forced}` removes it all the same"))
}
