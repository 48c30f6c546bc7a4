//! Writes in, the files out that hold what the run wrote last and nobody but the run changes.

use super::projection::comment;
use crate::machine::{Effect, Issued, Outcome};
use std::collections::{BTreeMap, HashSet};

/// Files that earlier processes wrote.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// By path: what was written last, with the hash of the whole file afterwards.
    files: BTreeMap<String, (Issued, String)>,
    /// Those that are not looked at: documents whose frontmatter follows the run, and what this process wrote itself.
    others: HashSet<String>,
}

impl Written {
    /// Takes notice of what an earlier process did.
    pub(super) fn replayed(&mut self, issued: &Issued, outcome: &Outcome) {
        match (&issued.effect, outcome) {
            (Effect::Write(write), Outcome::Written { sha256, .. }) => {
                let last = (issued.clone(), sha256.clone());
                self.files.insert(write.path.clone(), last);
            }
            (Effect::Checkpoint(checkpoint), _) => {
                self.others.extend(checkpoint.document.clone());
                let marked = checkpoint.artefacts.iter().filter(|path| comment(path).is_some());
                self.others.extend(marked.cloned());
            }
            (_, _) => {}
        }
    }

    /// Takes notice of what this process did: a file that it wrote holds nothing any more that was left behind.
    pub(super) fn did(&mut self, issued: &Issued, outcome: &Outcome) {
        if let (Effect::Write(write), Outcome::Written { .. }) = (&issued.effect, outcome) {
            self.others.insert(write.path.clone());
        }
    }

    /// Returns what was written last, with the hashes of the files.
    pub(super) fn last(&self) -> impl Iterator<Item = (&Issued, &str)> {
        let alone = self.files.iter().filter(|(path, _)| !self.others.contains(*path));
        alone.map(|(_, (issued, hash))| (issued, hash.as_str()))
    }
}
