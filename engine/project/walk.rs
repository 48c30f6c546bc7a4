//! Every file and folder below a folder, links and loops minded.

use super::share::call_others;
use super::site::below_root;
use crate::host::{EntryKind, Workspace};
use crate::source::{ProjectPath, QuickMap, QuickSet};
use crate::syntax::Format;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering as AtomicOrdering};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// How many files and folders one thread finds sooner than another is awake.
const MANY: usize = 64;

/// What a walk found, as paths below its root.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files, sorted.
    pub(super) files: Vec<ProjectPath>,
    /// Folders.
    pub(super) folders: Vec<ProjectPath>,
    /// Folders that were not looked into, and links to folders that were found under another name.
    pub(super) beyond: Vec<ProjectPath>,
    /// Links that stay below the root, each with the path of what it leads to.
    pub(super) links: Vec<(ProjectPath, ProjectPath)>,
    /// Links that lead out of the root, to a folder or to a file of a kind that is read.
    pub(super) outward: Vec<ProjectPath>,
    /// Folders that cannot be opened, each with the reason.
    pub(super) closed: Vec<(ProjectPath, String)>,
}

/// Lists every file below a folder, or a file itself.
pub fn files(host: &dyn Workspace, path: &Path) -> Vec<PathBuf> {
    match host.resolve(path) {
        Some(target) if target.kind == EntryKind::Folder => {
            let mut walked = walk(host, path);
            under_one_name(&mut walked.files, &mut walked.links);
            walked.files.iter().map(|file| path.join(file.as_str())).collect()
        }
        Some(_) | None => vec![path.to_path_buf()],
    }
}

/// How deep folders are looked into side by side; those below are looked into one after the other, on little stack.
const DEEP: usize = 64;

/// Walks everything below `root`; links last, so that a folder is found under its own name first.
pub(super) fn walk(host: &dyn Workspace, root: &Path) -> Walked {
    // Inside the pool its threads hand work to each other; from outside each part would wake one and wait for it.
    rayon::scope(|_| walk_all(host, root))
}

fn walk_all(host: &dyn Workspace, root: &Path) -> Walked {
    let real = host.resolve(root).map_or_else(|| root.to_owned(), |found| found.path);
    let walk = Walk {
        host,
        root,
        seen: Mutex::default(),
        count: AtomicUsize::new(0),
    };
    let Found {
        mut walked, mut links, ..
    } = walk.below((ProjectPath::root(), real.clone()), 0);
    links.sort_by(last_first);
    while let Some(link) = links.pop() {
        let Some(target) = follow(host, root, link, &real, &mut walked) else {
            continue;
        };
        if walk.is_seen(&target.1) {
            let place = below_root(&real, &target.1);
            walked.links.extend(place.map(|place| (target.0.clone(), place)));
            walked.beyond.push(target.0);
            continue;
        }
        walked.folders.push(target.0.clone());
        let mut more = walk.below(target, 0);
        more.links.sort_by(last_first);
        links.append(&mut more.links);
        walked.take(more.walked);
    }
    walked.files.sort();
    walked.folders.sort();
    walked
}

/// What is shared by all who walk.
struct Walk<'a> {
    host: &'a dyn Workspace,
    root: &'a Path,
    /// The places of folders that were looked into.
    seen: Mutex<QuickSet<OsString>>,
    /// How many files and folders were found.
    count: AtomicUsize,
}

/// What was found below a folder.
#[derive(Default)]
struct Found {
    walked: Walked,
    /// The folders right in it, which are still to be looked into.
    inside: Vec<Waiting>,
    links: Vec<ProjectPath>,
}

/// A folder to look into: its path, and the place it really has.
type Waiting = (ProjectPath, PathBuf);

