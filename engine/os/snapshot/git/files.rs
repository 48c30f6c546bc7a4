//! Paths that git lists in, what an index has to do about them out.

use super::super::manifest::{Entry, LARGEST, Manifest, Stat, What};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The files of a work tree, by what the index has to do about them.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) there: BTreeSet<String>,
    pub(super) gone: BTreeSet<String>,
    links: BTreeSet<String>,
    /// How open files are.
    pub(super) modes: BTreeMap<String, u32>,
    /// What is too large for the index, and what is not looked at.
    pub(super) beside: Manifest,
}

impl Files {
    /// Notes a path that git lists.
    pub(super) fn sort(&mut self, path: String, real: &Path, in_index: bool) {
        let metadata = fs::symlink_metadata(real);
        // In a folder that may not be read everything stays what it was known to be.
        if metadata
            .as_ref()
            .is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        {
            return;
        }
        match metadata
            .ok()
            .filter(|metadata| metadata.is_file() || metadata.is_symlink())
        {
            Some(metadata) if metadata.len() > LARGEST => {
                let stat = Stat::of(&metadata);
                let what = What::Large;
                if in_index {
                    self.gone.insert(path.clone());
                }
                self.beside.files.insert(path, Entry { stat, what });
            }
            Some(metadata) => {
                if metadata.is_symlink() {
                    self.links.insert(path.clone());
                } else {
                    self.modes.insert(path.clone(), Stat::of(&metadata).mode);
                }
                self.there.insert(path);
            }
            // A folder in the place of a file, or a repository of its own.
            None => {
                if fs::symlink_metadata(real.join(".git")).is_ok() {
                    self.beside.unseen.insert(path.trim_end_matches('/').to_owned());
                }
                if in_index {
                    self.gone.insert(path);
                }
            }
        }
    }

    /// Finds the files that may not be read, which git stops at; answers whether there are any.
    pub(super) fn close(&mut self, root: &Path) -> bool {
        let is_closed = |path: &&String| {
            let real = root.join(path);
            fs::symlink_metadata(&real).is_ok_and(|metadata| metadata.is_file())
                && File::open(&real).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        };
        let closed: Vec<String> = self.there.iter().filter(is_closed).cloned().collect();
        for path in &closed {
            self.there.remove(path);
            self.modes.remove(path);
            if let Ok(metadata) = fs::symlink_metadata(root.join(path)) {
                let stat = Stat::of(&metadata);
                let what = What::Large;
                self.beside.files.insert(path.clone(), Entry { stat, what });
            }
        }
        self.gone.extend(closed.iter().cloned());
        self.beside.closed.extend(closed);
        !self.beside.closed.is_empty()
    }

    /// Notes the folders that git could not look into. It names them as seen from the top of the repository, so the end of
    /// a name that is such a folder here is the one.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub(super) fn close_folders(&mut self, complaints: &str, root: &Path) {
        let is_closed = |path: &&str| {
            let opened = fs::read_dir(root.join(path));
            opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
        };
        for line in complaints.lines() {
            let Some((_, rest)) = line.split_once("could not open directory '") else {
                continue;
            };
            let path = rest
                .rsplit_once("':")
                .map_or(rest, |(path, _)| path)
                .trim_end_matches('/');
            let ends = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
            if let Some(folder) = [path].into_iter().chain(ends).find(is_closed) {
                self.beside.unseen.insert(folder.to_owned());
                self.beside.closed.insert(folder.to_owned());
            }
        }
    }

    /// What the index knows below a folder that is now a link is not there: git refuses to look.
    pub(super) fn drop_below_links(&mut self) {
        let below = |path: &String| {
            let mut folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
            folders.any(|folder| self.links.contains(folder))
        };
        let lost: Vec<String> = self.there.iter().filter(|path| below(path)).cloned().collect();
        for path in lost {
            self.there.remove(&path);
            self.gone.insert(path);
        }
    }
}
