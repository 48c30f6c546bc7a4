//! The journal of a run in, its lines one by one out: each with what was asked, and whether it still counts.

mod instructions;
mod written;

pub(super) use instructions::{Instructions, Refused};
pub(super) use written::{Fate, FileWritten, Writes, Written, fate, hash};

use crate::cli::launch::Marks;
use crate::host::{JournalError, Line};
use crate::machine::{Effect, Key};
use crate::os::journal::{Kept, Reading, read};
use crate::os::store::RunFolder;
use crate::runner::is_still_true;
use std::borrow::Cow;
use std::collections::HashMap;

/// The lines of a run.
#[derive(Debug)]
pub(super) struct Record {
    lines: Reading<Kept>,
    marks: Marks,
    /// Turns that were begun and have no outcome yet.
    open: HashMap<Key, Begun>,
    turns: u64,
}

/// One line.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its number, from 1.
    pub(super) seq: u64,
    /// Whether it was rolled back.
    pub(super) void: bool,
    /// Whether what it tells was done again later, or left behind.
    pub(super) redone: bool,
    /// Whether it was left behind, and nothing of it is used again.
    pub(super) left: bool,
    /// What it says; a finished turn holds what was asked.
    pub(super) line: Line<'static>,
    /// How the turn began, for a turn.
    pub(super) turn: Option<Begun>,
}

/// How a turn or a command began.
#[derive(Debug, Clone)]
pub(super) struct Begun {
    /// Which turn or command of the run it is, from 1; what was rolled back is not counted.
    pub(super) n: u64,
    /// Who was asked.
    pub(super) driver: String,
    /// What the tree looked like before.
    pub(super) snapshot: Option<String>,
    effect: Effect,
}

impl Record {
    /// Starts to read the journal of a run.
    pub(super) fn of(folder: &RunFolder) -> Result<Self, JournalError> {
        Ok(Self {
            marks: Marks::of(folder)?,
            lines: read(&folder.journal())?,
            open: HashMap::new(),
            turns: 0,
        })
    }

    /// Returns which lines count.
    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    fn entry(&mut self, kept: Kept) -> Entry {
        let Kept { seq, mut line } = kept;
        let void = self.marks.is_void(seq);
        let mut redone = false;
        let mut left = self.marks.is_left_behind(seq);
        let mut turn = None;
        match &mut line {
            Line::Intent {
                key,
                driver,
                effect,
                snapshot,
                ..
            } => {
                self.turns += u64::from(!void);
                let begun = Begun {
                    n: self.turns,
                    driver: driver.clone(),
                    snapshot: snapshot.clone(),
                    effect: effect.clone().into_owned(),
                };
                self.open.insert(key.clone(), begun.clone());
                turn = Some(begun);
            }
            Line::Done { key, effect, .. } => {
                if effect.is_none() {
                    turn = self.open.remove(key);
                    *effect = turn.as_ref().map(|begun| Cow::Owned(begun.effect.clone()));
                }
                // Of what was left behind only that is used which is still true.
                left &= !effect.as_ref().is_some_and(|effect| is_still_true(effect));
                redone = left || self.marks.is_redone(seq, key);
            }
            // Who was called last did it: somebody else may have taken over.
            Line::Called(called) => {
                if let Some(begun) = self.open.get_mut(&called.key) {
                    begun.driver.clone_from(&called.driver);
                }
            }
            Line::Begun(_)
            | Line::Hooked(_)
            | Line::Resumed(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. }
            | Line::Stopped { .. } => {}
        }
        Entry {
            seq,
            void,
            redone,
            left,
            line,
            turn,
        }
    }
}

impl Iterator for Record {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.lines.next()?.map(|kept| self.entry(kept)))
    }
}
