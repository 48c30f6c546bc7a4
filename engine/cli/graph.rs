//! A workflow file in, a picture of its flow out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::pick::pick;
use crate::cli::session::Session;
use crate::cli::svg::svg;
use crate::graph::{dot, mermaid};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A step file or an instructions file means the workflow it is part of, a folder the workflow in it.
An svg of a large workflow shows its steps and calls only.

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

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let picked = pick(&args.file, session)?;
    let at = picked.workflow(&args.file, session)?;
    let Some(graph) = picked.loaded.program.graphs.get(at) else {
        return Ok(Exit::Clean);
    };
    let text = match args.format {
        Format::Mermaid => mermaid(graph),
        Format::Dot => dot(graph),
        Format::Svg => svg(graph).ok_or_else(|| {
            Failure::work("no layout was found for this graph")
                .with_hint("`--format dot` and `--format mermaid` need none")
        })?,
    };
    session.output.write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}
