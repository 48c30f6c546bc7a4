//! The folders that a person names in, the places under which what is in them is read out: links are followed.

use super::around::{declares, enclosing, whole_around};
use crate::host::{EntryKind, Workspace};
use std::path::{Path, PathBuf};

/// Follows links: a folder that is one is looked at in its real place, and so is a workflow that a link right in a folder
/// leads to, elsewhere in the same repository.
pub(super) fn followed(host: &dyn Workspace, paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut followed = Vec::new();
    for path in paths {
        if !is_folder(host, path) {
            followed.push(path.clone());
            continue;
        }
        let folder = real(host, path);
        let inside = workflows_in(host, &folder);
        followed.push(folder);
        followed.extend(inside);
    }
    followed
}

/// Says whether a folder is at a path, through links.
pub(super) fn is_folder(host: &dyn Workspace, path: &Path) -> bool {
    host.resolve(path).is_some_and(|found| found.kind == EntryKind::Folder)
}

/// Returns the path under which a project reads a folder: its own, or where links lead to it, that of its real place.
fn real(host: &dyn Workspace, folder: &Path) -> PathBuf {
    let Some(place) = host.resolve(folder).map(|found| found.path) else {
        return folder.to_path_buf();
    };
    match enclosing(host, folder) {
        Some(root) => in_root(host, &root, &place).unwrap_or(place),
        None if enclosing(host, &place).is_some() => place,
        None => folder.to_path_buf(),
    }
}

/// Returns the path of a real place as seen through the path of a root; none where it is not below it.
fn in_root(host: &dyn Workspace, root: &Path, place: &Path) -> Option<PathBuf> {
    let top = host.resolve(root)?;
    let rest = place.strip_prefix(top.path).ok()?;
    Some(match rest.as_os_str().is_empty() {
        true => root.to_path_buf(),
        false => root.join(rest),
    })
}

/// Returns where the links right in a folder lead that lead to a workflow, out of the folder and not out of the repository.
fn workflows_in(host: &dyn Workspace, folder: &Path) -> Vec<PathBuf> {
    let entries = host.list(folder).into_iter();
    let links: Vec<PathBuf> = entries
        .filter(|entry| entry.kind == EntryKind::Link)
        .map(|entry| folder.join(entry.name))
        .collect();
    let whole = || enclosing(host, folder).or_else(|| whole_around(host, folder, None).map(Path::to_path_buf));
    let Some(whole) = (!links.is_empty()).then(whole).flatten() else {
        return Vec::new();
    };
    let is_elsewhere = |place: &PathBuf| !place.starts_with(folder) && !folder.starts_with(place);
    let places = links.iter().filter_map(|link| host.resolve(link));
    let places = places.filter_map(|found| in_root(host, &whole, &found.path));
    places
        .filter(|place| is_elsewhere(place) && is_folder(host, place) && declares(host, place))
        .collect()
}
