//! A run and a point in it in, the run as it was at that point out.

mod before;
mod plan;
mod point;
mod report;
mod take;

use crate::cli::Exit;
use crate::cli::brief::BEFORE;
use crate::cli::failure::Failure;
use crate::cli::launch;
use crate::cli::resume::find;
use crate::cli::session::Session;
use crate::host::{Clock as _, Durability, Journal as _, JournalError, Line, Workspace};
use crate::os::clock::SystemClock;
use crate::os::journal::FileJournal;
use crate::os::snapshot::{SnapshotId, Snapshots, Undo};
use crate::os::store::RunFolder;
use plan::{Fall, Plan};
use point::Trace;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without `--yes` nothing happens: it is said which files would become what, what would have
to be done again, and what cannot be undone. Nothing is taken out of the journal: a line is
added that says which lines before it are void.

Only files that still hold what the run wrote are put back; one that somebody changed since
is left alone and listed, and so is one that somebody changed between two writes of the run:
`--edited` puts that back, too, and says how to have the changes back. Where the run writes
such a file again it does so, keeps what was in it, and says the command that has it back.
What agents changed by themselves is not the run's own: it is listed, and `--snapshot` puts
it back too.

Files that changed during a turn that may only read are put back by the run, and kept as
they were then, and so is what the run wrote over: `--take` has them back. It takes nothing
out of the run.

Examples:
  bmad rollback last --to 3          what it would take to go back to the beginning of step 3
  bmad rollback last --to 3 --yes    do it
  bmad rollback last --last --yes    undo what was written last, back to the beginning of its
                                     step where nobody was asked in between
  bmad rollback last --take NAME docs --yes
                                     have files back that the run put back
  bmad resume                        go on from there")]
#[command(group = clap::ArgGroup::new("point").required(true))]
pub(super) struct Args {
    /// The run, by its id or the beginning of it, or `last`
    #[arg(value_name = "RUN")]
    pub(super) run: String,

    /// Go back to the beginning of this step
    #[arg(long, value_name = "STEP", group = "point")]
    pub(super) to: Option<String>,

    /// Go back to before what was written last, the writes right before it and the beginning of
    /// their step
    #[arg(long, group = "point")]
    pub(super) last: bool,

    /// Make files what they were when the run kept them under this name
    #[arg(
        long,
        value_name = "NAME",
        group = "point",
        requires = "paths",
        conflicts_with = "snapshot"
    )]
    pub(super) take: Option<String>,

    /// The files and folders of the project that `--take` is about; `.` for all
    #[arg(value_name = "PATH", requires = "take")]
    pub(super) paths: Vec<String>,

    /// Do it
    #[arg(long, short)]
    pub(super) yes: bool,

    /// Put back what differs from the snapshot that was taken before the first turn that is undone, too
    #[arg(long)]
    pub(super) snapshot: bool,

    /// Put back files that somebody changed between two writes of the run, too
    #[arg(long, conflicts_with = "take")]
    pub(super) edited: bool,

    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,

    /// The folder that the journals of runs are kept in
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let (folder, begun) = find(Some(&args.run), args.state_dir.as_deref(), session)?;
    let now = SystemClock.now();
    // Held while it is looked at too: a plan for a run that goes on would be wrong before it is read.
    let _lock = launch::lock(&folder, now)?;
    if let Some(name) = &args.take {
        if let Some(hash) = name.strip_prefix(BEFORE) {
            return before::run(hash, args, &folder, &begun, session);
        }
        return take::run(name, args, &folder, &begun, session);
    }
    let journal = |error: JournalError| Failure::journal(&error);
    let trace = Trace::of(&folder).map_err(journal)?;
    let point = trace.point(args.to.as_deref())?;
    let root = Path::new(&begun.root);
    let mut plan = Plan::of(&trace, &point, root, &*session.host());
    plan.find_kept(&Undo::of(root, &folder));
    if !args.edited {
        plan.spare_edited();
    }
    compare(&mut plan, root, &folder)?;
    if args.yes {
        put_back(&mut plan, args.snapshot, root, &folder)?;
        append(&folder, now, point.to).map_err(journal)?;
        if plan.answers > 0 {
            put_aside(&launch::answers_path(&folder), &*session.host())?;
        }
        // From another point it may get somewhere.
        session
            .host()
            .write_soon(&launch::attempts_path(&folder), b"0")
            .map_err(Failure::from)?;
    }
    match args.json {
        true => writeln!(session.output, "{}", report::json(&plan, args, &begun.run))?,
        false => report::print(&plan, args, &begun.run, &mut session.output)?,
    }
    Ok(Exit::Clean)
}

/// Finds what differs from the snapshot that was taken before the first turn that is undone.
fn compare(plan: &mut Plan, root: &Path, folder: &RunFolder) -> Result<(), Failure> {
    let Some(id) = &plan.snapshot else {
        return Ok(());
    };
    let found = SnapshotId::from_str(id)
        .and_then(|id| Snapshots::of(root, folder).differences(&id))
        .map_err(|error| Failure::work(format!("the snapshot `{id}` cannot be compared: {error}")))?;
    let own = |path: &str| plan.files.iter().any(|file| file.path == path);
    let others = found.into_iter().filter(|difference| !own(&difference.path));
    plan.differs = others.map(|it| (it.path, it.change.name())).collect();
    Ok(())
}

/// Puts files back. What is there already is not touched, so that it can be done again where it was cut off.
fn put_back(plan: &mut Plan, with_snapshot: bool, root: &Path, folder: &RunFolder) -> Result<(), Failure> {
    let stopped = |path: &str, why: String| {
        Failure::work(format!("`{path}` could not be put back: {why}"))
            .with_hint("files that were put back stay so; do the same again once the cause is gone")
    };
    let undo = Undo::of(root, folder);
    // Before anything else: a line that makes others void is looked for only in runs that are marked.
    undo.note().map_err(|error| stopped("rolled-back", error.to_string()))?;
    for file in &plan.files {
        if let Fall::Back(bytes) = &file.fall {
            undo.put_back(&file.path, bytes.as_deref())
                .map_err(|error| stopped(&file.path, error.to_string()))?;
        }
    }
    if let Some(id) = plan.snapshot.as_ref().filter(|_| with_snapshot) {
        let paths: Vec<String> = plan.differs.iter().map(|(path, _)| path.clone()).collect();
        let restored = SnapshotId::from_str(id)
            .and_then(|id| Snapshots::of(root, folder).restore(&id, &paths))
            .map_err(|error| stopped(id, error.to_string()))?;
        plan.too_large = restored.left;
    }
    Ok(())
}

/// Puts the answers aside that the run was given while it waited: they were given to what is void now.
fn put_aside(answers: &Path, host: &dyn Workspace) -> Result<(), Failure> {
    let Ok(bytes) = host.read(answers) else {
        return Ok(());
    };
    host.write(&answers.with_extension("rolled-back.yaml"), &bytes)?;
    host.remove(answers)?;
    Ok(())
}

fn append(folder: &RunFolder, at: i64, to: u64) -> Result<(), JournalError> {
    let mut journal = FileJournal::open_for_append(&folder.journal())?.journal;
    journal.append(&Line::RolledBack { at, to }, Durability::Synced)
}
