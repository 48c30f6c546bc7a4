//! Seals in, whether somebody trusted them out: kept with the runs of a project, outside of its work tree.

use super::private;
use super::store::Store;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

/// What a person trusts in one project.
#[derive(Debug, Clone)]
pub struct Trust {
    path: PathBuf,
}

impl Trust {
    /// Opens what is trusted in the project of a store; nothing is made before there is something to keep.
    pub fn of(store: &Store) -> Self {
        Self { path: store.trusted() }
    }

    /// Returns the seals that are trusted. What cannot be read is not trusted.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn seals(&self) -> HashSet<String> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        let seals = text.lines().filter_map(|line| line.split(' ').next());
        seals.filter(|seal| !seal.is_empty()).map(str::to_owned).collect()
    }

    /// Trusts a seal; the file it is of is noted for people.
    pub fn add(&self, seal: &str, file: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            private::make_folder(folder)?;
        }
        let mut kept = private::options().append(true).create(true).open(&self.path)?;
        let file = file.replace(['\n', '\r'], " ");
        kept.write_all(format!("{seal} {file}\n").as_bytes())?;
        kept.sync_data()
    }

    /// Trusts a seal no longer.
    #[expect(clippy::disallowed_methods, reason = "this is the door to the disk")]
    pub fn remove(&self, seal: &str) -> io::Result<()> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let others = text.lines().filter(|line| line.split(' ').next() != Some(seal));
        let rest: String = others.map(|line| format!("{line}\n")).collect();
        let aside = self.path.with_extension("new");
        let mut kept = private::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&aside)?;
        kept.write_all(rest.as_bytes())?;
        kept.sync_data()?;
        fs::rename(&aside, &self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::Trust;
    use crate::os::store::Store;
    use std::path::Path;

    fn trust(state: &Path, project: &Path) -> Trust {
        Trust::of(&Store::open(state, project).unwrap())
    }

    #[test]
    fn what_is_trusted_in_one_project_is_not_in_another() {
        let (state, one, two) = (
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
        );
        trust(state.path(), one.path()).add("abc", "bmad.toml").unwrap();
        assert!(trust(state.path(), one.path()).seals().contains("abc"));
        assert!(trust(state.path(), two.path()).seals().is_empty());
    }

    #[test]
    fn trust_can_be_taken_back() {
        let (state, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let trust = trust(state.path(), project.path());
        trust.remove("abc").unwrap();
        trust.add("abc", "bmad.toml").unwrap();
        trust.add("def", "a b.md").unwrap();
        trust.remove("abc").unwrap();
        assert_eq!(trust.seals().into_iter().collect::<Vec<_>>(), ["def"]);
    }
}
