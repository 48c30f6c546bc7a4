//! The journal of a run in, what was done before and still counts out.

use crate::host::{JournalError, Line};
use crate::machine::{Key, Outcome};
use crate::os::journal::{Kept, ReplayKind, read, replay, resumes};
use crate::os::snapshot::went_back;
use crate::os::store::RunFolder;
use crate::runner::{Halt, History, Past, Place, ReadWrites, Wrote};
use std::collections::HashMap;

/// What was done before, in the order it was recorded.
type Pasts = Box<dyn Iterator<Item = Result<Past, JournalError>> + Send>;

/// Which lines of a journal count.
#[derive(Debug, Default)]
pub(in crate::cli) struct Marks {
    /// Lines that were rolled back: those between two others.
    void: Vec<(u64, u64)>,
    /// Where effects were done for the last time.
    last: HashMap<Key, u64>,
    /// Where an effect was done, and where it was done again.
    redone: Vec<(u64, u64)>,
    /// What was asked for anew, and where that is said.
    anew: HashMap<Key, u64>,
    /// Lines that were left behind, and where that is said.
    left: HashMap<u64, u64>,
    /// Where effects come in the order that were done again in the place of what was done before.
    order: HashMap<u64, u64>,
}

impl Marks {
    /// Reads through a journal.
    pub(in crate::cli) fn of(folder: &RunFolder) -> Result<Self, JournalError> {
        let mut marks = Marks::default();
        // What each line put in the place of what, so that a rollback can take it out again.
        let mut order: Vec<(u64, Key, Option<u64>)> = Vec::new();
        for line in replay(&folder.journal())? {
            let line = line?;
            match line.kind {
                ReplayKind::Done { key, .. } => {
                    let before = marks.last.insert(key.clone(), line.seq);
                    marks.keep_order(line.seq, before);
                    order.push((line.seq, key, before));
                }
                ReplayKind::RolledBack { to } => {
                    marks.void.push((to, line.seq));
                    marks.left.retain(|_, said| *said <= to);
                    while let Some((_, key, before)) = order.pop_if(|(seq, ..)| *seq > to) {
                        match before {
                            Some(before) => marks.last.insert(key, before),
                            None => marks.last.remove(&key),
                        };
                    }
                }
                ReplayKind::Resumed(resumed) => {
                    let anew = resumed.again.into_iter().map(|key| (key, line.seq));
                    marks.anew.extend(anew);
                    let left = resumed.left.into_iter().map(|left| (left, line.seq));
                    marks.left.extend(left);
                }
                ReplayKind::Begun(_)
                | ReplayKind::Intent { .. }
                | ReplayKind::Hooked(_)
                | ReplayKind::Called(_)
                | ReplayKind::Settled { .. }
                | ReplayKind::Stopped { .. } => {}
            }
        }
        let again = |(seq, _, before): (u64, Key, Option<u64>)| Some((before?, seq));
        marks.redone = order.into_iter().filter_map(again).collect();
        Ok(marks)
    }

    /// What is done again takes the place of what was done before, unless that was left behind.
    fn keep_order(&mut self, seq: u64, before: Option<u64>) {
        if let Some(before) = before.filter(|before| !self.is_left_behind(*before)) {
            self.order.insert(seq, self.place(before).order);
        }
    }

    /// Returns where a line stands.
    fn place(&self, seq: u64) -> Place {
        Place {
            line: seq,
            order: self.order.get(&seq).copied().unwrap_or(seq),
            left: self.left.get(&seq).copied(),
        }
    }

    /// Says whether a line was left behind: something else was done in its place.
    pub(in crate::cli) fn is_left_behind(&self, seq: u64) -> bool {
        self.left.contains_key(&seq)
    }

    /// Says whether a line was rolled back.
    pub(in crate::cli) fn is_void(&self, seq: u64) -> bool {
        self.void.iter().any(|(from, to)| *from < seq && seq < *to)
    }

    /// Says whether an effect was done again after a line, or asked for anew.
    pub(in crate::cli) fn is_redone(&self, seq: u64, key: &Key) -> bool {
        self.last.get(key).is_some_and(|last| *last > seq) || self.is_asked_anew(seq, key)
    }

