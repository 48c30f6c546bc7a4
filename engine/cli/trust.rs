//! A file in, its hooks, the commands of its `<run>` tags and its agents listed and, once somebody agreed, trusted out.

use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, EngagedAgent, Project, RunCommand};
use crate::cli::session::Session;
use crate::model::SETTINGS;
use crate::os::trust::Trust;
use crate::runner::RunHook;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A hook is a command that a workflow, an agent or `bmad.toml` wants to be run during a run;
a `<run>` of a workflow is another, and so are the `checks` of reviews. `bmad.toml` may also
name a program as an agent, or let an agent do more. Files come from anywhere, so all this
counts only after you have seen it. What you trust is exactly this: once it changes, or a
script of the project that it starts, it is asked for again.

Examples:
  bmad trust workflow.md          show the commands of a workflow and its steps, and ask
  bmad trust bmad.toml --yes      trust those of the project without being asked
  bmad trust bmad.toml --list     only show them
  bmad trust bmad.toml --forget   trust them no longer")]
pub(super) struct Args {
    /// The file that names the commands; for a workflow, its other files too
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Trust them without being asked
    #[arg(long)]
    yes: bool,

    /// Only show them
    #[arg(long, conflicts_with_all = ["yes", "forget"])]
    list: bool,

    /// Trust them no longer
    #[arg(long, conflicts_with = "yes")]
    forget: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let project = launch::around(&args.file, session)?;
    let store = launch::open_store(args.state_dir.as_deref(), &project.root, session)?;
    let mut hooks = launch::hooks(&project, &store, session);
    let files = meant(&project, &args.file, session);
    hooks.retain(|hook| files.contains(&hook.own.file));
    let mut commands = launch::commands(&project, &store, session);
    commands.retain(|RunCommand { own, .. }| files.contains(&own.file) || files.contains(&launch::seen(&own.by)));
    let mut agents = launch::engaged_at(&project.root, args.state_dir.as_deref(), session)?;
    agents.retain(|_| files.iter().any(|file| file == SETTINGS));
    if hooks.is_empty() && commands.is_empty() && agents.is_empty() {
        writeln!(
            session.output,
            "`{}` names nothing that somebody has to trust",
            args.file.display()
        )?;
        return Ok(Exit::Clean);
    }
    list(&hooks, session)?;
    list_commands(&commands, session)?;
    list_agents(&agents, session)?;
    if args.list {
        return Ok(Exit::Clean);
    }
    let trust = Trust::of(&store);
    let unkept = |error: std::io::Error| Failure::work(format!("what is trusted cannot be kept: {error}"));
    let mut seals: Vec<(&str, &str, bool)> = Vec::new();
    let of_hooks = hooks
        .iter()
        .map(|hook| (&*hook.own.seal, &*hook.own.file, hook.is_trusted));
    let of_commands = commands
        .iter()
        .map(|command| (&*command.seal, &*command.own.file, command.is_trusted));
    let of_agents = agents.iter().map(|agent| (&*agent.seal, SETTINGS, agent.is_trusted));
    for (seal, file, is_trusted) in of_hooks.chain(of_commands).chain(of_agents) {
        if seals.iter().all(|(known, ..)| *known != seal) {
            seals.push((seal, file, is_trusted));
        }
    }
    if args.forget {
        for (seal, ..) in &seals {
            trust.remove(seal).map_err(unkept)?;
        }
        writeln!(session.output, "no longer trusted")?;
        return Ok(Exit::Clean);
    }
    seals.retain(|(.., is_trusted)| !is_trusted);
    if seals.is_empty() {
        writeln!(session.output, "all of them are trusted")?;
        return Ok(Exit::Clean);
    }
    if !args.yes && !agreed(session)? {
        writeln!(session.output, "not trusted; they do not run")?;
        return Ok(Exit::Findings);
    }
    for (seal, file, _) in seals {
        trust.add(seal, file).map_err(unkept)?;
    }
    writeln!(session.output, "trusted")?;
    Ok(Exit::Clean)
}

/// Returns the files that are meant: this one, and where it declares a workflow, all of the workflow's.
fn meant(project: &Project, file: &Path, session: &Session<'_>) -> Vec<String> {
    let full = crate::cli::session::tidy(&session.folder().join(file));
    let seen = full.strip_prefix(&project.root).unwrap_or(&full);
    let own = seen.display().to_string().replace('\\', "/");
    let mut workflows = project.loaded.workflows.iter();
    let declared = workflows.find(|workflow| project.path(workflow.home) == own);
    let files = declared.map(|workflow| workflow.files.as_slice()).unwrap_or_default();
    let mut all: Vec<String> = files.iter().map(|file| project.path(*file)).collect();
    all.push(own);
    all
}

fn list(hooks: &[RunHook], session: &mut Session<'_>) -> Result<(), Failure> {
    for RunHook { own, is_trusted } in hooks {
        let mut words = Vec::new();
        if own.hook.once {
            words.push("once".to_owned());
        }
        if own.hook.critical {
            words.push("critical".to_owned());
        }
        words.push(format!("{} s", own.hook.timeout as f64 / 1000.0));
        words.push(if *is_trusted { "trusted" } else { "not trusted" }.to_owned());
        let (place, event) = (&own.place, own.hook.event.name());
        writeln!(session.output, "{place}  {event} ({})", words.join(", "))?;
        show(&own.hook.command.text, session)?;
    }
    Ok(())
}

fn list_commands(commands: &[RunCommand], session: &mut Session<'_>) -> Result<(), Failure> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for RunCommand { own, is_trusted, .. } in commands {
        // The same command of the configuration may be run in several places.
        if told.contains(&(&own.place, &own.text)) {
            continue;
        }
        told.push((&own.place, &own.text));
        let trusted = if *is_trusted { "trusted" } else { "not trusted" };
        let by = match own.by == own.file {
            true => String::new(),
            false => format!("of {}, ", launch::named(&own.by)),
        };
        writeln!(session.output, "{}  run ({by}{trusted})", own.place)?;
        show(&own.text, session)?;
    }
    Ok(())
}

fn list_agents(agents: &[EngagedAgent], session: &mut Session<'_>) -> Result<(), Failure> {
    for EngagedAgent { own, is_trusted, .. } in agents {
        let trusted = if *is_trusted { "trusted" } else { "not trusted" };
        writeln!(session.output, "{}  {} ({trusted})", own.place, own.key)?;
        show(&own.says, session)?;
    }
    Ok(())
}

/// Shows a command as it is.
fn show(command: &str, session: &mut Session<'_>) -> Result<(), Failure> {
    for line in command.lines() {
        // Nothing in a command may move the cursor: what is agreed to is what is seen.
        let shown: String = line
            .chars()
            .map(|each| if each.is_control() { '\u{fffd}' } else { each })
            .collect();
        writeln!(session.output, "    {shown}")?;
    }
    Ok(())
}

/// Asks the person; no answer is no.
fn agreed(session: &mut Session<'_>) -> Result<bool, Failure> {
    write!(session.output, "May these commands run in runs of this project? [y/N] ")?;
    session.output.flush()?;
    let mut answer = String::new();
    let read = BufReader::new(&mut *session.input).read_line(&mut answer);
    writeln!(session.output)?;
    read.map_err(|error| Failure::work(format!("the answer could not be read: {error}")))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
