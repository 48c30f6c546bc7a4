//! Paths that git lists in, what an index has to do about them out.

use super::super::manifest::{Entry, LARGEST, Manifest, Stat, What};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
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
        let metadata = fs::symlink_metadata(real).ok();
        match metadata.filter(|metadata| metadata.is_file() || metadata.is_symlink()) {
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
