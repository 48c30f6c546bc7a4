//! A folder in, the files below it out, without what is made again by a command.

use super::manifest::Stat;
use super::{SnapshotError, refused};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that are not looked into: a command puts there again what they hold.
const SKIPPED: [&str; 2] = ["node_modules", "target"];

/// A file or a link.
#[derive(Debug)]
pub(super) struct Found {
    /// Relative to the folder, with `/`.
    pub(super) path: String,
    pub(super) stat: Stat,
    /// Where a link leads.
    pub(super) target: Option<String>,
}

/// What is below a folder.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The files and links, sorted.
    pub(super) files: Vec<Found>,
    /// The folders that may not be read.
    pub(super) closed: Vec<String>,
}

/// Lists the files and links below `root`, sorted; `without` is left out. Names that are no text cannot be written down
/// and are left out too.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn walk(root: &Path, without: Option<&Path>) -> Result<Walked, SnapshotError> {
    let (mut found, mut closed) = (Vec::new(), Vec::new());
    let mut folders = vec![(root.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // Gone since it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !prefix.is_empty() => continue,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !prefix.is_empty() => {
                closed.push(prefix.trim_end_matches('/').to_owned());
                continue;
            }
            Err(error) => return Err(refused(&folder, &error)),
        };
        for entry in entries.flatten() {
            let (Ok(name), Ok(metadata)) = (entry.file_name().into_string(), entry.metadata()) else {
                continue;
            };
            let path = format!("{prefix}{name}");
            if name == ".git" {
                continue;
            }
            if metadata.is_dir() {
                let below = entry.path();
                if !SKIPPED.contains(&name.as_str()) && Some(below.as_path()) != without {
                    folders.push((below, format!("{path}/")));
                }
            } else if metadata.is_file() || metadata.is_symlink() {
                let target = target(&entry.path(), &metadata)?;
                let stat = Stat::of(&metadata);
                found.push(Found { path, stat, target });
            }
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(Walked { files: found, closed })
}

/// Returns where a link leads; nothing for a file.
pub(super) fn target(path: &Path, metadata: &fs::Metadata) -> Result<Option<String>, SnapshotError> {
    if !metadata.is_symlink() {
        return Ok(None);
    }
    let target = fs::read_link(path).map_err(|error| refused(path, &error))?;
    Ok(Some(target.to_string_lossy().into_owned()))
}

/// Returns the folder of all runs, if it lies in the folder that is looked at.
#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
pub(super) fn own(root: &Path, projects: &Path) -> Option<PathBuf> {
    let (real, projects) = (fs::canonicalize(root).ok()?, fs::canonicalize(projects).ok()?);
    Some(root.join(projects.strip_prefix(real).ok()?))
}
