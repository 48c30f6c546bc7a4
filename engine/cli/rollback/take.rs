//! What a run kept of files before it put them back in, the files as they were then out.

use super::Args;
use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::Begun;
use crate::machine::escape::shell_word;
use crate::os::snapshot::{Change, Difference, SnapshotError, SnapshotId, Snapshots};
use crate::os::store::RunFolder;
use serde_json::json;
use std::io::Write as _;
use std::path::Path;
use std::str::FromStr as _;

/// Makes files what they were, or says what would become of them.
pub(super) fn run(
    name: &str,
    args: &Args,
    folder: &RunFolder,
    begun: &Begun,
    session: &mut Session<'_>,
) -> Result<Exit, Failure> {
    let root = Path::new(&begun.root);
    let snapshots = Snapshots::of(root, folder);
    let unknown = |error: &dyn std::fmt::Display| {
        let log = with_state(format!("bmad log {}", begun.run), args.state_dir.as_deref());
        Failure::usage(error.to_string()).with_hint(format!("the run says the name where it put files back: `{log}`"))
    };
    let id = SnapshotId::from_str(name).map_err(|error| unknown(&error))?;
    let all = snapshots.differences(&id).map_err(|error| unknown(&error))?;
    let found = chosen(all, &args.paths, root)?;
    let mut taken = Taken::default();
    if args.yes && !found.is_empty() {
        taken = take(&snapshots, &id, &found).map_err(|error| Failure::work(error.to_string()))?;
    }
    if args.json {
        let each = |file: &Difference| json!({"path": file.path, "becomes": word(file.change)});
        let files: Vec<serde_json::Value> = found.iter().map(each).collect();
        let value = json!({"run": begun.run, "take": name, "done": args.yes, "files": files,
            "too_large": taken.left, "before": taken.before});
        writeln!(session.output, "{value}")?;
        return Ok(taken.exit());
    }
    print(name, &found, &taken, args, session)?;
    let is_done = taken.left.len() < found.len();
    if let Some(before) = taken.before.as_ref().filter(|_| is_done) {
        let paths = args.paths.iter().filter_map(|path| shell_word(path));
        let paths = paths.collect::<Vec<_>>().join(" ");
        let back = format!("bmad rollback {} --take {before} --yes {paths}", begun.run);
        let back = with_state(back, args.state_dir.as_deref());
        writeln!(session.output, "done; as they were before: {back}")?;
    }
    if !taken.left.is_empty() {
        let next = "a file that stands in the way and cannot be kept has to be moved first";
        writeln!(session.output, "not all of it was done; {next}")?;
    }
    Ok(taken.exit())
}

/// What became of files.
#[derive(Default)]
struct Taken {
    /// Those that are left alone: they were too large to be kept then, are now, or cannot be read.
    left: Vec<String>,
    /// The name under which they are kept as they were before.
    before: Option<String>,
}

impl Taken {
    /// Whoever asked for a file and did not get it hears so.
    fn exit(&self) -> Exit {
        match self.left.is_empty() {
            true => Exit::Clean,
            false => Exit::Findings,
        }
    }
}

/// Keeps the files as they are, and makes them what they were.
fn take(snapshots: &Snapshots<'_>, id: &SnapshotId, found: &[Difference]) -> Result<Taken, SnapshotError> {
    let before = snapshots.take_beside(snapshots.next(), id)?;
    let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    Ok(Taken {
        left: snapshots.restore(id, &paths)?.left,
        before: Some(before.to_string()),
    })
}

/// Returns what differs below some paths. Where none of them is in the project, or was then, they are a mistake.
fn chosen(mut all: Vec<Difference>, paths: &[String], root: &Path) -> Result<Vec<Difference>, Failure> {
    let is_known =
        |path: &String| root.join(path).symlink_metadata().is_ok() || all.iter().any(|file| is_below(&file.path, path));
    if !paths.iter().any(is_known) {
        let named = paths.join("`, `");
        let message = format!("`{named}` is not in the project, and was not when the run kept its files");
        let hint = format!("paths are seen from the project, {}", root.display());
        return Err(Failure::usage(message).with_hint(hint));
    }
    all.retain(|file| paths.iter().any(|path| is_below(&file.path, path)));
    Ok(all)
}

/// Says which files become what.
fn print(
    name: &str,
    found: &[Difference],
    taken: &Taken,
    args: &Args,
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    writeln!(session.output, "files as the run kept them under {name}")?;
    for file in found {
        let left = if taken.left.contains(&file.path) {
            ", too large to be kept, not to be read, or with something in its place that nothing keeps: left alone"
        } else {
            ""
        };
        writeln!(session.output, "  {}  {}{left}", file.path, word(file.change))?;
    }
    match (found.is_empty(), args.yes) {
        (true, _) => writeln!(session.output, "all of them are what they were then")?,
        (false, true) => {}
        (false, false) => writeln!(session.output, "nothing was changed; --yes does it")?,
    }
    Ok(())
}

/// Says whether a file is at a path or in the folder there.
fn is_below(file: &str, path: &str) -> bool {
    let path = path.trim_start_matches("./").trim_end_matches('/');
    path.is_empty() || path == "." || Path::new(file).starts_with(path)
}

/// Says what becomes of a file that is different from what it was.
fn word(change: Change) -> &'static str {
    match change {
        Change::Added => "removed",
        Change::Changed => "restored",
        Change::Removed => "made again",
    }
}
