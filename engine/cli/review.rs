//! Files in, a review of them out: what was found, what was fixed, and how it ended.
//!
//! The loop itself is `review-loop.xml` of the standard library, or the project's own; this command begins it and tells
//! what came of it.

mod asked;
mod html;
mod json;
mod outcome;
mod place;
mod sarif;
mod text;

use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Launch, Project, RunArgs};
use crate::cli::resume;
use crate::cli::session::Session;
use crate::host::Begun;
use crate::os::journal::VERSION;
use crate::os::store::RunFolder;
use crate::project::config;
use asked::Asked;
use outcome::Review;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where a project has its own review loop; where it has none, the one of the standard library is meant.
const LOOP: &str = "_bmad/core/tasks/review-loop.xml";

/// The agent without a model: it looks, and repairs only where that is asked for.
const OFFLINE: &str = "offline";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Reviewers read at the same time, what they find is merged, checked and numbered, fixers get
their share, and what they claim is verified, until nothing is open or a limit says why not.
The issue tracker and a certificate are written below `_bmad-output/reviews`.

Without an agent the built-in one looks for what can be shown to be wrong without a model:
dead links, undefined requirements, ragged tables, and more. It repairs only with `--fix`.
An agent with a model fixes what it finds unless `--no-fix` says otherwise.

The exit code is 0 where nothing is left open, also where nothing changed, 1 where something is,
and 5 where a limit ended the review before it could tell.

Examples:
  bmad review README.md                          look at a document, without an account
  bmad review docs/prd.md --agent claude-code    review and fix it
  bmad review --diff=main --agent codex          review what changed since main
  bmad review docs --no-fix --format sarif       for a code scanning service
  bmad review --report last --format html        the last review as a page",
    mut_arg("json", |json| json.hide(true)))]
pub(super) struct Args {
    /// The files to review; a folder means the Markdown documents in it
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Review what changed since a commit, HEAD where none is named
    #[arg(long, value_name = "COMMIT", num_args = 0..=1, require_equals = true, default_missing_value = "HEAD")]
    pub(super) diff: Option<String>,

    /// How deep to look, instead of what confidence and tier say
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(super) level: Option<Level>,

    /// How much is at stake, 0 to 4; the built-in agent looks the same way at all [default: 2]
    #[arg(long, value_name = "TIER", value_parser = clap::value_parser!(u8).range(0..=4))]
    pub(super) tier: Option<u8>,

    /// Change nothing, list what was found
    #[arg(long)]
    pub(super) no_fix: bool,

    /// Repair what can be repaired, also without a model
    #[arg(long, conflicts_with = "no_fix")]
    pub(super) fix: bool,

    /// How the review is told
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    pub(super) format: Format,

    /// Tell of an earlier review instead of making one
    #[arg(long, value_name = "RUN", conflicts_with_all = ["files", "diff"])]
    pub(super) report: Option<String>,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// How deep a review goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Level {
    /// One reviewer
    Minimal,
    /// Two reviewers
    Dual,
    /// Three reviewers
    Full,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Minimal => "minimal",
            Level::Dual => "dual",
            Level::Full => "full",
        }
    }
}

/// How a review is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For a person
    Text,
    /// For a program
    Json,
    /// For code scanning services
    Sarif,
    /// One page for a browser
    Html,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    if args.run.json {
        return Err(Failure::usage("a review has no stream of events of its own")
            .with_hint("`--format json` prints its result; `bmad log --json` prints what the run did"));
    }
    if let Some(run) = &args.report {
        let state = args.run.state_dir.as_deref();
        let (folder, begun) = match run.as_str() {
            "last" => last(state, session)?,
            run => resume::find(Some(run), state, session)?,
        };
        let project = launch::open(&Path::new(&begun.root).join(&begun.workflow), session)?;
        return tell(Some(args.format), (&project, &begun, &folder), state, session);
    }
    let project = launch::open(Path::new(LOOP), session)?;
    let asked = Asked::find(args, &project, session)?;
    for note in &asked.notes {
        writeln!(session.errors, "{note}")?;
    }
    if asked.files.is_empty() {
        return tell_nothing(args.format, &asked, session);
    }
    launch::refuse(&project, session)?;
    launch::check_configuration(&project.loaded)?;
    let run = args.run.rooted(&project.root, session);
    let agent = launch::check_agents(&project.root, &run, session)?;
    if let Some(name) = unused(args, &project, &agent) {
        writeln!(
            session.errors,
            "note: {name} changes nothing here: the built-in agent looks the same way at every tier; `--level` says how deep"
        )?;
    }
    launch::check_hooks(&project)?;
    launch::check_answers(&args.run, session)?;
    let inputs = set_apart(launch::inputs(&project, &inputs(args, &asked, &agent), session)?);
    let begun = Begun {
        version: VERSION,
        workflow: project.home(),
        root: project.root.display().to_string(),
        inputs: launch::without_secrets(inputs, session),
        agent,
        yolo: args.run.yolo,
        fuel: FUEL,
        sources: project.sources(),
        ..Begun::default()
    };
    let launched = Launch::begin(&run, &project, begun, session)?;
    go(launched, Some(args.format), &project, session)
}

/// Finds the last review, whatever was run since; the last run where there is none.
fn last(state: Option<&Path>, session: &Session<'_>) -> Result<(RunFolder, Begun), Failure> {
    let store = resume::here(state, session)?;
    let runs = store.runs().map_err(|error| Failure::work(error.to_string()))?;
    let found = runs.iter().rev().find_map(|run| {
        let found = resume::find(Some(&run.id), state, session).ok()?;
        is_review(&found.1).then_some(found)
    });
    found.map_or_else(|| resume::find(Some("last"), state, session), Ok)
}

