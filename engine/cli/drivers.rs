//! The agents, listed, looked at, and put to the test.

mod certify;
mod probe;

pub(super) use probe::unusable;

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers::{self, DRIVERS};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bmad drivers                       every agent and how it is named
  bmad drivers probe claude-code     is it here, which version, what can it do; spends nothing
  bmad drivers certify codex         how its driver takes everything that can go wrong; spends nothing")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Tell whether an agent is here, its version and what it can do
    Probe(ProbeArgs),
    /// Put the driver of an agent through everything that can go wrong
    Certify(CertifyArgs),
}

#[derive(Debug, clap::Args)]
struct ProbeArgs {
    /// The agent
    #[arg(value_name = "NAME")]
    name: String,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct CertifyArgs {
    /// The agent
    #[arg(value_name = "NAME")]
    name: String,

    /// Only scenarios whose name holds these words
    #[arg(long, value_name = "WORDS", default_value = "")]
    only: String,

    /// How the table is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// For a program
    Json,
    /// For a page
    Markdown,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    match &args.command {
        None => list(session),
        Some(Command::Probe(args)) => probe::show(args, session),
        Some(Command::Certify(args)) => certify::show(args, session),
    }
}

fn list(session: &mut Session<'_>) -> Result<Exit, Failure> {
    let width = DRIVERS.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
    for kind in DRIVERS {
        writeln!(session.output, "{:<width$}  {}", kind.name, kind.summary)?;
    }
    writeln!(session.output)?;
    writeln!(
        session.output,
        "`bmad exec FILE --agent NAME` lets one do the work; `bmad drivers probe NAME` looks at one"
    )?;
    Ok(Exit::Clean)
}

/// Returns what the driver of an agent is made with outside of a run: as the project around the current folder sets it.
fn options(name: &str, state: Option<&Path>, session: &Session<'_>) -> Result<drivers::Options, Failure> {
    let root = crate::project::root_of(&*session.host(), session.folder());
    crate::cli::launch::check_named(name, &root, state, session)?;
    crate::cli::launch::agents_at(&root, state, session)
}
