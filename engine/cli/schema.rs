//! The table of tags in, a schema for editors out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::syntax::schema;
use std::io::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The schema is RELAX NG in its XML syntax: it knows every tag and its attributes.

Examples:
  bmad schema > bmad.rng        save it where your editor looks for schemas")]
pub(super) struct Args {}

pub(super) fn run(_args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    session.output.write_all(schema().as_bytes())?;
    Ok(Exit::Clean)
}
