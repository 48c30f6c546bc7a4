//! Files in the engine's own tags in, the same files in one layout out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Only XML files that use the engine's own tags are formatted; others are left as they are.

Examples:
  bmad fmt stdlib               format a folder
  bmad fmt stdlib --check       change nothing, exit 1 where something would change")]
pub(super) struct Args {
    /// Files and folders to format
    #[arg(value_name = "PATH", required = true)]
    pub(super) paths: Vec<PathBuf>,

    /// Change nothing and say what would change
    #[arg(long)]
    pub(super) check: bool,
}

pub(super) fn run(args: &Args, _session: &mut Session<'_>) -> Result<Exit, Failure> {
    let act = if args.check { "checked" } else { "formatted" };
    let count = args.paths.len();
    Err(Failure::usage(format!("{count} paths cannot be {act} yet")))
}
