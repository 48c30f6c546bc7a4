//! The runs of a project, listed, and removed where nobody needs them any more.

mod remove;

use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::resume::{brought_along, here};
use crate::cli::review::reviewed;
use crate::cli::session::Session;
use crate::source::clean;
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad runs                     what became of each run, the newest last
  bmad runs --json              the same for a program
  bmad runs --remove-older 30   remove what ended 30 days ago or before

With a run goes all that was kept for it: its journal, its reports, and the snapshots
that `bmad rollback` goes back to. What it wrote into the project stays.")]
pub(super) struct Args {
    /// Print one JSON object a line
    #[arg(long)]
    pub(super) json: bool,

    /// Remove a run that is over
    #[arg(long, value_name = "RUN")]
    pub(super) remove: Vec<String>,

    /// Remove every run that is over and ended so many days ago or before
    #[arg(long, value_name = "DAYS")]
    pub(super) remove_older: Option<u32>,

    /// Remove runs that could still go on, too
    #[arg(long)]
    pub(super) force: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let store = here(args.state_dir.as_deref(), session)?;
    if !args.remove.is_empty() || args.remove_older.is_some() {
        return remove::remove(args, &store, session);
    }
    if args.force {
        return Err(Failure::usage(
            "`--force` says nothing without `--remove` or `--remove-older`",
        ));
    }
    let runs = store.runs().map_err(|error| Failure::work(error.to_string()))?;
    if runs.is_empty() && !args.json {
        let exec = with_state("bmad exec FILE", args.state_dir.as_deref());
        writeln!(session.output, "no runs yet; `{exec}` begins one")?;
        if let Some(moved) = brought_along(&store) {
            writeln!(session.output, "{moved}")?;
        }
    }
    for run in runs {
        let section = reviewed(&run.workflow, &run.inputs);
        if args.json {
            let outcome = Some(&run.outcome).filter(|outcome| !outcome.is_empty());
            let value = json!({
                "run": run.id, "workflow": run.workflow, "state": run.state.name(), "why": run.why,
                "section": section, "outcome": outcome, "started": run.started, "last": run.last,
            });
            writeln!(session.output, "{value}")?;
            continue;
        }
        let what = match section {
            Some(section) => format!("review of {}", clean(section)),
            None => run.workflow.clone(),
        };
        let said = [&run.outcome, &run.why].into_iter().filter(|said| !said.is_empty());
        let said: String = said.map(|said| format!(": {}", clean(said))).collect();
        writeln!(session.output, "{}  {:<11}  {what}{said}", run.id, run.state.name())?;
    }
    Ok(Exit::Clean)
}
