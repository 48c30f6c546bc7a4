//! A folder in, a copy of its files elsewhere out; and the same copy again after somebody worked in it.

use super::private;
use super::snapshot::{SnapshotError, files};
use crate::source::MAX_BYTES;
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most that is copied.
const MOST_FILES: usize = 50_000;
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// A copy of a folder. It goes when it is dropped.
#[derive(Debug)]
pub struct FolderCopy {
    from: PathBuf,
    scratch: PathBuf,
    root: PathBuf,
    files: usize,
    left: Vec<String>,
}

/// Why a folder was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyError {
    /// It holds more than is copied.
    TooMuch {
        /// How many files.
        files: usize,
        /// How many bytes.
        bytes: u64,
    },
    /// Its files could not be listed.
    Unlisted(String),
    /// The system refused.
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl fmt::Display for CopyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CopyError::TooMuch { files, bytes } => write!(
                formatter,
                "{files} files with {bytes} bytes are too many to copy, {MOST_FILES} with {MOST_BYTES} are the most; \
                 let git ignore what the workflow does not need"
            ),
            CopyError::Unlisted(why) => write!(formatter, "its files could not be listed: {why}"),
            CopyError::Refused { path, why } => write!(formatter, "`{}`: {why}", path.display()),
        }
    }
}

impl std::error::Error for CopyError {}

impl From<SnapshotError> for CopyError {
    fn from(error: SnapshotError) -> Self {
        CopyError::Unlisted(error.to_string())
    }
}

impl FolderCopy {
    /// Copies the files of `from` to a new folder below `scratch`: in a git work tree what git keeps or would keep.
    /// Files that are too large to be read, and links that lead elsewhere, stay behind.
    pub fn make(from: &Path, scratch: &Path) -> Result<Self, CopyError> {
        let paths = files(from)?;
        let scratch = new_folder(scratch)?;
        // The name of a project may be part of what a workflow writes.
        let name = from.file_name().unwrap_or("project".as_ref());
        let mut copy = Self {
            from: from.to_path_buf(),
            root: scratch.join(name),
            scratch,
            files: 0,
            left: Vec::new(),
        };
        private::make_new_folder(&copy.root).map_err(|error| refused(&copy.root, &error))?;
        copy.fill(&paths)?;
        Ok(copy)
    }

    /// Returns where the copy is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns how many files were copied.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Returns what stayed behind.
    pub fn left(&self) -> &[String] {
        &self.left
    }

    /// Makes files of the copy what they were; those that were not copied go.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn renew(&self, touched: &BTreeSet<PathBuf>) -> Result<(), CopyError> {
        for path in touched {
            let Ok(below) = path.strip_prefix(&self.root) else {
                continue;
            };
            let origin = self.from.join(below);
            if fs::metadata(&origin).is_ok_and(|it| it.is_file()) {
                copy_file(&origin, path)?;
            } else if let Err(error) = fs::remove_file(path)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(refused(path, &error));
            }
        }
        Ok(())
    }

    fn fill(&mut self, paths: &[String]) -> Result<(), CopyError> {
        let mut bytes = 0;
        for path in paths {
            let (origin, target) = (self.from.join(path), self.root.join(path));
            // Gone since it was listed, or kept by git only.
            let Ok(metadata) = fs::symlink_metadata(&origin) else {
                continue;
            };
            if metadata.is_dir() {
                continue;
            }
            bytes += metadata.len();
            if self.files >= MOST_FILES || bytes > MOST_BYTES {
                let files = paths.len();
                return Err(CopyError::TooMuch { files, bytes });
            }
            let taken = if metadata.is_symlink() {
                self.link(&origin, &target)?
            } else if metadata.is_file() && metadata.len() <= MAX_BYTES as u64 {
                copy_file(&origin, &target)?;
                true
            } else {
                false
            };
            match taken {
                true => self.files += 1,
                false => self.left.push(path.clone()),
            }
        }
        Ok(())
    }

    /// Copies a link that leads to something in the folder, and says whether it did.
    #[cfg(unix)]
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    fn link(&self, origin: &Path, target: &Path) -> Result<bool, CopyError> {
        let leads = fs::read_link(origin).map_err(|error| refused(origin, &error))?;
        let inside = match (fs::canonicalize(origin), fs::canonicalize(&self.from)) {
            (Ok(real), Ok(root)) => real.starts_with(root),
            (Err(_), _) | (_, Err(_)) => false,
        };
        if leads.is_absolute() || !inside {
            return Ok(false);
        }
        make_folder_of(target)?;
        std::os::unix::fs::symlink(leads, target).map_err(|error| refused(target, &error))?;
        Ok(true)
    }

    #[cfg(not(unix))]
    fn link(&self, _: &Path, _: &Path) -> Result<bool, CopyError> {
        Ok(false)
    }
}

