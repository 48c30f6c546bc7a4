//! A run and the line it goes back to in, what has to happen out. Nothing is changed here.

use super::point::{Point, Trace, Turn};
use crate::cli::brief;
use crate::cli::record::{Fate, Written, fate, hash};
use crate::host::{NOBODY, Workspace};
use crate::machine::{Key, sha256};
use crate::os::snapshot::Undo;
use crate::runner::unmarked;
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
    /// What somebody changed in it between two writes of the run; it goes with what the run wrote.
    pub(super) edits: Vec<Edit>,
    /// What finds the bytes.
    key: Key,
}

/// A change that somebody made between two writes of the run, so that the second one kept it.
#[derive(Debug)]
pub(super) struct Edit {
    /// The lines of the writes.
    pub(super) between: (u64, u64),
    /// The SHA-256 with the change.
    pub(super) sha256: String,
    /// The SHA-256 without it.
    was: String,
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
    /// Somebody changed it between two writes: it is left alone.
    Edited,
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
            files: files(trace, point.to, root, host),
            foreign: turns.iter().filter_map(|turn| foreign(turn)).collect(),
            snapshot: turns.iter().find_map(|turn| turn.snapshot.clone()),
            differs: Vec::new(),
            too_large: Vec::new(),
        }
    }

    /// Leaves files alone that somebody changed between two writes of the run.
    pub(super) fn spare_edited(&mut self) {
        let is_edited = |file: &&mut FileBack| matches!(file.fall, Fall::Back(_)) && !file.edits.is_empty();
        for file in self.files.iter_mut().filter(is_edited) {
            file.fall = Fall::Edited;
        }
    }

    /// Finds the bytes of the files that are put back.
    pub(super) fn find_kept(&mut self, undo: &Undo<'_>) {
        for file in &mut self.files {
            let FileBack { path, edits, .. } = file;
            edits.retain(|edit| !is_mark(path, edit, undo));
            if let (Fall::Back(_), Some(target)) = (&file.fall, &file.target) {
                file.fall = match undo.kept(&file.key, target) {
                    Some(bytes) => Fall::Back(Some(bytes)),
                    None => Fall::Lost,
                };
            }
        }
    }
}

fn files(trace: &Trace, to: u64, root: &Path, host: &dyn Workspace) -> Vec<FileBack> {
    let changes = &*trace.writes.changes;
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
            edits: edits(&changes[at..], &trace.turns),
            key: first.key.clone(),
        });
    }
    files
}

/// Finds what somebody changed between the writes of the file that the first of them is about. What an agent says it
/// wrote in a turn in between is undone with its turn.
fn edits(changes: &[Written], turns: &[Turn]) -> Vec<Edit> {
    let Some(first) = changes.first() else {
        return Vec::new();
    };
    let of_it: Vec<&Written> = changes.iter().filter(|written| written.path == first.path).collect();
    let is_told = |between: (u64, u64)| {
        let mut meanwhile = turns.iter().filter(|turn| between.0 < turn.seq && turn.seq < between.1);
        meanwhile.any(|turn| turn.wrote.contains(&first.path))
    };
    let pairs = of_it.windows(2).filter_map(|pair| {
        let [one, two] = pair else { return None };
        let between = (one.seq, two.seq);
        let sha256 = two.before.clone().filter(|before| *before != one.after)?;
        (!is_told(between)).then(|| Edit {
            between,
            sha256,
            was: one.after.clone(),
            key: two.key.clone(),
        })
    });
    pairs.collect()
}

/// Says whether all that changed is a mark of the run's own that a check was skipped.
fn is_mark(path: &str, edit: &Edit, undo: &Undo<'_>) -> bool {
    let bytes = undo.kept(&edit.key, &edit.sha256);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let unmarked = text.and_then(|text| unmarked(path, &text));
    unmarked.is_some_and(|text| sha256(text.as_bytes()) == edit.was)
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
