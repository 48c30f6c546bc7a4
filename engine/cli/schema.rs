//! The table of tags in, a schema for editors out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad schema > bmad.xsd        save it where your editor looks for schemas")]
pub(super) struct Args {}

pub(super) fn run(_args: &Args, _session: &mut Session<'_>) -> Result<Exit, Failure> {
    Err(Failure::usage("the schema cannot be printed yet"))
}
