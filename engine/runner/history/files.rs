//! Files that were written before: those that count, and what else stands in them.

use super::History;
use crate::host::JournalError;
use crate::machine::{Effect, How, Issued, Outcome, Write};
use crate::runner::files::LeftBehind;
use crate::runner::past::{ReadWrites, Wrote};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

impl History {
    /// Reads with this which files were written, where something was left behind.
    pub fn reading(mut self, read: ReadWrites) -> Self {
        self.written.read_by(read);
        self
    }

    /// Returns the files that earlier processes wrote and whose bytes nobody but the run changes, with their hashes.
    pub(in crate::runner) fn written(&self) -> impl Iterator<Item = (&Issued, &str)> {
        self.written.last()
    }

    /// Takes notice of what this process did.
    pub(in crate::runner) fn did(&mut self, issued: &Issued, outcome: &Outcome) {
        self.written.did(issued, outcome);
    }

    /// Says whether a hash is that of a file which the run itself wrote after what was replayed.
    pub(in crate::runner) fn went_on_to(&self, hash: &str) -> bool {
        self.ahead.wrote(hash)
    }

    /// Says whether a hash is that of a file which something wrote that is left behind by now.
    pub(in crate::runner) fn left_as(&self, hash: &str) -> bool {
        self.ahead.left_as(hash).any(|line| !self.may_come_back(line))
    }

    /// Says whether a line is left behind only once something is done in its place.
    fn may_come_back(&self, line: u64) -> bool {
        self.departures.iter().any(|(_, lines)| lines.contains(&line))
    }

    /// Returns what may stand in the place of a section: what was left behind of it, where nothing that counts took its
    /// place.
    pub(in crate::runner) fn left_sections(&mut self, write: &Write) -> Result<LeftBehind, JournalError> {
        let How::Section { name, previous } = &write.how else {
            return Ok(LeftBehind::default());
        };
        let left = self.ahead.left_writes().filter(|(line, _)| !self.may_come_back(*line));
        let left: HashMap<u64, u64> = left.collect();
        if left.is_empty() {
            return Ok(LeftBehind::default());
        }
        let of_it = |wrote: &Wrote| {
            let said = *left.get(&wrote.line)?;
            let (previous, text) = section(&wrote.effect, &write.path, name)?;
            let (line, previous, text) = (wrote.line, previous.clone(), text.to_owned());
            Some(Part {
                line,
                said,
                previous,
                text,
            })
        };
        let parts: Vec<Part> = self.written.all()?.iter().filter_map(of_it).collect();
        let firsts = parts.iter().filter(|part| part.previous == *previous);
        let mut lasts: Vec<&Part> = firsts.map(|first| first.last(&parts)).collect();
        // What was left behind later took the place of what was left behind before.
        lasts.sort_by_key(|part| (Reverse(part.said), part.line));
        let stands = |part: &&Part| !self.written.is_within(&write.path, name, (part.line, &part.text));
        let texts = lasts.into_iter().filter(stands).map(|part| part.text.clone()).collect();
        let hash = self.written.left_with(&write.path).flatten().map(str::to_owned);
        Ok(LeftBehind { texts, hash })
    }

    /// Lists the files that something wrote whole which was not asked for again, or was left behind, and nothing that was
    /// replayed: each with the hashes that the run ever left it with.
    pub(in crate::runner) fn unclaimed(&mut self) -> Result<BTreeMap<String, Vec<String>>, JournalError> {
        let lines: HashSet<u64> = self.ahead.writes().collect();
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        if lines.is_empty() {
            return Ok(files);
        }
        let replayed: HashSet<String> = self.written.paths().cloned().collect();
        let all = self.written.all()?;
        for wrote in all.iter().filter(|wrote| lines.contains(&wrote.line)) {
            if let Effect::Write(write) = &wrote.effect
                && write.how == How::Replace
                && !replayed.contains(&write.path)
            {
                files.entry(write.path.clone()).or_default();
            }
        }
        for wrote in all {
            if let Some(hashes) = wrote.effect.writes().and_then(|path| files.get_mut(path)) {
                hashes.push(wrote.sha256.clone());
            }
        }
        Ok(files)
    }
}

/// A text of a section that was left behind.
struct Part {
    line: u64,
    /// The line that says that it was left behind.
    said: u64,
    /// What it took the place of.
    previous: Option<String>,
    text: String,
}

impl Part {
    /// Returns the part that stands in the place of this one in the end.
    fn last<'a>(&'a self, all: &'a [Self]) -> &'a Self {
        let after = |last: &Self, next: &Self| next.line > last.line && next.previous.as_ref() == Some(&last.text);
        all.iter()
            .fold(self, |last, next| if after(last, next) { next } else { last })
    }
}

/// Returns what a section takes the place of and its text, where an effect writes it.
fn section<'e>(effect: &'e Effect, path: &str, name: &str) -> Option<(&'e Option<String>, &'e str)> {
    let Effect::Write(write) = effect else { return None };
    match &write.how {
        How::Section { name: own, previous } if own == name && write.path == path => Some((previous, &write.text)),
        How::Section { .. } | How::Replace | How::Start => None,
    }
}
