//! A commit in, the files that changed since out, and how.

use super::super::SnapshotError;
use super::command::{Git, split};
use std::collections::BTreeSet;
use std::path::Path;

/// What changed since a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The files, as seen from the folder, new ones included; those that are gone are left out.
    pub files: Vec<String>,
    /// The files of the repository that changed outside of the folder, as seen from its top.
    pub elsewhere: Vec<String>,
    /// The commit.
    base: String,
}

/// How differences are looked for: by the files alone, whatever the repository says about showing them.
const COMPARE: [&str; 6] = [
    "--literal-pathspecs",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--diff-filter=d",
];

/// Says what changed in the folder since a commit.
pub(in crate::os::snapshot) fn changes_since(root: &Path, since: &str) -> Result<Changes, SnapshotError> {
    let git = Git::new(root).without_own_filters()?;
    let prefix = git.run(&["rev-parse", "--show-prefix"])?;
    let commit = format!("{since}^{{commit}}");
    let found = git.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    let base = found.map_err(|_| SnapshotError::NoCommit(since.to_owned()))?;
    let base = String::from_utf8_lossy(&base).trim().to_owned();
    let prefix = String::from_utf8_lossy(&prefix).trim().to_owned();
    // Paths are told from the top of the repository, wherever the folder is.
    let top = match prefix.matches('/').count() {
        0 => ".".to_owned(),
        depth => "../".repeat(depth),
    };
    let known = git.run(&[&COMPARE[..], &["--name-only", "-z", &base, "--", &top]].concat())?;
    let untracked = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--"];
    let new = git.run(&[&untracked[..], &[&top]].concat())?;
    let all: BTreeSet<String> = split(&known).chain(split(&new)).collect();
    let (mut files, mut elsewhere) = (Vec::new(), Vec::new());
    for path in all {
        match path.strip_prefix(&prefix) {
            Some(inside) => files.push(inside.to_owned()),
            None => elsewhere.push(path),
        }
    }
    Ok(Changes { files, elsewhere, base })
}

/// Returns the differences of some files as text; git has none for files it does not know.
pub(in crate::os::snapshot) fn differences(
    root: &Path,
    changes: &Changes,
    files: &[String],
) -> Result<String, SnapshotError> {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let asked = [
        &COMPARE[..],
        &["--relative", "--unified=3", &changes.base, "--"],
        &files,
    ]
    .concat();
    let said = Git::new(root).without_own_filters()?.run(&asked)?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}
