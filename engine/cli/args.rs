//! The command line: words in, one command with its arguments out.

use crate::cli::failure::Failure;
use crate::cli::session::{Color, Session};
use crate::cli::{
    Exit, answer, completions, doctor, drivers, exec, explain, fmt, graph, hook, lint, log, new, plan, rehearse,
    resume, review, rollback,
};
use crate::cli::{runs, schema, show, trust, verify};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

const EXITS: &str = "\
Exit codes:
  0    done; nothing to complain about
  1    errors or warnings were found, or the work failed
  2    the command line or the configuration makes no sense
  3    a run waits for a person
  4    the journal of a run is damaged
  5    a limit stopped a run
  130  a run was interrupted; `bmad resume` goes on";

const EXAMPLES: &str = "\
Examples:
  bmad lint                     check the BMAD installation found from here
  bmad lint _bmad --fix         check a folder and repair what is safe to repair
  bmad explain dead-goto        read what a rule means
  bmad graph workflow.yaml      draw a workflow
  bmad exec workflow.xml        run a workflow
  bmad resume                   go on with the last run";

/// Where options stand that every command has: after its own.
const LAST: usize = 1000;

/// Run, check, draw and explain BMAD workflows
#[derive(Debug, Parser)]
#[command(name = "bmad", version, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, disable_help_flag = true)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXITS}"))]
pub(super) struct Arguments {
    #[command(flatten)]
    shared: Shared,

    #[command(subcommand)]
    pub(super) command: Command,
}

// The options that every command has.
#[derive(Debug, clap::Args)]
struct Shared {
    /// Colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(display_order = LAST)]
    color: Color,

    /// Print help
    #[arg(long, short, global = true, action = ArgAction::HelpShort)]
    #[arg(display_order = LAST)]
    help: Option<bool>,
}

