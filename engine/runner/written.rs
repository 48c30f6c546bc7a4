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
    /// The hashes that this process left files with; none where somebody else changed a file before, or may have.
    own: HashMap<String, Option<String>>,
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
        if let (Some(path), Outcome::Written { sha256, before }) = (issued.effect.writes(), outcome) {
            let left = left_with(self.left_with(path), before.as_deref(), sha256).map(str::to_owned);
            self.own.insert(path.to_owned(), left);
        }
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

    /// Returns the hash of a file as the run left it; none where somebody else changed the file between, or may have.
    /// Nothing means that the run did not write it.
    pub(super) fn left_with(&self, path: &str) -> Option<Option<&str>> {
        if let Some(own) = self.own.get(path) {
            return Some(own.as_deref());
        }
        let Some(all) = &self.all else { return Some(None) };
        let of_it = all.iter().filter(|wrote| wrote.effect.writes() == Some(path));
        of_it.fold(None, |known, wrote| {
            Some(left_with(known, wrote.before.as_deref(), &wrote.sha256))
        })
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

/// Returns the hash of a file that was written once more, where it was before what the run had left it with.
fn left_with<'a>(known: Option<Option<&str>>, before: Option<&str>, after: &'a str) -> Option<&'a str> {
    known
        .is_none_or(|known| known.is_some() && known == before)
        .then_some(after)
}