    /// Says whether an effect was asked for anew after a line: what came of it there counts no longer.
    fn is_asked_anew(&self, seq: u64, key: &Key) -> bool {
        self.anew.get(key).is_some_and(|anew| *anew > seq)
    }

    /// Says whether an effect is of a way that the run no longer goes: something before it was done again after it.
    pub(in crate::cli) fn is_left(&self, key: &Key) -> bool {
        let between = |at: u64| self.redone.iter().any(|(from, to)| *from < at && at < *to);
        self.last.get(key).is_some_and(|at| between(*at))
    }
}

/// Returns what a run did before. Where an earlier version went on with it, what it left behind then is not told.
pub(in crate::cli) fn history(folder: &RunFolder) -> Result<History, JournalError> {
    let history = History::new(past(folder)?);
    Ok(match is_told(folder)? {
        true => history,
        false => history.loosely(),
    })
}

/// Returns who reads what a run wrote, once somebody wants to know.
pub(super) fn writes(folder: &RunFolder) -> ReadWrites {
    let folder = folder.clone();
    Box::new(move || wrote(&folder))
}

/// Reads every line of a run that tells of a file which was written.
fn wrote(folder: &RunFolder) -> Result<Vec<Wrote>, JournalError> {
    let mut all = Vec::new();
    for kept in read(&folder.journal())? {
        let Kept { seq, line } = kept?;
        if let Line::Done {
            effect: Some(effect),
            outcome,
            ..
        } = line
            && let Outcome::Written { sha256, before } = outcome.into_owned()
        {
            all.push(Wrote {
                line: seq,
                effect: effect.into_owned(),
                sha256,
                before,
            });
        }
    }
    Ok(all)
}

/// Says whether every process that went on with a run told what it left behind.
fn is_told(folder: &RunFolder) -> Result<bool, JournalError> {
    let resumes = resumes(&folder.journal())?;
    Ok(resumes.iter().all(|resumed| resumed.tells || !resumed.left.is_empty()))
}

/// Reads what a run did before; what was rolled back or done again is void.
fn past(folder: &RunFolder) -> Result<Pasts, JournalError> {
    // Only the journal of a run that went back is read twice.
    let marks = match went_back(folder) {
        true => Marks::of(folder)?,
        false => Marks::default(),
    };
    let lines = replay(&folder.journal())?.filter_map(move |line| match line {
        Err(error) => Some(Err(error)),
        // What was paid for was paid for, whatever became of it.
        Ok(line) if marks.is_void(line.seq) && !matches!(line.kind, ReplayKind::Called(_)) => None,
        Ok(line) => match line.kind {
            ReplayKind::Called(called) => {
                let void = marks.is_void(line.seq);
                Some(Ok(Past::Called { called, void }))
            }
            ReplayKind::Stopped { how, .. } => {
                let how = match how.as_str() {
                    "parked" => Halt::Parked,
                    "waiting" => Halt::Waiting,
                    "completed" => Halt::Completed,
                    _ => Halt::Otherwise,
                };
                Some(Ok(Past::Stopped { at: line.at, how }))
            }
            // It was not cut off: it ended, and counts no longer.
            ReplayKind::Intent { key, .. } if marks.is_asked_anew(line.seq, &key) => None,
            ReplayKind::Intent { key, snapshot, .. } => {
                let (at, before, place) = (line.at, snapshot, marks.place(line.seq));
                Some(Ok(Past::Begun { at, key, before, place }))
            }
            ReplayKind::Done { key, .. } if marks.is_redone(line.seq, &key) => None,
            ReplayKind::Done { key, outcome, .. } => {
                let (at, place) = (line.at, marks.place(line.seq));
                Some(Ok(Past::Done {
                    at,
                    key,
                    outcome,
                    place,
                }))
            }
            ReplayKind::Hooked(hooked) => Some(Ok(Past::Hooked(hooked))),
            // It is the process of before that says what it leaves behind.
            ReplayKind::Resumed(resumed) if !resumed.left.is_empty() => None,
            ReplayKind::Resumed(_) => Some(Ok(Past::Resumed)),
            ReplayKind::Begun(_) | ReplayKind::Settled { .. } | ReplayKind::RolledBack { .. } => None,
        },
    });
    Ok(Box::new(lines))
}
