//! One project to look at, as a value: its root, and what of it is read.

use super::glob::matches;
use crate::source::ProjectPath;
use std::path::{Path, PathBuf};

/// One project to look at: its root and what of it was asked for.
#[derive(Debug, Clone)]
pub struct Site {
    /// The folder that `{project-root}` means.
    pub root: PathBuf,
    /// Every file that may be read.
    pub files: Vec<ProjectPath>,
    /// What is known to exist; none where the disk is asked each time.
    pub existing: Option<Known>,
    /// Folders that BMAD is installed in.
    pub roots: Vec<ProjectPath>,
    /// What the person asked about; empty means everything.
    pub only: Vec<ProjectPath>,
    /// The folder around it whose settings count in it too.
    pub around: Option<PathBuf>,
    /// The folder that was given, where the project was found in it.
    pub given: Option<PathBuf>,
    /// Links to what is read under another name, with that name.
    pub links: Vec<(ProjectPath, ProjectPath)>,
    /// Links that lead out of what was walked; nobody looked where.
    pub outward: Vec<ProjectPath>,
    /// Folders that cannot be opened, each with the reason.
    pub closed: Vec<(ProjectPath, String)>,
}

/// What a walk says about which paths exist.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Every file and folder that was found.
    pub listed: Vec<ProjectPath>,
    /// Folders that were not looked into, or that belong to another project: the disk knows what is in them.
    pub beyond: Vec<ProjectPath>,
}

impl Site {
    /// Drops the files that match one of the patterns, as seen from the root, from the folder `here` or from the top of
    /// the disk; they still exist for those that name them. Answers the patterns that matched one.
    pub fn exclude<'p>(&mut self, patterns: &'p [String], here: &Path) -> Vec<&'p String> {
        let mut used: Vec<&String> = Vec::new();
        let root = &self.root;
        let mut keeps = |path: &ProjectPath| {
            let whole = || root.join(path.as_str());
            let fits = |pattern: &&String| match Path::new(pattern).is_absolute() {
                true => matches(pattern, &whole().to_string_lossy()),
                false => {
                    let seen = || below_root(here, &whole()).is_some_and(|path| matches(pattern, path.as_str()));
                    matches(pattern, path.as_str()) || pattern.contains('/') && seen()
                }
            };
            let known = used.len();
            used.extend(patterns.iter().filter(fits));
            known == used.len()
        };
        self.files.retain(&mut keeps);
        self.closed.retain(|(folder, _)| keeps(folder));
        used
    }
}

/// Returns a path as seen from a root; none where it is not below it.
pub(super) fn below_root(root: &Path, path: &Path) -> Option<ProjectPath> {
    let rest = path.strip_prefix(root).ok()?;
    ProjectPath::new(&rest.to_string_lossy())
}
