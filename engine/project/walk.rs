//! Every file and folder below a folder, links and loops minded.

use crate::host::{Entry, EntryKind, Workspace};
use crate::source::{ProjectPath, QuickSet};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders that are not looked into: tools' own stores, and test material that is wrong on purpose.
const SKIPPED: &[&str] = &[
    ".git",
    "node_modules",
    "target",
    "__pycache__",
    ".venv",
    "venv",
    ".hg",
    ".svn",
    "fixtures",
    "__fixtures__",
];

/// The most files and folders that are walked.
const MAX_ENTRIES: usize = 500_000;

/// What a walk found, as paths below its root.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files, sorted.
    pub(super) files: Vec<ProjectPath>,
    /// Folders.
    pub(super) folders: Vec<ProjectPath>,
}

/// Lists every file below a folder, or a file itself.
pub fn files(host: &dyn Workspace, path: &Path) -> Vec<PathBuf> {
    match host.resolve(path) {
        Some(target) if target.kind == EntryKind::Folder => {
            let walked = walk(host, path);
            walked.files.iter().map(|file| path.join(file.as_str())).collect()
        }
        Some(_) | None => vec![path.to_path_buf()],
    }
}

/// How many folders are listed side by side.
const WIDTH: usize = 128;

/// Walks everything below `root`; links last, so that a folder is found under its own name first.
pub(super) fn walk(host: &dyn Workspace, root: &Path) -> Walked {
    // Inside the pool its threads hand work to each other; from outside each round would wake one and wait for it.
    rayon::scope(|_| walk_rounds(host, root))
}

/// Lists folders, then the folders found in them, and so on.
fn walk_rounds(host: &dyn Workspace, root: &Path) -> Walked {
    let mut walked = Walked::default();
    let real = host.resolve(root).map_or_else(|| root.to_owned(), |found| found.path);
    let mut seen: QuickSet<OsString> = QuickSet::default();
    let mut links: Vec<ProjectPath> = Vec::new();
    let mut waiting = vec![(ProjectPath::root(), real.clone())];
    loop {
        let known = links.len();
        while !waiting.is_empty() && walked.files.len() + walked.folders.len() <= MAX_ENTRIES {
            let mut few = waiting.split_off(waiting.len().saturating_sub(WIDTH));
            few.retain(|(_, place)| seen.insert(place.clone().into_os_string()));
            // The disk takes longer than everything that is done with its answers.
            let listed: Vec<Vec<Entry>> = few
                .par_iter()
                .map(|(folder, _)| host.list(&root.join(folder.as_str())))
                .collect();
            for (folder, entries) in few.iter().zip(listed) {
                add(folder, entries, &mut walked, &mut waiting, &mut links);
            }
        }
        waiting.clear();
        links[known..].sort_by(last_first);
        let Some(link) = links.pop() else { break };
        follow(host, root, link, &real, &mut walked)
            .into_iter()
            .for_each(|found| {
                if !seen.contains(found.1.as_os_str()) {
                    walked.folders.push(found.0.clone());
                    waiting.push(found);
                }
            });
    }
    walked.files.sort();
    walked.folders.sort();
    walked
}

/// A folder to look into: its path, and the place it really has.
type Waiting = (ProjectPath, PathBuf);

/// Adds what a folder holds.
fn add(
    (folder, place): &Waiting,
    entries: Vec<Entry>,
    walked: &mut Walked,
    waiting: &mut Vec<Waiting>,
    links: &mut Vec<ProjectPath>,
) {
    for entry in entries {
        let Some(path) = folder.join(&entry.name) else { continue };
        match entry.kind {
            EntryKind::File => walked.files.push(path),
            EntryKind::Folder if !SKIPPED.contains(&entry.name.as_str()) => {
                walked.folders.push(path.clone());
                waiting.push((path, place.join(&entry.name)));
            }
            EntryKind::Folder => {}
            EntryKind::Link => links.push(path),
        }
    }
}

/// Orders links so that the one to follow first stands last: in the first folder by name, before those inside it.
fn last_first(one: &ProjectPath, other: &ProjectPath) -> Ordering {
    let (above, beside) = (one.folder(), other.folder());
    let mut parts = above.parts().zip(beside.parts());
    let apart = parts.find(|(one, other)| one != other);
    let folders = match apart {
        Some((one, other)) => other.cmp(one),
        None => above.as_str().len().cmp(&beside.as_str().len()),
    };
    folders.then_with(|| one.cmp(other))
}

/// Follows a link that stays below the root: a file is taken, a folder is handed back with its real place.
fn follow(host: &dyn Workspace, root: &Path, link: ProjectPath, real: &Path, walked: &mut Walked) -> Option<Waiting> {
    let target = host.resolve(&root.join(link.as_str()))?;
    if !target.path.starts_with(real) {
        return None;
    }
    match target.kind {
        EntryKind::File => {
            walked.files.push(link);
            None
        }
        EntryKind::Folder => Some((link, target.path)),
        EntryKind::Link => None,
    }
}
