//! What a person names in, the files to review out.

use super::Args;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::{EntryKind, Workspace};
use crate::os::snapshot::changes_since;
use std::path::{Path, PathBuf};

/// The most files of one review.
const MOST: usize = 200;
/// The longest difference that reviewers are handed; what is longer they read in the files.
const LONGEST: usize = 100_000;
/// How deep folders are looked into.
const DEEPEST: usize = 12;

/// What is to be reviewed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The files, as seen from the folder the person is in.
    pub(super) files: Vec<String>,
    /// What a person calls them.
    pub(super) name: String,
    /// What changed in them, where only that is asked for.
    pub(super) changes: String,
}

impl Asked {
    /// Finds out what a command line means.
    pub(super) fn find(args: &Args, session: &Session<'_>) -> Result<Self, Failure> {
        let asked = match &args.diff {
            Some(since) => changed(since, &args.files, session)?,
            None => named(&args.files, session)?,
        };
        match asked.files.len() {
            0..=MOST => Ok(asked),
            many => Err(
                Failure::usage(format!("{many} files are too many for one review; the most are {MOST}"))
                    .with_hint("name the files or a folder that matter"),
            ),
        }
    }
}

fn named(given: &[PathBuf], session: &Session<'_>) -> Result<Asked, Failure> {
    if given.is_empty() {
        return Err(Failure::usage("there is nothing to review")
            .with_hint("name files, such as `bmad review docs/prd.md`")
            .with_hint("`--diff` reviews what changed since the last commit"));
    }
    let host = session.host();
    session.paths(given)?;
    let mut files: Vec<String> = Vec::new();
    for path in given {
        let full = session.folder().join(path);
        let kind = host.resolve(&full).map(|found| found.kind);
        let mut found = match kind {
            Some(EntryKind::Folder) => documents(&*host, &full, path, DEEPEST),
            Some(_) | None => vec![path.display().to_string()],
        };
        if found.is_empty() {
            return Err(
                Failure::usage(format!("no Markdown document is in `{}`", path.display()))
                    .with_hint("name the files to review"),
            );
        }
        found.retain(|file| !files.contains(file));
        files.extend(found);
    }
    let name = title(&files);
    Ok(Asked {
        files,
        name,
        changes: String::new(),
    })
}

/// Lists the Markdown documents in a folder, in the order of their names; what begins with a dot is left alone.
fn documents(host: &dyn Workspace, full: &Path, shown: &Path, depth: usize) -> Vec<String> {
    let mut entries = host.list(full);
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let mut found = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.name.starts_with('.')) {
        let (full, shown) = (full.join(&entry.name), shown.join(&entry.name));
        match entry.kind {
            EntryKind::Folder if depth > 0 && entry.name != "node_modules" && entry.name != "target" => {
                found.extend(documents(host, &full, &shown, depth - 1));
            }
            EntryKind::File if entry.name.to_lowercase().ends_with(".md") => found.push(shown.display().to_string()),
            EntryKind::Folder | EntryKind::File | EntryKind::Link => {}
        }
    }
    found
}

fn changed(since: &str, only: &[PathBuf], session: &Session<'_>) -> Result<Asked, Failure> {
    let changes = changes_since(session.folder(), since).map_err(|error| {
        Failure::usage(format!("what changed since `{since}` cannot be told: {error}"))
            .with_hint("`--diff` needs a git repository around this folder and a commit, branch or tag of it")
    })?;
    let wanted = |file: &String| only.is_empty() || only.iter().any(|path| Path::new(file).starts_with(path));
    let host = session.host();
    let files: Vec<String> = changes
        .files
        .into_iter()
        .filter(wanted)
        .filter(|file| is_text(&*host, &session.folder().join(file)))
        .collect();
    if files.is_empty() {
        return Err(Failure::usage(format!("nothing changed since `{since}`"))
            .with_hint("`--diff=COMMIT` names another commit to compare with"));
    }
    let mut text = changes.text;
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push_str("\n(the rest is left out; read the files)\n");
    }
    Ok(Asked {
        files,
        name: format!("changes since {since}"),
        changes: text,
    })
}

/// Says whether a file can be reviewed as text.
fn is_text(host: &dyn Workspace, path: &Path) -> bool {
    host.read(path)
        .is_ok_and(|bytes| !bytes.contains(&0) && std::str::from_utf8(&bytes).is_ok())
}

/// Returns what a person calls these files.
fn title(files: &[String]) -> String {
    match files {
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
        [] => String::new(),
    }
}
