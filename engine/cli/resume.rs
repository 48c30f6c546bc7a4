//! A run that stopped in, the rest of it out.

mod raised;

use crate::cli::Exit;
use crate::cli::brief::{typed, with_state};
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Held, Launch, Project, RunArgs, Unfinished};
use crate::cli::review::{self, Format};
use crate::cli::session::Session;
use crate::host::{Begun, READING, Resumed};
use crate::machine::escape::shell_word;
use crate::machine::{Effect, EndKind, Issued, Key};
use crate::os::journal::{Ends, ends, resumes};
use crate::os::store::{Moved, RunFolder, Store, StoreError};
use crate::runner::Missed;
use std::io::Write as _;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing that was done is done again. A turn of an agent that was cut off is taken again;
the files it left behind are put back first, or kept where you say so. Where the workflow
was edited, what changed is done again, and so is what comes after it, but for answers and
turns that only read. Where a run failed because the replies to a turn were not taken, that
turn is asked for anew. What is said here of the agent, --yolo, --fuel and --allow counts for
later resumes, until something else is said. A review ends as `bmad review` ends: with what
was found, and its exit code.

Examples:
  bmad resume                    go on with the last run of this project
  bmad resume 20261115-0616      go on with this one
  bmad resume --agent manual     let another agent fill what the last one left open
  bmad resume --plan             say what would be used again and what would be paid")]
pub(super) struct Args {
    /// The run, by its id or the beginning of it; the last one
    #[arg(value_name = "RUN")]
    pub(super) run: Option<String>,

    /// Say what would be used again and what would be paid, and do nothing
    #[arg(long)]
    pub(super) plan: bool,

    /// Go on although the last resumes got nowhere, or an earlier version read the workflow otherwise
    #[arg(long)]
    pub(super) anyway: bool,

    /// Let limits count that were raised in bmad.toml while the run was at work, and prices that were lowered
    #[arg(long)]
    pub(super) raise: bool,

    /// What becomes of files that a turn left behind when it was cut off; without it you are asked,
    /// and where nobody answers they are put back
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) unfinished: Option<Unfinished>,

    /// Stop after this many nodes, those that are not repeated included
    #[arg(long, value_name = "NODES")]
    pub(super) fuel: Option<u64>,

    #[command(flatten)]
    pub(super) args: RunArgs,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let (folder, mut ends) = find_ends(args.run.as_deref(), args.args.state_dir.as_deref(), session)?;
    ends.begun.fuel = args.fuel.unwrap_or(ends.begun.fuel);
    if args.plan {
        let (project, _) = open(&ends.begun, session)?;
        let refused = asked_anew(&args.args, &ends, (&project, &folder), session)?;
        let again = launch::anew(&project, &ends.begun, &folder, &refused);
        let mut again = again.map_err(|error| Failure::journal(&error))?;
        // The question that the run waits with was never answered: nothing changed there.
        let waited: Vec<&Issued> = again.next.iter().filter(|it| is_waited_with(it, &ends)).collect();
        let is_new = |missed: &Missed| waited.iter().all(|it| it.key != missed.key);
        again.reuse.changed.retain(is_new);
        return crate::cli::plan::again(&again, &ends.begun, args.args.json, session);
    }
    let held = Held::take(folder, &ends)?;
    let (project, changed) = open(&ends.begun, session)?;
    if ends.begun.reading != READING && changed.is_empty() && !args.anyway {
        refuse_otherwise_read(&ends, &project, &held.folder)?;
    }
    launch::check_configuration(&project.loaded)?;
    let given = args.args.rooted(&project.root, session);
    launch::check_successor(&mut ends.begun, &project.root, &given, session)?;
    attempt(args, &held.folder, &ends.begun, session)?;
    tell_stale(&args.args, &ends, session)?;
    for path in changed {
        writeln!(session.errors, "changed since the run began: {path}")?;
    }
    let is_review = review::is_review(&ends.begun);
    let limits = raised::limits(args, &ends, &project, session)?;
    let before = std::mem::replace(&mut ends.begun.limits, limits.clone());
    let said = Resumed {
        limits: (limits != before).then_some(limits),
        fuel: args.fuel,
        root: ends.begun.since.moved.then(|| ends.begun.root.clone()),
        again: asked_anew(&given, &ends, (&project, &held.folder), session)?,
        ..launch::said(&given, session)
    };
    let launched = Launch::resume(&given, &project, *ends.begun, held, said)?.deciding(args.unfinished);
    if is_review {
        let format = (!args.args.json).then_some(Format::Text);
        return review::go(launched, format, &project, session);
    }
    launched.go(session)
}

