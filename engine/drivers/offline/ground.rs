//! The project under an offline agent: paths of a turn to files, never outside the root.

use crate::host::{EntryKind, ReadError, Workspace};
use crate::machine::sha256;
use crate::project::{files, matches};
use crate::source::ProjectPath;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The most paths that a list holds.
const MOST_PATHS: usize = 10_000;
/// The folder that belongs to the method; nothing is written there.
const INSTALLED: &[&str] = &["_bmad", ".bmad", "bmad", ".git"];

/// What a folder holds whose history is kept.
const REPOSITORIES: &[&str] = &[".git", ".hg", ".jj", ".svn"];

/// A project.
pub(super) struct Ground<'w> {
    workspace: &'w dyn Workspace,
    root: &'w Path,
    real: PathBuf,
    is_package: OnceLock<bool>,
}

impl<'w> Ground<'w> {
    pub(super) fn new(workspace: &'w dyn Workspace, root: &'w Path) -> Self {
        let real = workspace
            .resolve(root)
            .map_or_else(|| root.to_path_buf(), |found| found.path);
        Self {
            workspace,
            root,
            real,
            is_package: OnceLock::new(),
        }
    }

    /// Returns the place of a path as a turn writes it, or why it has none.
    pub(super) fn place(&self, text: &str) -> Result<ProjectPath, String> {
        let text = text.trim();
        let inside = Path::new(text)
            .strip_prefix(self.root)
            .or_else(|_| Path::new(text).strip_prefix(&self.real))
            .ok()
            .and_then(Path::to_str)
            .unwrap_or(text);
        let escapes = || format!("`{text}` leads out of the project");
        let path = ProjectPath::new(inside).ok_or_else(escapes)?;
        if self.is_inside(&path) {
            Ok(path)
        } else {
            Err(escapes())
        }
    }

    /// Returns the place of a file that is there.
    pub(super) fn file(&self, text: &str) -> Option<ProjectPath> {
        let path = self.place(text).ok()?;
        let found = self.workspace.resolve(&self.root.join(path.as_str()))?;
        (found.kind == EntryKind::File).then_some(path)
    }

    /// Follows the links of what is there of a path: none of them may lead out.
    fn is_inside(&self, path: &ProjectPath) -> bool {
        let mut there = self.root.join(path.as_str());
        loop {
            match self.workspace.resolve(&there) {
                Some(found) => return found.path.starts_with(&self.real),
                None if there.pop() && there.starts_with(self.root) => {}
                None => return false,
            }
        }
    }

    pub(super) fn read(&self, path: &ProjectPath) -> Result<Vec<u8>, String> {
        let read = self.workspace.read(&self.root.join(path.as_str()));
        read.map_err(|error| match error {
            ReadError::Missing => format!("there is no file `{path}`"),
            ReadError::NotAFile | ReadError::TooLarge { .. } | ReadError::Refused(_) => format!("`{path}`: {error}"),
        })
    }

    /// Writes a file that is not there yet, or that says the same; returns its hash.
    pub(super) fn write(&self, path: &ProjectPath, text: &str) -> Result<String, String> {
        if path.parts().next().is_some_and(|first| INSTALLED.contains(&first)) {
            return Err(format!(
                "`{path}` belongs to the installation; nothing is written there"
            ));
        }
        let place = self.root.join(path.as_str());
        match self.workspace.read(&place) {
            Ok(there) if there == text.as_bytes() => {}
            Ok(_) => return Err(format!("`{path}` is already there and says something else")),
            Err(ReadError::Missing) => self
                .workspace
                .write(&place, text.as_bytes())
                .map_err(|error| format!("`{path}` could not be written: {}", error.to_string().to_lowercase()))?,
            Err(error) => return Err(format!("`{path}`: {error}")),
        }
        Ok(sha256(text.as_bytes()))
    }

    /// Lists what a folder holds, or the files that match a pattern, sorted.
    pub(super) fn list(&self, pattern: &str) -> Result<Vec<String>, String> {
        let is_pattern = pattern.contains(['*', '?']);
        let fixed: Vec<&str> = pattern
            .split('/')
            .take_while(|part| !part.contains(['*', '?']))
            .collect();
        let folder = self.place(&fixed.join("/"))?;
        if !is_pattern {
            return self.folder(&folder);
        }
        let depth = pattern.split('/').filter(|part| !matches!(*part, "" | ".")).count();
        let below = |path: &PathBuf| {
            let path = path.strip_prefix(self.root).ok()?.to_str()?.replace('\\', "/");
            let fits = matches(pattern, &path) && (pattern.contains("**") || path.split('/').count() == depth);
            fits.then_some(path)
        };
        let walked = files(self.workspace, &self.root.join(folder.as_str()));
        Ok(walked.iter().filter_map(below).take(MOST_PATHS).collect())
    }

    fn folder(&self, folder: &ProjectPath) -> Result<Vec<String>, String> {
        let place = self.root.join(folder.as_str());
        match self.workspace.resolve(&place) {
            Some(found) if found.kind == EntryKind::Folder => {}
            Some(_) => return Ok(vec![folder.as_str().to_owned()]),
            None => return Err(format!("there is no folder `{folder}`")),
        }
        let entries = self.workspace.list(&place);
        let paths = entries.iter().filter_map(|entry| folder.join(&entry.name));
        Ok(paths.take(MOST_PATHS).map(|path| path.as_str().to_owned()).collect())
    }

    /// Says whether a link of a document in `folder` leads to something; none where it leaves the project, or where
    /// the project is a published package that may have left it out.
    pub(super) fn leads_somewhere(&self, folder: &ProjectPath, target: &str) -> Option<bool> {
        let path = folder.join(target)?;
        let is_there = self.workspace.exists(&self.root.join(path.as_str()));
        (is_there || !self.may_be_left_out(&path)).then_some(is_there)
    }

    /// Says whether a path that is not there stands at the top of a published package, or in a folder that is not there
    /// either: packages leave out what only their repository needs.
    fn may_be_left_out(&self, path: &ProjectPath) -> bool {
        let mut parts = path.parts();
        let (first, rest) = (parts.next(), parts.next());
        let is_top = rest.is_none() || first.is_some_and(|first| !self.workspace.exists(&self.root.join(first)));
        is_top && *self.is_package.get_or_init(|| self.is_published())
    }

    /// Says whether the project is a copy of a package whose repository is elsewhere.
    fn is_published(&self) -> bool {
        let manifest = self.workspace.read(&self.root.join("package.json")).ok();
        let manifest = manifest.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
        let has_repository = manifest.is_some_and(|manifest| manifest.get("repository").is_some());
        has_repository
            && !REPOSITORIES
                .iter()
                .any(|name| self.workspace.exists(&self.root.join(name)))
    }
}
