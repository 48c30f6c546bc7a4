//! A workflow file in, a picture of its flow out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad graph workflow.yaml                          print a diagram for Markdown
  bmad graph workflow.yaml --format svg > flow.svg  draw a picture, no other program needed")]
pub(super) struct Args {
    /// The workflow, task or skill to draw
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// Choose what is printed
    #[arg(long, value_name = "FORMAT", default_value = "mermaid")]
    pub(super) format: Format,
}

/// What a picture is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// A diagram that Markdown viewers draw
    Mermaid,
    /// A graph for graphviz
    Dot,
    /// A picture
    Svg,
}

pub(super) fn run(args: &Args, _session: &mut Session<'_>) -> Result<Exit, Failure> {
    Err(Failure::usage(format!(
        "`{}` cannot be drawn as {:?} yet",
        args.file.display(),
        args.format
    )))
}