/// Refuses a run that an earlier version began, where this one would not find all again that was paid for then.
fn refuse_otherwise_read(ends: &Ends, project: &Project, folder: &RunFolder) -> Result<(), Failure> {
    let again = launch::anew(project, &ends.begun, folder, &[]).map_err(|error| Failure::journal(&error))?;
    let Some(first) = again.reuse.changed.first() else {
        return Ok(());
    };
    // A question that nobody answered yet is not found, and nothing is missing.
    if again.next.iter().all(|issued| is_waited_with(issued, ends)) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "an earlier version of bmad began this run, and this one reads the workflow otherwise: {first} is not found again"
    ))
    .with_hint("go on with the version that began it; or with `--anyway`, and what is not found is done and paid again"))
}

/// Says whether an effect is a question that the run stopped with.
fn is_waited_with(issued: &Issued, ends: &Ends) -> bool {
    let (Effect::Ask(question), Some((_, why))) = (&issued.effect, &ends.stopped) else {
        return false;
    };
    let mut open = why.split(", ").filter(|_| ends.waits());
    open.any(|open| open == question.id || open == question.key())
}

/// Finds what has to be asked for anew: what a run failed for, because with it it would fail again, the commands that
/// were kept from running and may run now, and what a person let pass where another agent fills the gaps
/// of a run that came to its end.
fn asked_anew(
    args: &RunArgs,
    ends: &Ends,
    (project, folder): (&Project, &RunFolder),
    session: &Session<'_>,
) -> Result<Vec<Key>, Failure> {
    let is_over = |kind: EndKind| ends.stopped.as_ref().is_some_and(|(how, _)| how == kind.name());
    let failed = is_over(EndKind::Failed);
    let store = here(args.state_dir.as_deref(), session)?;
    let allowed = [&*ends.begun.allowed, &args.allow].concat();
    let refusing = launch::refusing(project, &allowed, &store, session);
    let is_new = args.agent().is_some_and(|agent| ends.begun.is_new(agent));
    let fills = is_new && is_over(EndKind::Completed);
    if !failed && !fills && refusing.is_none() {
        return Ok(Vec::new());
    }
    let again = launch::again(project, &ends.begun, folder).map_err(|error| Failure::journal(&error))?;
    let runs = |command: &str| refusing.as_ref().is_some_and(|refuse| refuse(command).is_none());
    let unrun = again.unrun.into_iter().filter(|(_, command)| runs(command));
    let refused = again.refused.into_iter().filter(|_| failed);
    let passed = again.passed.into_iter().filter(|_| fills);
    Ok(refused.chain(unrun.map(|(key, _)| key)).chain(passed).collect())
}

/// Returns the command that begins a run like this one anew.
fn anew(begun: &Begun, args: &RunArgs) -> String {
    let words = match review::is_review(begun) {
        true => "bmad review".to_owned(),
        false => format!("bmad exec {}", typed(&begun.workflow)),
    };
    with_state(words, args.state_dir.as_deref())
}

/// Loads the project of a run, and lists the files that were changed since it began.
fn open(begun: &Begun, session: &mut Session<'_>) -> Result<(Project, Vec<String>), Failure> {
    let gone = |failure: Failure| failure.with_hint("put the workflow back where it was when the run began");
    let workflow = Path::new(&begun.root).join(&begun.workflow);
    let is_there = session.host().exists(&workflow);
    let opened = launch::open(&workflow, session);
    let project = opened.map_err(|failure| if is_there { failure } else { gone(failure) })?;
    let changed = launch::changed(&project, begun);
    // What was accepted when the run began is not looked at again.
    if !changed.is_empty() {
        launch::refuse(&project, session)?;
    }
    Ok((project, changed))
}

/// After how long a run may no longer fit the files around it.
const STALE: i64 = 24 * 60 * 60 * 1000;