impl Drop for FolderCopy {
    fn drop(&mut self) {
        // What cannot be removed lies in a folder for what may be removed.
        if fs::remove_dir_all(&self.scratch).is_err() {}
    }
}

fn new_folder(scratch: &Path) -> Result<PathBuf, CopyError> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = scratch.join(format!("bmad-rehearsal-{}-{number}", std::process::id()));
        match private::make_new_folder(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(refused(&path, &error)),
        }
    }
}

fn copy_file(origin: &Path, target: &Path) -> Result<(), CopyError> {
    make_folder_of(target)?;
    fs::copy(origin, target).map_err(|error| refused(origin, &error))?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
fn make_folder_of(path: &Path) -> Result<(), CopyError> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| refused(folder, &error))
}

fn refused(path: &Path, error: &io::Error) -> CopyError {
    CopyError::Refused {
        path: path.to_path_buf(),
        why: error.to_string().to_lowercase(),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests set up real files")]
mod tests {
    use super::FolderCopy;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join("project").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir_all(folder.path().join("scratch")).unwrap();
        folder
    }

    fn copy(folder: &tempfile::TempDir) -> FolderCopy {
        FolderCopy::make(&folder.path().join("project"), &folder.path().join("scratch")).unwrap()
    }

    fn names(root: &Path) -> Vec<String> {
        let found = crate::os::snapshot::files(root).unwrap();
        found.into_iter().filter(|path| !path.starts_with(".git/")).collect()
    }

    #[test]
    fn everything_is_copied_but_what_a_command_makes_again() {
        let folder = project(&[
            ("a.md", "a"),
            ("deep/b.md", "b"),
            ("node_modules/c.js", "c"),
            ("target/d", "d"),
        ]);
        let copy = copy(&folder);
        assert_eq!(names(copy.root()), ["a.md", "deep/b.md"]);
        assert_eq!(
            (copy.files(), copy.root().file_name().unwrap()),
            (2, "project".as_ref())
        );
    }

    #[test]
    fn in_a_work_tree_what_git_ignores_stays_behind() {
        let folder = project(&[
            (".gitignore", "secret\n"),
            ("secret", "s"),
            ("kept.md", "k"),
            ("new.md", "n"),
        ]);
        let root = folder.path().join("project");
        for words in [&["init", "-q"][..], &["add", "kept.md"]] {
            assert!(
                Command::new("git")
                    .arg("-C")
                    .arg(&root)
                    .args(words)
                    .status()
                    .unwrap()
                    .success()
            );
        }
        let copy = copy(&folder);
        assert_eq!(names(copy.root()), [".gitignore", "kept.md", "new.md"]);
    }

    #[test]
    fn a_copy_is_what_it_was_again_and_goes_in_the_end() {
        let folder = project(&[("a.md", "a")]);
        let copy = copy(&folder);
        let (old, new) = (copy.root().join("a.md"), copy.root().join("b.md"));
        fs::write(&old, "changed").unwrap();
        fs::write(&new, "new").unwrap();
        let outside = folder.path().join("project/a.md");
        copy.renew(&BTreeSet::from([old.clone(), new, outside])).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "a");
        assert_eq!(names(copy.root()), ["a.md"]);
        assert_eq!(names(&folder.path().join("project")), ["a.md"]);
        drop(copy);
        assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_elsewhere_stays_behind() {
        let folder = project(&[("a.md", "a")]);
        let root = folder.path().join("project");
        std::os::unix::fs::symlink("a.md", root.join("near")).unwrap();
        std::os::unix::fs::symlink("../scratch", root.join("out")).unwrap();
        std::os::unix::fs::symlink(root.join("a.md"), root.join("whole")).unwrap();
        let copy = copy(&folder);
        assert_eq!(copy.left(), ["out", "whole"]);
        assert_eq!(fs::read_link(copy.root().join("near")).unwrap(), PathBuf::from("a.md"));
    }
}
