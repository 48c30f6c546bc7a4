//! What a run kept of files before it put them back in, the files as they were then out.

use super::Args;
use crate::cli::Exit;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::Begun;
use crate::os::snapshot::{Change, Difference, SnapshotId, Snapshots};
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
    let mut found = snapshots.differences(&id).map_err(|error| unknown(&error))?;
    found.retain(|file| args.paths.iter().any(|path| is_below(&file.path, path)));
    let mut too_large = Vec::new();
    if args.yes {
        let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
        let restored = snapshots.restore(&id, &paths);
        too_large = restored.map_err(|error| Failure::work(error.to_string()))?.left;
    }
    if args.json {
        let each = |file: &Difference| json!({"path": file.path, "becomes": word(file.change)});
        let files: Vec<serde_json::Value> = found.iter().map(each).collect();
        let value = json!({"run": begun.run, "take": name, "done": args.yes, "files": files, "too_large": too_large});
        writeln!(session.output, "{value}")?;
        return Ok(Exit::Clean);
    }
    writeln!(session.output, "files as the run kept them under {name}")?;
    for file in &found {
        let left = if too_large.contains(&file.path) {
            ", too large to be kept: left alone"
        } else {
            ""
        };
        writeln!(session.output, "  {}  {}{left}", file.path, word(file.change))?;
    }
    match (found.is_empty(), args.yes) {
        (true, _) => writeln!(session.output, "all of them are what they were then"),
        (false, true) => writeln!(session.output, "done"),
        (false, false) => writeln!(session.output, "nothing was changed; --yes does it"),
    }?;
    Ok(Exit::Clean)
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
