//! A name in, a folder with a workflow that checks clean out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad new release-notes              make the folder release-notes here
  bmad lint release-notes             check it")]
pub(super) struct Args {
    /// The name of the workflow and of its folder
    #[arg(value_name = "NAME")]
    pub(super) name: String,
}

pub(super) fn run(args: &Args, _session: &mut Session<'_>) -> Result<Exit, Failure> {
    Err(Failure::usage(format!(
        "`{}` cannot be made yet",
        args.name
    )))
}
