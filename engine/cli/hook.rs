//! The stop hook: set up in an agent, asked by it, checked, and taken away.

mod check;
mod install;
mod layout;
mod place;
mod plugin;
mod proof;
mod question;
mod settings;
mod start;
mod stop;
mod target;
mod words;

pub(super) use place::Settings;

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
An agent stops when it thinks that it is done. While a review is on, the hook sends it back to
work as long as issues are open in the tracker, and lets it go when nothing is open, when it
needs a person, or when a limit is reached. Whatever goes wrong, it lets the agent go.

Examples:
  bmad hook install --agent claude-code      let Claude Code run the hook in this project
  bmad hook check                            is it there, and does it fire
  bmad hook start --tracker issues.md        begin a review
  bmad hook end                              call it off: the agent may stop
  bmad hook uninstall --agent claude-code    take the hook away")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Let an agent run the hook in this project
    #[command(after_help = INSTALL)]
    Install(TargetArgs),
    /// Take the hook away, and leave everything else as it is
    #[command(after_help = UNINSTALL)]
    Uninstall(TargetArgs),
    /// Tell whether the hook is there and whether it fires; spends nothing
    Check(CheckArgs),
    /// Begin a review that the agent may not leave unfinished
    Start(StartArgs),
    /// Call the review off: the agent may stop
    End,
    /// Say whether the agent may stop; this is what agents run
    Stop(StopArgs),
}

/// An agent that has hooks of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum HookAgent {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
}

/// The folder of the plugin, where nobody names another one.
const PLUGIN: &str = ".claude/plugins/bmad-stop-hook";

const INSTALL: &str = "\
The command that is put down names this program by its full path, so that it works where bmad
is not on the path. It is run once to see that it answers as it should.

Examples:
  bmad hook install --agent claude-code            in .claude/settings.json, for everybody
  bmad hook install --agent claude-code --local    in .claude/settings.local.json, for you
  bmad hook install --agent claude-code --plugin   as a plugin in its own folder
  bmad hook install --agent codex                  in .codex/hooks.json; Codex asks you to trust it";

const UNINSTALL: &str = "\
Where nothing else changed, the file is then byte for byte what it was before.

Examples:
  bmad hook uninstall --agent claude-code            out of .claude/settings.json and your own
  bmad hook uninstall --agent claude-code --local    out of your own only
  bmad hook uninstall --agent claude-code --plugin   the plugin, with its folder";

#[derive(Debug, clap::Args)]
struct TargetArgs {
    /// The agent
    #[arg(long, value_name = "AGENT")]
    agent: HookAgent,

    /// Use the settings of the project, which everybody shares; the default
    #[arg(long, conflicts_with_all = ["local", "plugin"])]
    project: bool,

    /// Use your own settings of the project, which nobody shares; Claude Code only
    #[arg(long, conflicts_with = "plugin")]
    local: bool,

    /// Use a plugin in a folder of its own; Claude Code only
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = PLUGIN)]
    plugin: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct CheckArgs {
    /// Look at this agent only
    #[arg(long, value_name = "AGENT")]
    agent: Option<HookAgent>,

    /// Look at a plugin too
    #[arg(long, value_name = "DIR")]
    plugin: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The state of the review is written to .claude/review-loop-state.yaml, or where `state_file`
under `review_loop` in the configuration says. The round counts from 1: with three rounds the
agent is sent back twice. As long as the tracker is not there, the review itself is what is open.

Examples:
  bmad hook start --prompt 'Review docs/prd.md and fix what you find' --tracker issues.md
  bmad hook start --tracker issues.md --max-rounds 6")]
struct StartArgs {
    /// Tell the agent this each time it is sent back
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,

    /// Count the issues of this tracker, inside the project
    #[arg(long, value_name = "FILE")]
    tracker: Option<PathBuf>,

    /// Name the document under review
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,

    /// End with this round; the agent is sent back one time less
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_rounds: Option<u32>,

    /// End the review after this time
    #[arg(long, value_name = "N")]
    max_minutes: Option<u32>,

    /// End the review with exactly this text
    #[arg(long, value_name = "TEXT")]
    promise: Option<String>,

    /// Begin even though a review is on
    #[arg(long)]
    again: bool,
}

#[derive(Debug, clap::Args)]
struct StopArgs {
    /// Words that a later version may know; an agent is never held because of them
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    match &args.command {
        Command::Install(args) => install::install(args, session),
        Command::Uninstall(args) => install::uninstall(args, session),
        Command::Check(args) => check::run(args, session),
        Command::Start(args) => start::run(args, session),
        Command::End => start::end(session),
        Command::Stop(args) => Ok(stop::run(args, session)),
    }
}