impl Walk<'_> {
    fn is_seen(&self, place: &Path) -> bool {
        self.seen().contains(place.as_os_str())
    }

    fn seen(&self) -> MutexGuard<'_, QuickSet<OsString>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks into a folder and all below it. The disk takes longer than what is done with its answers, so that several
    /// folders are looked into at once.
    fn below(&self, folder: Waiting, depth: usize) -> Found {
        let mut found = self.right_in(folder);
        if depth >= DEEP {
            while let Some(folder) = found.inside.pop() {
                found.take(self.right_in(folder));
            }
            return found;
        }
        let inside = std::mem::take(&mut found.inside);
        let deeper: Vec<Found> = inside
            .into_par_iter()
            .map(|folder| self.below(folder, depth + 1))
            .collect();
        found.take_between(deeper);
        found
    }

    /// Lists what is right in a folder.
    fn right_in(&self, (folder, place): Waiting) -> Found {
        let mut found = Found::default();
        let is_full = self.count.load(AtomicOrdering::Relaxed) > MAX_ENTRIES;
        if is_full {
            found.walked.beyond.push(folder);
            return found;
        }
        if !self.seen().insert(place.clone().into_os_string()) {
            return found;
        }
        let entries = self.host.list(&self.root.join(folder.as_str()));
        if entries.is_empty()
            && let Some(reason) = self.host.closed(&self.root.join(folder.as_str()))
        {
            found.walked.beyond.push(folder.clone());
            found.walked.closed.push((folder, reason));
            return found;
        }
        for entry in entries {
            let Some(path) = folder.join(&entry.name) else { continue };
            match entry.kind {
                EntryKind::File => found.walked.files.push(path),
                EntryKind::Folder if !SKIPPED.contains(&entry.name.as_str()) => {
                    found.walked.folders.push(path.clone());
                    found.inside.push((path, place.join(&entry.name)));
                }
                EntryKind::Folder => found.walked.beyond.push(path),
                EntryKind::Link if SKIPPED.contains(&entry.name.as_str()) => found.walked.beyond.push(path),
                EntryKind::Link => found.links.push(path),
            }
        }
        let more = found.walked.files.len() + found.walked.folders.len();
        if self.count.fetch_add(more, AtomicOrdering::Relaxed) > MANY {
            call_others();
        }
        found
    }
}

impl Found {
    /// Takes what was found in the folders right inside, in their order, each between the files it comes between: what is
    /// nearly in order is soon put in order.
    fn take_between(&mut self, inside: Vec<Found>) {
        let mut own = std::mem::take(&mut self.walked.files).into_iter().peekable();
        for more in inside {
            if let Some(first) = more.walked.files.first() {
                let before = std::iter::from_fn(|| own.next_if(|file| file < first));
                self.walked.files.extend(before);
            }
            self.take(more);
        }
        self.walked.files.extend(own);
    }

    fn take(&mut self, mut more: Found) {
        self.walked.take(more.walked);
        self.inside.append(&mut more.inside);
        self.links.append(&mut more.links);
    }
}

impl Walked {
    fn take(&mut self, mut more: Walked) {
        self.files.append(&mut more.files);
        self.folders.append(&mut more.folders);
        self.beyond.append(&mut more.beyond);
        self.links.append(&mut more.links);
        self.outward.append(&mut more.outward);
        self.closed.append(&mut more.closed);
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
    let path = root.join(link.as_str());
    let Some(target) = host.resolve(&path) else {
        walked.outward.extend(host.closed(&path).map(|_| link));
        return None;
    };
    let is_folder = target.kind == EntryKind::Folder;
    let Some(place) = below_root(real, &target.path) else {
        if is_folder || Format::of(link.name()).is_some() {
            walked.outward.push(link);
        }
        return None;
    };
    if is_folder {
        return Some((link, target.path));
    }
    walked.links.push((link.clone(), place));
    walked.files.push(link);
    None
}

/// Drops files that are links to another one of them: each is read under one name.
pub(super) fn under_one_name(files: &mut Vec<ProjectPath>, links: &mut [(ProjectPath, ProjectPath)]) {
    if links.is_empty() {
        return;
    }
    let mut names: QuickSet<ProjectPath> = files.iter().cloned().collect();
    let mut first: QuickMap<ProjectPath, ProjectPath> = QuickMap::default();
    for (link, place) in links.iter_mut().filter(|(link, place)| link != place) {
        if !names.contains(link) {
            continue;
        }
        if let Some(known) = first.get(place) {
            *place = known.clone();
        }
        if names.contains(place) {
            names.remove(link);
        } else {
            first.insert(place.clone(), link.clone());
        }
    }
    files.retain(|file| names.contains(file));
}