/// Says whether a run was begun by this command: its result is then told like one, whoever goes on with it.
pub(super) fn is_review(begun: &Begun) -> bool {
    reviewed(&begun.workflow, &begun.inputs).is_some()
}

/// Returns what a run of this workflow reviews, as a person calls it, where it was begun by this command.
pub(super) fn reviewed<'i>(workflow: &str, inputs: &'i [(String, String)]) -> Option<&'i str> {
    let given = |name: &str| {
        inputs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| &**value)
    };
    let is_loop = Path::new(workflow).file_name() == Path::new(LOOP).file_name();
    let is_ours = is_loop && given(CALLER) == Some(COMMAND);
    is_ours.then(|| given(SECTION).unwrap_or_default())
}

/// Runs a review until it stops; where it is over, tells what came of it, and how it ended in the exit code. Without a
/// format only the exit code tells.
pub(super) fn go(
    launched: Launch<'_>,
    format: Option<Format>,
    project: &Project,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let launched = launched.aside();
    let (begun, folder) = launched.kept();
    let state = launched.state().map(Path::to_path_buf);
    match launched.go(session)? {
        Exit::Clean => tell(format, (project, &begun, &folder), state.as_deref(), session),
        stopped @ (Exit::Findings | Exit::Usage | Exit::Waiting | Exit::Damaged | Exit::Limit | Exit::Interrupted) => {
            Ok(stopped)
        }
    }
}

/// The input that names the documents.
const CONTENT: &str = "content_path";

/// The input that says what they are, as a person calls it.
const SECTION: &str = "section_name";

/// The input that says who asked for a review, and what it says where this command did.
const CALLER: &str = "workflow_name";
const COMMAND: &str = "bmad review";

/// How much is at stake where nobody says it.
const USUAL: u8 = 2;

/// The most nodes of a review: its loops have bounds of their own.
const FUEL: u64 = 1_000_000;

/// Sets the names apart whose quotes would be taken for those that people put around a path.
fn set_apart(mut inputs: Vec<(String, String)>) -> Vec<(String, String)> {
    let apart = |path: &str| match path.starts_with(['"', '\'', '`']) {
        true => format!("./{path}"),
        false => path.to_owned(),
    };
    for (_, paths) in inputs.iter_mut().filter(|(name, _)| name == CONTENT) {
        let all: Vec<String> = paths.lines().map(apart).collect();
        *paths = all.join("\n");
    }
    inputs
}

/// Returns what was said about tiers, where the agent is one that it means nothing for.
fn unused(args: &Args, project: &Project, agent: &str) -> Option<&'static str> {
    if agent != OFFLINE || args.level.is_some() {
        return None;
    }
    if args.tier.is_some() {
        return Some("`--tier`");
    }
    let config = config(&project.loaded, project.at);
    let minimums = config.get("review_loop")?.get("tier_minimums")?;
    (!minimums.is_empty()).then_some("`review_loop.tier_minimums`")
}

/// Returns what the loop is told.
fn inputs(args: &Args, asked: &Asked, agent: &str) -> Vec<(String, String)> {
    let has_model = agent != OFFLINE;
    let fixes = args.fix || has_model && !args.no_fix;
    let level = match args.level {
        Some(level) => level.name(),
        None if has_model => "",
        None => Level::Minimal.name(),
    };
    let pairs = [
        (CONTENT, asked.files.join("\n")),
        (SECTION, asked.name.clone()),
        ("file_stem", asked.stem.clone()),
        (CALLER, COMMAND.to_owned()),
        ("tier", args.tier.unwrap_or(USUAL).to_string()),
        ("requested", "yes".to_owned()),
        ("wanted_level", level.to_owned()),
        ("fix", if fixes { "yes" } else { "no" }.to_owned()),
        ("changes", asked.changes.clone()),
    ];
    pairs.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Tells what came of a review.
fn tell(
    format: Option<Format>,
    (project, begun, folder): (&Project, &Begun, &RunFolder),
    state: Option<&Path>,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let again = launch::again(project, begun, folder).map_err(|error| Failure::journal(&error))?;
    let Some(end) = again.end else {
        let run = &begun.run;
        return Err(Failure::usage(format!("run {run} is not over")).with_hint(format!(
            "go on with: {}",
            with_state(format!("bmad resume {run}"), state)
        )));
    };
    let Some(review) = Review::read(&end.value, &begun.run) else {
        return Err(Failure::usage(format!("run {} is no review", begun.run))
            .with_hint(format!("`{}` lists what was run", with_state("bmad runs", state)))
            .with_hint(format!(
                "`{}` tells of a run of any kind",
                with_state("bmad show", state)
            )));
    };
    if let Some(format) = format {
        write(format, &review, session)?;
    }
    Ok(review.exit())
}

/// Tells that there was nothing to review, in a form that whoever waits for a result can read: that is no failure.
fn tell_nothing(format: Format, asked: &Asked, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let review = Review::of_nothing(&asked.name, &format!("{}: nothing to review", asked.nothing));
    match format {
        Format::Text => writeln!(session.output, "{}", review.reason)?,
        Format::Json | Format::Sarif | Format::Html => write(format, &review, session)?,
    }
    Ok(review.exit())
}

fn write(format: Format, review: &Review, session: &mut Session<'_>) -> Result<(), Failure> {
    match format {
        Format::Text => text::write(review, session)?,
        Format::Json => json::write(review, session)?,
        Format::Sarif => sarif::write(review, session)?,
        Format::Html => html::write(review, session)?,
    }
    Ok(())
}
