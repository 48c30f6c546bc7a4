//! The runs of a project, listed.

use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::resume::{brought_along, here};
use crate::cli::session::Session;
use crate::source::clean;
use serde_json::json;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad runs                     what became of each run, the newest last
  bmad runs --json              the same for a program")]
pub(super) struct Args {
    /// Print one JSON object a line
    #[arg(long)]
    pub(super) json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let store = here(args.state_dir.as_deref(), session)?;
    let runs = store.runs().map_err(|error| Failure::work(error.to_string()))?;
    if runs.is_empty() && !args.json {
        let exec = with_state("bmad exec FILE", args.state_dir.as_deref());
        writeln!(session.output, "no runs yet; `{exec}` begins one")?;
        if let Some(moved) = brought_along(&store) {
            writeln!(session.output, "{moved}")?;
        }
    }
    for run in runs {
        if args.json {
            let value = json!({
                "run": run.id, "workflow": run.workflow, "state": run.state.name(), "why": run.why,
                "started": run.started, "last": run.last,
            });
            writeln!(session.output, "{value}")?;
        } else {
            let why = if run.why.is_empty() {
                String::new()
            } else {
                format!(": {}", clean(&run.why))
            };
            writeln!(
                session.output,
                "{}  {:<11}  {}{why}",
                run.id,
                run.state.name(),
                run.workflow
            )?;
        }
    }
    Ok(Exit::Clean)
}
