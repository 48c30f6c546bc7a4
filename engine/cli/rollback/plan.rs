//! A run and the line it goes back to in, what has to happen out. Nothing is changed here.

use super::point::{Point, Trace, Turn};
use crate::cli::brief;
use crate::cli::record::{Fate, Written, fate, hash};
use crate::host::{NOBODY, Workspace};
use crate::machine::Key;
use crate::os::snapshot::Undo;
use std::path::Path;

/// What going back takes.
#[derive(Debug)]
pub(super) struct Plan {
    /// The number of the last line that counts.
    pub(super) to: u64,
    /// What comes next, in words.
    pub(super) before: String,
    /// How many lines become void, of how many that count.
    pub(super) void: usize,
    pub(super) lines: usize,
    /// How many turns and answers are asked for again.
    pub(super) turns: usize,
    pub(super) answers: usize,
    pub(super) files: Vec<FileBack>,
    /// What agents did that is not the run's own, each in words, and whether a snapshot was taken before it.
    pub(super) foreign: Vec<(String, bool)>,
    /// What the tree looked like before the first turn that is undone and worked on files by itself.
    pub(super) snapshot: Option<String>,
    /// What differs from it, apart from the run's own files.
    pub(super) differs: Vec<(String, &'static str)>,
    /// What the snapshot does not hold.
    pub(super) too_large: Vec<String>,
}

/// A file that the run wrote after that line.
#[derive(Debug)]
pub(super) struct FileBack {
    pub(super) path: String,
    /// The SHA-256 it had before; none where it was not there.
    pub(super) target: Option<String>,
    pub(super) fall: Fall,
    /// What finds the bytes.
    key: Key,
}

/// What becomes of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fall {
    /// It is put back to these bytes; without bytes it goes.
    Back(Option<Vec<u8>>),
    /// It is what it was already.
    There,
    /// Somebody changed it since: it is left alone.
    Changed,
    /// Somebody removed it since: it is left alone.
    Gone,
    /// What it held before was not kept.
    Lost,
}

impl Plan {
    /// Compares the files of a run with what it wrote.
    pub(super) fn of(trace: &Trace, point: &Point, root: &Path, host: &dyn Workspace) -> Self {
        let after = |seq: &&u64| **seq > point.to;
        let turns: Vec<&Turn> = trace.turns.iter().filter(|turn| turn.seq > point.to).collect();
        Self {
            to: point.to,
            before: point.before.clone(),
            void: trace.lines.iter().filter(after).count(),
            lines: trace.lines.len(),
            turns: turns.iter().filter(|turn| turn.driver.is_some()).count(),
            answers: trace.answers.iter().filter(after).count(),
            files: files(&trace.writes.changes, point.to, root, host),
            foreign: turns.iter().filter_map(|turn| foreign(turn)).collect(),
            snapshot: turns.iter().find_map(|turn| turn.snapshot.clone()),
            differs: Vec::new(),
            too_large: Vec::new(),
        }
    }

    /// Finds the bytes of the files that are put back.
    pub(super) fn find_kept(&mut self, undo: &Undo<'_>) {
        for file in &mut self.files {
            if let (Fall::Back(_), Some(target)) = (&file.fall, &file.target) {
                file.fall = match undo.kept(&file.key, target) {
                    Some(bytes) => Fall::Back(Some(bytes)),
                    None => Fall::Lost,
                };
            }
        }
    }
}

fn files(changes: &[Written], to: u64, root: &Path, host: &dyn Workspace) -> Vec<FileBack> {
    let mut files: Vec<FileBack> = Vec::new();
    for (at, first) in changes.iter().enumerate().filter(|(_, written)| written.seq > to) {
        if files.iter().any(|file| file.path == first.path) {
            continue;
        }
        let same = |written: &&Written| written.path == first.path;
        let earlier = changes[..at].iter().rfind(same);
        // What is kept under a key is what was there the first time.
        let is_second = changes[..at].iter().any(|written| written.key == first.key);
        let target = match earlier {
            Some(earlier) if is_second => Some(earlier.after.clone()),
            Some(_) | None => first.before.clone(),
        };
        let last = changes.iter().rfind(same).unwrap_or(first);
        let fall = match hash(root, &first.path, host) {
            now if now == target => Fall::There,
            None => Fall::Gone,
            Some(_) => match fate(root, &first.path, &last.after, host) {
                Fate::Same => Fall::Back(None),
                Fate::Changed => Fall::Changed,
                Fate::Gone => Fall::Gone,
            },
        };
        files.push(FileBack {
            path: first.path.clone(),
            target,
            fall,
            key: first.key.clone(),
        });
    }
    files
}

/// Says what an agent or a command did that is not the run's own.
fn foreign(turn: &Turn) -> Option<(String, bool)> {
    let mut did = turn.did.clone();
    let worked = turn.driver.as_ref().is_some_and(|driver| driver != NOBODY);
    if turn.snapshot.is_some() && worked {
        did.insert(0, "worked on files by itself".to_owned());
    }
    let Turn { n, step, .. } = turn;
    let who = match &turn.driver {
        Some(driver) => brief::of(*n, driver),
        None => format!("command {n}"),
    };
    let words = || format!("{who} in step {step} {}", did.join(", "));
    (!did.is_empty()).then(|| (words(), turn.snapshot.is_some()))
}
