//! Every file and folder below a folder, links and loops minded.

use crate::host::{EntryKind, Workspace};
use crate::source::ProjectPath;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Folders that are not looked into: tools' own stores, and test material that is wrong on purpose.
const SKIPPED: &[&str] = &[
    ".git", "node_modules", "target", "__pycache__", ".venv", "venv", ".hg", ".svn", "fixtures", "__fixtures__",
];

/// The most files and folders that are walked.
const MAX_ENTRIES: usize = 500_000;

/// What a walk found, as paths below its root.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files with their sizes, sorted.
    pub(super) files: Vec<(ProjectPath, u64)>,
    /// Folders.
    pub(super) folders: Vec<ProjectPath>,
}

/// Walks everything below `root`.
pub(super) fn walk(host: &dyn Workspace, root: &Path) -> Walked {
    let mut walked = Walked::default();
    let real_root = host.resolve(root).map_or_else(|| root.to_owned(), |found| found.path);
    let mut seen: HashSet<PathBuf> = HashSet::from([real_root.clone()]);
    let mut waiting = vec![ProjectPath::root()];
    while let Some(folder) = waiting.pop() {
        for entry in host.list(&root.join(folder.as_str())) {
            if walked.files.len() + walked.folders.len() > MAX_ENTRIES {
                return walked;
            }
            let Some(path) = folder.join(&entry.name) else { continue };
            let kind = match entry.kind {
                EntryKind::Link => match followed(host, root, &path, &real_root, &mut seen) {
                    Some(kind) => kind,
                    None => continue,
                },
                EntryKind::File | EntryKind::Folder => entry.kind,
            };
            match kind {
                EntryKind::File => walked.files.push((path, entry.size)),
                EntryKind::Folder => {
                    walked.folders.push(path.clone());
                    if !SKIPPED.contains(&entry.name.as_str()) {
                        waiting.push(path);
                    }
                }
                EntryKind::Link => {}
            }
        }
    }
    walked.files.sort();
    walked.folders.sort();
    walked
}

/// Follows a link that stays below the root, leads to a folder not yet seen and not to one it stands in.
fn followed(
    host: &dyn Workspace,
    root: &Path,
    path: &ProjectPath,
    real_root: &Path,
    seen: &mut HashSet<PathBuf>,
) -> Option<EntryKind> {
    let target = host.resolve(&root.join(path.as_str()))?;
    if !target.path.starts_with(real_root) {
        return None;
    }
    let around = host.resolve(&root.join(path.folder().as_str()));
    let is_circle = around.is_some_and(|around| around.path.starts_with(&target.path));
    match target.kind {
        EntryKind::File => Some(EntryKind::File),
        EntryKind::Folder if is_circle => None,
        EntryKind::Folder => seen.insert(target.path).then_some(EntryKind::Folder),
        EntryKind::Link => None,
    }
}