/// Says so where nobody worked on a run for a long time.
fn tell_stale(args: &RunArgs, ends: &Ends, session: &mut Session<'_>) -> Result<(), Failure> {
    let idle = args.clock().now() - ends.at;
    if idle > STALE {
        writeln!(
            session.errors,
            "note: nobody worked on this run for {} hours; `{}` starts over",
            idle / (60 * 60 * 1000),
            anew(&ends.begun, args)
        )?;
    }
    Ok(())
}

/// How often a run is resumed without getting anywhere before the person has to decide.
const MAX_ATTEMPTS: u32 = 3;

/// Counts resumes that got nowhere; after a few of them the same again would not help.
fn attempt(args: &Args, folder: &RunFolder, begun: &Begun, session: &Session<'_>) -> Result<(), Failure> {
    let host = session.host();
    let path = launch::attempts_path(folder);
    let before: u32 = host
        .read(&path)
        .ok()
        .and_then(|bytes| String::from_utf8_lossy(&bytes).trim().parse().ok())
        .unwrap_or_default();
    if before >= MAX_ATTEMPTS && !args.anyway {
        let run = folder.id();
        let command = |words: String| with_state(words, args.args.state_dir.as_deref());
        let anyway = command(format!("bmad resume {run} --anyway"));
        let back = command(format!("bmad rollback {run} --last"));
        let show = command(format!("bmad show {run}"));
        return Err(
            Failure::work(format!("run {run} was resumed {before} times and got nowhere"))
                .with_hint(format!("`{anyway}` tries it once more"))
                .with_hint(format!("`{}` starts over", anew(begun, &args.args)))
                .with_hint(format!("`{back}` goes back one step first"))
                .with_hint(format!("`{show}` tells what was done, to go on by hand")),
        );
    }
    host.write_soon(&path, (before + 1).to_string().as_bytes())
        .map_err(|error| Failure::work(format!("the run cannot be kept: `{}`: {error}", path.display())))
}

/// Finds a run of the project around the current folder, and how it began.
pub(super) fn find(
    run: Option<&str>,
    state: Option<&Path>,
    session: &Session<'_>,
) -> Result<(RunFolder, Begun), Failure> {
    let (folder, ends) = find_ends(run, state, session)?;
    Ok((folder, *ends.begun))
}

/// Finds a run of the project around the current folder, with how it began, what was said since then, and where it
/// stopped.
pub(super) fn find_ends(
    run: Option<&str>,
    state: Option<&Path>,
    session: &Session<'_>,
) -> Result<(RunFolder, Ends), Failure> {
    let store = here(state, session)?;
    let folder = store.find(run.unwrap_or("last")).map_err(|error| {
        let failure = Failure::usage(error.to_string());
        match moved(&error, &store) {
            Some(hint) => failure.with_hint(hint),
            None => {
                let runs = with_state("bmad runs", state);
                failure.with_hint(format!("`{runs}` lists the runs of this project"))
            }
        }
    })?;
    let mut ends = ends(&folder.journal()).map_err(|error| Failure::journal(&error))?;
    for resumed in resumes(&folder.journal()).map_err(|error| Failure::journal(&error))? {
        ends.begun.go_on(&resumed);
    }
    // Runs are found by the place of their project: one that began elsewhere was moved here with it.
    if !store.is_of(Path::new(&ends.begun.root)) {
        ends.begun.root = store.root().display().to_string();
        ends.begun.since.moved = true;
    }
    Ok((folder, ends))
}

/// Says how runs come along that a project had in another place, where there is none in this one.
fn moved(error: &StoreError, store: &Store) -> Option<String> {
    matches!(error, StoreError::NoRuns).then(|| brought_along(store))?
}

/// Says how the runs of a project come along that was moved.
pub(super) fn brought_along(store: &Store) -> Option<String> {
    let Moved { from, kept, here } = store.moved()?;
    let word = |path: &Path| shell_word(&path.display().to_string());
    Some(format!(
        "`{}` is not there any more; if it was moved here, its runs come along with: mv {} {}",
        from.display(),
        word(&kept)?,
        word(&here)?
    ))
}

/// Opens the state folder of the project around the current folder.
pub(super) fn here(state: Option<&Path>, session: &Session<'_>) -> Result<Store, Failure> {
    let root = crate::project::root_of(&*session.host(), session.folder());
    launch::open_store(state, &root, session)
}
