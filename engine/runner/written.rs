//! Writes in, the files out that hold what the run wrote last and nobody but the run changes.

use super::past::{ReadWrites, Wrote};
use super::projection::comment;
use crate::host::JournalError;
use crate::machine::{Effect, How, Issued, Outcome, Write};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Files that earlier processes wrote.
#[derive(Default)]
pub(super) struct Written {
    /// By path: what was written last, with the hash of the whole file afterwards.
    files: BTreeMap<String, (Issued, String)>,
    /// Those that are not looked at: documents whose frontmatter follows the run, and what this process wrote itself.
    others: HashSet<String>,
    /// The texts of sections that count, by path and name, each with its line; the last there can be where this process
    /// wrote it.
    sections: HashMap<(String, String), Vec<(u64, String)>>,
    /// Reads what every line of the journal wrote, once.
    read: Option<ReadWrites>,
    all: Option<Vec<Wrote>>,
}

impl Written {
    /// Takes notice of what an earlier process did.
    pub(super) fn replayed(&mut self, issued: &Issued, outcome: &Outcome, line: u64) {
        match (&issued.effect, outcome) {
            (Effect::Write(write), Outcome::Written { sha256, .. }) => {
                self.note_section(write, line);
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
            self.note_section(write, u64::MAX);
        }
    }

    fn note_section(&mut self, write: &Write, line: u64) {
        if let How::Section { name, .. } = &write.how {
            let key = (write.path.clone(), name.clone());
            self.sections.entry(key).or_default().push((line, write.text.clone()));
        }
    }

    /// Says whether a text of a section is part of one that counts and came after its line.
    pub(super) fn is_within(&self, path: &str, name: &str, (line, text): (u64, &str)) -> bool {
        let key = (path.to_owned(), name.to_owned());
        let mut later = self.sections.get(&key).into_iter().flatten();
        later.any(|(later, whole)| *later > line && whole.contains(text.trim()))
    }

    /// Returns the paths of what earlier processes wrote.
    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.files.keys()
    }

    /// Reads with this what every line of the journal wrote.
    pub(super) fn read_by(&mut self, read: ReadWrites) {
        self.read = Some(read);
    }

    /// Returns what every line of the journal wrote when it was first asked for.
    pub(super) fn all(&mut self) -> Result<&[Wrote], JournalError> {
        if self.all.is_none() {
            let all = self.read.as_ref().map(|read| read()).transpose()?;
            self.all = Some(all.unwrap_or_default());
        }
        Ok(self.all.as_deref().unwrap_or_default())
    }

    /// Returns what was written last, with the hashes of the files.
    pub(super) fn last(&self) -> impl Iterator<Item = (&Issued, &str)> {
        let alone = self.files.iter().filter(|(path, _)| !self.others.contains(*path));
        alone.map(|(_, (issued, hash))| (issued, hash.as_str()))
    }
}
