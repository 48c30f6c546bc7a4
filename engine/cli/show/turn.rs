//! One turn of a run, in full: what the agent was told and what it replied.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::record::Record;
use crate::cli::session::Session;
use crate::host::{Begun, JournalError, Line, Workspace};
use crate::machine::{Effect, Outcome, Task};
use crate::os::store::RunFolder;
use crate::runner::prompt;
use serde_json::json;
use std::io::Write as _;
use std::path::Path;

/// A turn, as far as the journal has it.
struct Turn {
    driver: String,
    step: String,
    task: Task,
    outcome: Option<Outcome>,
}

/// Prints one turn.
pub(super) fn show(
    n: u64,
    as_json: bool,
    folder: &RunFolder,
    begun: &Begun,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let (turn, count) = find(n, folder).map_err(|error| Failure::journal(&error))?;
    let Some(turn) = turn else {
        return Err(Failure::usage(format!("run {} has no turn {n}", begun.run))
            .with_hint(format!("it has {count}; `bmad show {}` lists them", begun.run)));
    };
    let host = session.host();
    let text = prompt(&turn.task, &|name| own(name, begun, &*host))
        .map_err(|error| Failure::work(format!("the prompt cannot be made again: {error}")))?;
    let out = &mut session.output;
    if as_json {
        let value = json!({
            "turn": n, "step": turn.step, "driver": turn.driver, "task": turn.task, "prompt": text,
            "outcome": turn.outcome,
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Clean);
    }
    writeln!(out, "turn {n} of {} in step {}", turn.driver, turn.step)?;
    writeln!(out, "\n{}", text.trim_end())?;
    match &turn.outcome {
        Some(Outcome::Replied(envelope)) => {
            let reply = serde_json::to_string_pretty(envelope).map_err(|error| Failure::work(error.to_string()))?;
            writeln!(out, "\nreply:\n{reply}")?;
        }
        Some(Outcome::Failed(failure)) => {
            writeln!(out, "\nfailed ({}): {}", failure.kind.name(), failure.message)?;
        }
        Some(_) | None => writeln!(out, "\nno reply: the turn was begun and never ended")?,
    }
    Ok(Exit::Clean)
}

/// Finds a turn, and counts all of them.
fn find(n: u64, folder: &RunFolder) -> Result<(Option<Turn>, u64), JournalError> {
    let mut found: Option<Turn> = None;
    let mut count = 0;
    for entry in Record::of(folder)? {
        let entry = entry?;
        let Some(begun) = entry.turn.as_ref().filter(|_| !entry.void) else {
            continue;
        };
        count = count.max(begun.n);
        if begun.n != n {
            continue;
        }
        match entry.line {
            Line::Intent { step, effect, .. } => {
                if let Effect::Dispatch(task) | Effect::Judge(task) = effect.into_owned() {
                    let driver = begun.driver.clone();
                    let task = *task;
                    found = Some(Turn {
                        driver,
                        step,
                        task,
                        outcome: None,
                    });
                }
            }
            Line::Done { outcome, .. } => {
                if let Some(turn) = &mut found {
                    turn.outcome = Some(outcome.into_owned());
                }
            }
            Line::Begun(_)
            | Line::Hooked(_)
            | Line::Resumed { .. }
            | Line::Called(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. }
            | Line::Stopped { .. } => {}
        }
    }
    Ok((found, count))
}

/// Reads a prompt file of the project's own.
fn own(name: &str, begun: &Begun, host: &dyn Workspace) -> Option<String> {
    let path = Path::new(&begun.root).join("_bmad/core/prompts").join(name);
    String::from_utf8(host.read(&path).ok()?).ok()
}