/// One line per command; each is a file of its own.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a workflow
    Exec(exec::Args),
    /// Go on with a run that stopped
    Resume(resume::Args),
    /// Review documents or changes, and fix what is found
    Review(review::Args),
    /// Say what a run would do, and what it would ask
    Plan(plan::Args),
    /// List the runs of this project
    Runs(runs::Args),
    /// Answer a question that a run waits for
    Answer(answer::Args),
    /// Tell what a run did, line by line
    Log(log::Args),
    /// Tell what a run did, step by step
    Show(show::Args),
    /// Check that the journal of a run is whole and true
    Verify(verify::Args),
    /// Undo the last part of a run
    Rollback(rollback::Args),
    /// Let the hooks and commands of a file run, and the agents of `bmad.toml`
    Trust(trust::Args),
    /// Keep an agent at work until its review is finished
    Hook(hook::Args),
    /// Try a workflow on a copy, with random replies and answers
    Rehearse(rehearse::Args),
    /// Check that everything a run needs is here
    Doctor(doctor::Args),
    /// List the agents, look at one, or put its driver to the test
    Drivers(drivers::Args),
    /// Check workflows, agents, skills and the files around them
    Lint(lint::Args),
    /// Draw the flow of a workflow
    Graph(graph::Args),
    /// Explain a rule, a tag, or what the engine understood of a file
    Explain(explain::Args),
    /// Start a workflow that checks clean
    New(new::Args),
    /// Format files written in the engine's own tags
    Fmt(fmt::Args),
    /// Print the schema of the tags, for editors
    Schema(schema::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

impl Command {
    /// Does what the person asked.
    pub(super) fn run(&self, session: &mut Session<'_>) -> Result<Exit, Failure> {
        match self {
            Command::Exec(args) => exec::run(args, session),
            Command::Resume(args) => resume::run(args, session),
            Command::Review(args) => review::run(args, session),
            Command::Plan(args) => plan::run(args, session),
            Command::Runs(args) => runs::run(args, session),
            Command::Answer(args) => answer::run(args, session),
            Command::Log(args) => log::run(args, session),
            Command::Show(args) => show::run(args, session),
            Command::Verify(args) => verify::run(args, session),
            Command::Rollback(args) => rollback::run(args, session),
            Command::Trust(args) => trust::run(args, session),
            Command::Hook(args) => hook::run(args, session),
            Command::Rehearse(args) => rehearse::run(args, session),
            Command::Doctor(args) => doctor::run(args, session),
            Command::Drivers(args) => drivers::run(args, session),
            Command::Lint(args) => lint::run(args, session),
            Command::Graph(args) => graph::run(args, session),
            Command::Explain(args) => explain::run(args, session),
            Command::New(args) => new::run(args, session),
            Command::Fmt(args) => fmt::run(args, session),
            Command::Schema(args) => schema::run(args, session),
            Command::Completions(args) => completions::run(args, session),
        }
    }
}

/// Returns the grammar of the command line, for parsing and for completion.
pub fn grammar() -> clap::Command {
    Arguments::command()
}

/// Reads the words of a command line; where there is nothing to do but to answer, the answer is at most `width` wide.
///
/// # Errors
/// Answers what clap says instead: help, a version, or what is wrong with the words.
pub(super) fn read(mut words: Vec<OsString>, width: usize) -> Result<Arguments, clap::Error> {
    // Many programs answer `help lint` as they answer `lint --help`, so that it is tried.
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    // Nearly all command lines are right, and most of the grammar is that of other commands.
    if let Some(arguments) = alone(&words) {
        return Ok(arguments);
    }
    let matches = grammar().term_width(width).try_get_matches_from_mut(words)?;
    Arguments::from_arg_matches(&matches)
}

/// Adds the grammar of a command.
type Grammar = fn(clap::Command) -> clap::Command;

/// Reads the words of a command line by the grammar of its command alone, for those that somebody waits for again and
/// again: whoever checks files while they are written, or runs one workflow after the other. Answers nothing where the
/// whole grammar has to say something.
fn alone(words: &[OsString]) -> Option<Arguments> {
    let (name, grammar): (_, Grammar) = match words.get(1)?.to_str()? {
        "lint" => ("lint", lint::Args::augment_args),
        "exec" => ("exec", exec::Args::augment_args),
        "resume" => ("resume", resume::Args::augment_args),
        _ => return None,
    };
    let alone = Shared::augment_args(clap::Command::new("bmad")).disable_help_flag(true);
    let alone = alone.subcommand(grammar(clap::Command::new(name)));
    let matches = alone.try_get_matches_from(words).ok()?;
    Arguments::from_arg_matches(&matches).ok()
}

#[cfg(test)]
mod tests {
    use super::{Arguments, alone, grammar};
    use clap::FromArgMatches;
    use std::ffi::OsString;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn a_command_alone_is_read_as_by_the_whole_grammar() {
        let lines = [
            "bmad lint",
            "bmad lint src",
            "bmad lint a b --level hint --max 3 --fix --watch",
            "bmad lint --format json --exclude x --exclude=y --color never",
            "bmad lint --color=always --allow all --deny a,b --warn c --deny d",
            "bmad lint -- --fix",
            "/usr/bin/other lint src",
            "bmad exec x.xml",
            "bmad exec x.xml --non-interactive --fuel 9 --agent offline --state-dir s --color never",
            "bmad exec --answers a.yaml --yolo --dry-run --json --allow a --allow b -i n=v --input m= --wait -- x.xml",
            "bmad resume",
            "bmad resume 20261116-1 --plan --anyway --unfinished keep --non-interactive --defaults",
        ];
        for line in lines {
            let whole = grammar().try_get_matches_from(words(line)).unwrap();
            let whole = Arguments::from_arg_matches(&whole).unwrap();
            let alone = alone(&words(line));
            assert_eq!(format!("{alone:?}"), format!("{:?}", Some(whole)), "{line}");
        }
    }

    #[test]
    fn the_whole_grammar_answers_where_there_is_something_to_say() {
        let lines = [
            "bmad",
            "bmad lin",
            "bmad --color never lint",
            "bmad lint --help",
            "bmad lint -h",
            "bmad lint --version",
            "bmad lint --nothing",
            "bmad lint --level loud",
            "bmad lint --max many",
            "bmad lint --fix --fix",
            "bmad exec",
            "bmad exec x.xml y.xml z.xml --nothing",
            "bmad resume --help",
            "bmad plan x.xml",
        ];
        for line in lines {
            assert!(alone(&words(line)).is_none(), "{line}");
        }
    }
}
