//! One turn of a run, in full: what the agent was told and what it replied; or one command and what it wrote.

use super::Args;
use crate::cli::Exit;
use crate::cli::brief::{self, with_state};
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

/// A turn or a command, as far as the journal has it.
struct Turn {
    driver: String,
    step: String,
    asked: Asked,
    outcome: Option<Outcome>,
}

/// What was asked.
enum Asked {
    Agent(Box<Task>),
    Command(String),
}

/// Prints one turn, or one command.
pub(super) fn show(
    n: u64,
    args: &Args,
    folder: &RunFolder,
    begun: &Begun,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let (turn, count) = find(n, folder).map_err(|error| Failure::journal(&error))?;
    let Some(turn) = turn else {
        let all = with_state(format!("bmad show {}", begun.run), args.state_dir.as_deref());
        return Err(Failure::usage(format!("run {} has no turn {n}", begun.run))
            .with_hint(format!("it has {count}; `{all}` lists them")));
    };
    let Turn { step, driver, .. } = &turn;
    let host = session.host();
    let (head, text, value) = match &turn.asked {
        Asked::Agent(task) => {
            let text = prompt(task, &|name| own(name, begun, &*host))
                .map_err(|error| Failure::work(format!("the prompt cannot be made again: {error}")))?;
            let value = json!({
                "turn": n, "step": step, "driver": driver, "task": task, "prompt": text, "outcome": turn.outcome,
            });
            (format!("{} in step {step}", brief::of(n, driver)), text, value)
        }
        Asked::Command(command) => {
            let value = json!({
                "turn": n, "step": step, "driver": driver, "command": command, "outcome": turn.outcome,
            });
            (format!("command {n} in step {step}"), command.clone(), value)
        }
    };
    let out = &mut session.output;
    if args.json {
        writeln!(out, "{value}")?;
        return Ok(Exit::Clean);
    }
    writeln!(out, "{head}\n\n{}\n\n{}", text.trim_end(), came(&turn)?)?;
    Ok(Exit::Clean)
}

/// Says what came of it, in full.
fn came(turn: &Turn) -> Result<String, Failure> {
    Ok(match (&turn.outcome, &turn.asked) {
        (Some(Outcome::Replied(envelope)), _) => {
            let reply = serde_json::to_string_pretty(envelope).map_err(|error| Failure::work(error.to_string()))?;
            format!("reply:\n{reply}")
        }
        (Some(Outcome::Ran { end, output }), _) => format!("{}\n{output}", end.words()).trim_end().to_owned(),
        (Some(Outcome::Failed(failure)), _) => format!("failed ({}): {}", failure.kind.name(), failure.message),
        (Some(_) | None, Asked::Agent(_)) => "no reply: the turn was begun and never ended".to_owned(),
        (Some(_) | None, Asked::Command(_)) => "it was begun and never ended".to_owned(),
    })
}

/// Finds a turn or a command, and counts all of them.
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
                found = asked(effect.into_owned()).map(|asked| Turn {
                    driver: begun.driver.clone(),
                    step,
                    asked,
                    outcome: None,
                });
            }
            Line::Done { outcome, .. } => {
                if let Some(turn) = &mut found {
                    turn.driver.clone_from(&begun.driver);
                    turn.outcome = Some(outcome.into_owned());
                }
            }
            Line::Begun(_)
            | Line::Hooked(_)
            | Line::Resumed(_)
            | Line::Called(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. }
            | Line::Stopped { .. } => {}
        }
    }
    Ok((found, count))
}

fn asked(effect: Effect) -> Option<Asked> {
    match effect {
        Effect::Dispatch(task) | Effect::Judge(task) => Some(Asked::Agent(task)),
        Effect::Run { command, .. } => Some(Asked::Command(command)),
        Effect::Checkpoint(_)
        | Effect::Ask(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Verify { .. }
        | Effect::Now => None,
    }
}

/// Reads a prompt file of the project's own.
fn own(name: &str, begun: &Begun, host: &dyn Workspace) -> Option<String> {
    let path = Path::new(&begun.root).join("_bmad/core/prompts").join(name);
    String::from_utf8(host.read(&path).ok()?).ok()
}
