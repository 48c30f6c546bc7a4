//! A workflow file in, a run of it out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Launch, RunArgs};
use crate::cli::session::Session;
use crate::host::Begun;
use crate::os::journal::VERSION;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The engine walks the workflow; the agent does one step at a time. Everything that is done
is kept in a journal, so that `bmad resume` goes on where a run stopped and pays for
nothing twice.

`bmad.toml` says which agent does which work and what a run may use: money, tokens, calls,
time. A run that reaches such a ceiling, or finds no agent that can be asked now, is parked:
exit code 5, or `--wait`.

Examples:
  bmad exec workflow.xml                          run it, with the agent that needs no model
  bmad exec .claude/skills/bmad-spec 'A sundial'  run a skill, and say what it is to do
  bmad exec flow.yaml --agent 'command:my-agent'  let a program do the work
  bmad exec flow.yaml --agent claude-code --wait  wait where a usage limit is reached
  bmad exec workflow.xml --answers answers.yaml   answer its questions from a file
  bmad exec workflow.xml --non-interactive        ask nobody; open questions end the run
  bmad exec workflow.xml --dry-run                say what would happen and do nothing")]
pub(super) struct Args {
    /// The workflow, task or skill to run
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// What you want of it, in your own words
    #[arg(value_name = "WORDS")]
    pub(super) words: Option<String>,

    /// Give an input of the workflow a value
    #[arg(long, short, value_name = "NAME=VALUE", value_parser = pair)]
    pub(super) input: Vec<(String, String)>,

    /// Say what would happen and do nothing
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Stop after this many nodes
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    pub(super) fuel: u64,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// Reads the value of an input.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let project = launch::open(&args.file, session)?;
    launch::refuse(&project, session)?;
    let given = launch::with_words(&project, &args.input, args.words.as_deref())?;
    let inputs = launch::inputs(&project, &given, session)?;
    if args.dry_run {
        return match args.run.json {
            true => crate::cli::plan::show_json(&project, &inputs, session),
            false => crate::cli::plan::show(&project, &inputs, session),
        };
    }
    launch::check_configuration(&project.loaded)?;
    let run = args.run.rooted(&project.root, session);
    let agent = launch::check_agents(&project.root, &run, session)?;
    launch::check_hooks(&project)?;
    launch::check_answers(&args.run, session)?;
    let begun = Begun {
        version: VERSION,
        workflow: project.home(),
        root: project.root.display().to_string(),
        inputs: launch::without_secrets(inputs, session),
        agent,
        yolo: args.run.yolo,
        fuel: args.fuel,
        sources: project.sources(),
        ..Begun::default()
    };
    Launch::begin(&run, &project, begun, session)?.go(session)
}
