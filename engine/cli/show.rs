//! A run in, what it did out: step by step, with its questions, turns, judgements and files.

mod account;
mod standing;
mod text;
mod turn;

use crate::builtins::Value;
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Project, is_held};
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::host::{Begun, JournalError};
use crate::machine::Effect;
use crate::os::store::RunFolder;
use account::{Account, Open};
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
            if account.is_waiting() {
                account.open = open(&project, &begun, &folder, &account).map_err(journal)?;
            }
            if account.is_completed() && account.changed.is_empty() {
                let end = launch::again(&project, &begun, &folder).map_err(journal)?.end;
                account.value = end.map(|end| end.value).filter(|value| *value != Value::Nothing);
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

/// Finds the questions that a run waits for: the journal has their ids, the workflow their words.
fn open(project: &Project, begun: &Begun, folder: &RunFolder, account: &Account) -> Result<Vec<Open>, JournalError> {
    let next = launch::again(project, begun, folder)?.next;
    let mut open = account.open.clone();
    for issued in next {
        let Effect::Ask(question) = issued.effect else {
            continue;
        };
        // Runs of before told no lanes: the words are those of each.
        let key = question.key();
        let same = |known: &&mut Open| known.id == key || known.id == question.id;
        for known in open.iter_mut().filter(same) {
            known.text.clone_from(&question.text);
        }
    }
    Ok(open)
}
