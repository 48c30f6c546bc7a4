//! A run in, what it did out: step by step, with its questions, turns, judgements and files.

mod account;
mod lanes;
mod standing;
mod text;
mod turn;

use crate::builtins::Value;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Again, Project, is_held};
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::host::{Begun, JournalError, READING};
use crate::machine::Effect;
use account::Account;
use std::io::Write as _;
use std::path::{Path, PathBuf};
pub(super) use text::told;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A file is `same` where it holds what the run wrote, `changed since` where somebody changed
it, `gone` where it is not there any more.

Examples:
  bmad show                     what the last run did
  bmad show --turn 3            what the third turn was told and what it replied, in full;
                                for a command, what it wrote
  bmad show last --json         the same for a program")]
pub(super) struct Args {
    /// The run, by its id or the beginning of it; the last one
    #[arg(value_name = "RUN")]
    pub(super) run: Option<String>,

    /// Print what this turn was told and what it replied, in full
    #[arg(long, visible_alias = "prompt", value_name = "N")]
    pub(super) turn: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let (folder, begun) = find(args.run.as_deref(), args.state_dir.as_deref(), session)?;
    if let Some(n) = args.turn {
        return turn::show(n, args, &folder, &begun, session);
    }
    let journal = |error: JournalError| Failure::journal(&error);
    let mut account = Account::of(&folder, &begun).map_err(journal)?;
    account.look(Path::new(&begun.root), &*session.host());
    account.running = is_held(&folder);
    match project(&begun, session) {
        Some(project) => {
            account.changed = launch::changed(&project, &begun);
            let is_same = account.changed.is_empty();
            let has_end = account.is_waiting() || is_same && account.is_completed();
            let again = match has_end {
                true => Some(launch::again(&project, &begun, &folder)),
                false => (is_same && account.has_lanes()).then(|| launch::glance(&project, &begun, &folder)),
            };
            if let Some(again) = again.transpose().map_err(journal)? {
                tell(&again, is_same && begun.reading == READING, &mut account);
            }
        }
        None => account.changed = vec![begun.workflow.clone()],
    }
    match args.json {
        true => {
            let json = serde_json::to_string(&account).map_err(|error| Failure::work(error.to_string()))?;
            writeln!(session.output, "{}", session.secrets.masked_json(&json))?;
        }
        false => text::print(&account, args.state_dir.as_deref(), session)?,
    }
    Ok(Exit::Clean)
}

/// Opens the workflow of a run, if it is still there.
pub(super) fn project(begun: &Begun, session: &mut Session<'_>) -> Option<Project> {
    let file = Path::new(&begun.root).join(&begun.workflow);
    launch::open(&file, session).ok()
}

/// Tells what the journal does not know: the words of questions that the run waits for, what it returned, and, where the
/// workflow is `known` to be what it was, what lanes are for.
fn tell(again: &Again, known: bool, account: &mut Account) {
    for issued in &again.next {
        let Effect::Ask(question) = &issued.effect else {
            continue;
        };
        // Runs of before told no lanes: the words are those of each.
        let key = question.key();
        for open in &mut account.open {
            if open.id == key || open.id == question.id {
                open.text.clone_from(&question.text);
            }
            if open.id == key {
                open.lane = question.lane();
            }
        }
    }
    if account.is_completed() && account.changed.is_empty() {
        let value = again.end.as_ref().map(|end| end.value.clone());
        account.value = value.filter(|value| *value != Value::Nothing);
    }
    if known {
        account.tell_lanes(&again.tally.lanes);
    }
}
