//! A run that went back in, the files out that it left alone then because somebody had changed them.

use crate::cli::record::{Fate, Writes, fate, hash};
use crate::host::{JournalError, Workspace};
use crate::os::snapshot::went_back;
use crate::os::store::RunFolder;
use std::collections::BTreeSet;
use std::path::Path;

/// Lists files that only lines wrote which are void now, and that hold neither what one of them wrote nor what was there
/// before the first.
pub(super) fn alone(folder: &RunFolder, root: &Path, host: &dyn Workspace) -> Result<Vec<String>, JournalError> {
    if !went_back(folder) {
        return Ok(Vec::new());
    }
    let (counts, void) = Writes::of(folder)?;
    let is_left = |path: &&str| {
        let mut of_it = void.changes.iter().filter(|written| written.path == **path).peekable();
        let before = of_it.peek().and_then(|first| first.before.clone());
        let now = hash(root, path, host);
        now.is_some() && now != before && of_it.all(|it| fate(root, path, &it.after, host) == Fate::Changed)
    };
    let counted = |path: &&str| counts.changes.iter().any(|written| written.path == **path);
    let paths: BTreeSet<&str> = void.changes.iter().map(|written| written.path.as_str()).collect();
    let left = paths.into_iter().filter(|path| !counted(path)).filter(is_left);
    Ok(left.map(str::to_owned).collect())
}
