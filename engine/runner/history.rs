//! What was done before: outcomes by key, fed to a fresh machine in the order they were recorded.

mod cut;
mod files;

use super::ahead::{Ahead, Was, is_of_files};
use super::begun::Unfinished;
use super::commands::is_unrun;
use super::filled::Filled;
use super::past::{Halt, Past};
use super::reuse::{Missed, Reuse};
use super::written::Written;
use crate::host::{Called, Hooked, JournalError};
use crate::machine::{Effect, Issued, Key, Outcome, Question, Returned, Status};
use crate::source::QuickMap;
use std::collections::HashSet;

/// What was done before, and what of it is used.
pub struct History {
    lines: Box<dyn Iterator<Item = Result<Past, JournalError>> + Send>,
    /// Outcomes that were recorded and not asked for yet.
    ahead: Ahead,
    /// The last outcome of the run itself where it is a failure: it counts only if something came after it, be it a
    /// question that nobody has answered yet. What fails in a lane that parted from it is a result in any case.
    held: Option<(Key, Was)>,
    /// How the run stopped after the failure that is held.
    stopped: Option<Halt>,
    /// Whether nothing is to be tried again.
    audited: bool,
    /// An outcome that waits until a failure before it was handed over.
    next: Option<(Key, Was)>,
    /// Turns that were begun and not finished.
    begun: QuickMap<Key, Unfinished>,
    /// Calls that were not handed over yet.
    called: Vec<(Box<Called>, bool)>,
    /// What was asked for and never done, each with the lines that are left behind once it is done in their place.
    departures: Vec<(Key, Vec<u64>)>,
    drained: bool,
    told: bool,
    /// Files that were written.
    written: Written,
    /// Questions whose answers were replayed.
    asked: Vec<Question>,
    /// Hooks that ran.
    hooked: Vec<Hooked>,
    /// Whether turns that left a gap are taken again.
    fill: bool,
    /// What is asked for anew, whatever came of it before.
    anew: HashSet<Key>,
    /// What is done again to fill a gap: nothing is left behind for it.
    filled: Filled,
    reuse: Reuse,
}

impl std::fmt::Debug for History {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("History")
            .field("reuse", &self.reuse)
            .finish_non_exhaustive()
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new(Box::new(std::iter::empty()))
    }
}

impl History {
    /// Makes a history of finished effects, in the order they were recorded.
    pub fn new(lines: Box<dyn Iterator<Item = Result<Past, JournalError>> + Send>) -> Self {
        Self {
            lines,
            ahead: Ahead::default(),
            held: None,
            stopped: None,
            audited: false,
            next: None,
            begun: QuickMap::default(),
            called: Vec::new(),
            departures: Vec::new(),
            drained: false,
            told: false,
            written: Written::default(),
            asked: Vec::new(),
            hooked: Vec::new(),
            fill: false,
            anew: HashSet::new(),
            filled: Filled::default(),
            reuse: Reuse::default(),
        }
    }

    /// Takes what was done in whatever order it is asked for: an earlier version told nothing of what it left behind.
    pub fn loosely(mut self) -> Self {
        self.ahead.loosen();
        self
    }

    /// Takes turns that left a gap again.
    pub fn filling(mut self) -> Self {
        self.fill = true;
        self
    }

    /// Takes everything as it was: what only waits for the disk is not tried again either.
    pub fn as_it_was(mut self) -> Self {
        self.audited = true;
        self
    }

    /// Asks for these effects anew, whatever came of them before.
    pub fn asking_anew(mut self, keys: &[Key]) -> Self {
        self.anew.extend(keys.iter().cloned());
        self
    }

    /// Returns what was used again.
    pub fn reuse(&self) -> &Reuse {
        &self.reuse
    }

    /// Reads what is left, and returns what was recorded and nobody asked for, sorted.
    pub fn unused(&mut self) -> Result<Vec<Key>, JournalError> {
        while let Some((key, was)) = self.read()? {
            self.ahead.insert(key, was);
        }
        let mut unused: Vec<Key> = self.ahead.keys().cloned().collect();
        unused.sort();
        Ok(unused)
    }

    /// Answers, once, how many effects were replayed, when there is nothing left to replay.
    pub(super) fn ended(&mut self) -> Option<u64> {
        let first = self.drained && !self.told;
        self.told |= first;
        first.then_some(self.reuse.reused).filter(|count| *count > 0)
    }

    /// Takes out of `issued` what was done before and answers its outcomes; nothing means that the rest is new.
    pub(super) fn replay(&mut self, issued: &mut Vec<Issued>) -> Result<Vec<Returned>, JournalError> {
        if issued.is_empty() {
            return Ok(Vec::new());
        }
        if let Some((at, was)) = self.remembered(issued) {
            let it = issued.remove(at);
            return Ok(vec![self.returned(it, was)]);
        }
        while let Some((key, was)) = self.read()? {
            match issued.iter().position(|it| it.key == key) {
                Some(at) if self.is_left_open(&issued[at].effect, &was.outcome) => {
                    self.filled.note(key, was.place.line);
                }
                Some(at) if self.ahead.is_next(&issued[at], &was) => {
                    self.ahead.use_up(&issued[at], was.place);
                    let it = issued.remove(at);
                    return Ok(vec![self.returned(it, was)]);
                }
                Some(_) | None => {
                    self.ahead.insert(key, was);
                }
            }
        }
        let mut outcomes = Vec::new();
        let mut at = 0;
        while at < issued.len() {
            if let Some(was) = self.take(&issued[at]) {
                let it = issued.remove(at);
                outcomes.push(self.returned(it, was));
            } else {
                at += 1;
            }
        }
        Ok(outcomes)
    }

    /// Finds what was left behind and is still true.
    fn remembered(&mut self, issued: &[Issued]) -> Option<(usize, Was)> {
        let mut all = issued.iter().enumerate();
        let (at, was) = all.find_map(|(at, it)| Some((at, self.ahead.remembered(it)?)))?;
        (!self.is_left_open(&issued[at].effect, &was.outcome)).then_some((at, was))
    }

    fn returned(&mut self, issued: Issued, was: Was) -> Returned {
        self.count(&issued, &was);
        Returned {
            issued,
            took: was.took,
            outcome: was.outcome,
        }
    }

    /// Says whether the failure that is held is a result: the run waited for a person after it. At the end of a run it is
    /// what was, and whoever goes on tries it again.
    fn held_counts(&self) -> bool {
        match self.stopped {
            Some(Halt::Waiting) => true,
            Some(Halt::Completed) => self.audited,
            Some(Halt::Parked | Halt::Otherwise) | None => false,
        }
    }

    /// Ends the reading with the failure that is held, where it is a result.
    fn drain(&mut self) -> Option<(Key, Was)> {
        self.drained = true;
        let (counts, audited) = (self.held_counts(), self.audited);
        let is_result = |was: &Was| counts && (audited || !is_of_files(&was.outcome));
        self.held.take_if(|(_, was)| is_result(was))
    }

    /// Reads on to the next outcome that counts.
    fn read(&mut self) -> Result<Option<(Key, Was)>, JournalError> {
        while !self.drained {
            let (key, was) = match self.next.take() {
                Some(next) => next,
                None => match self.lines.next().transpose()? {
                    None => return Ok(self.drain()),
                    Some(Past::Begun { at, key, before, place }) => {
                        self.begin(at, key, before, place);
                        continue;
                    }
                    Some(Past::Called { called, void }) => {
                        if let Some(known) = self.begun.get_mut(&called.key).filter(|_| !void) {
                            known.call(&called);
                        }
                        self.called.push((called, void));
                        continue;
                    }
                    Some(Past::Stopped { at, how }) => {
                        self.begun.values_mut().for_each(|known| known.stop(at, how));
                        self.stopped = Some(how);
                        continue;
                    }
                    Some(Past::Resumed) => {
                        self.begun.values_mut().for_each(Unfinished::leave);
                        continue;
                    }
                    Some(Past::Hooked(hooked)) => {
                        self.hooked.push(*hooked);
                        continue;
                    }
                    Some(Past::Done {
                        at,
                        key,
                        outcome,
                        place,
                    }) => {
                        let was = self.ended_with(at, &key, outcome, place);
                        (key, was)
                    }
                },
            };
            if self.drops(&key, &was) {
                continue;
            }
            if let Some(held) = self.held.take().filter(|(before, _)| *before != key) {
                self.next = Some((key, was));
                return Ok(Some(held));
            }
            if matches!(was.outcome, Outcome::Failed(_)) && !key.lane.as_str().contains('.') {
                self.held = Some((key, was));
                self.stopped = None;
                continue;
            }
            return Ok(Some((key, was)));
        }
        Ok(None)
    }

    /// Takes the calls that were read since the last time, each with whether it was rolled back.
    pub(super) fn take_called(&mut self) -> Vec<(Box<Called>, bool)> {
        std::mem::take(&mut self.called)
    }

    /// Takes the questions whose answers were replayed since the last time.
    pub(super) fn take_asked(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.asked)
    }

    /// Takes the hooks that ran before; asked for when there is nothing left to replay.
    pub(super) fn take_hooked(&mut self) -> Result<Vec<Hooked>, JournalError> {
        self.unused()?;
        Ok(std::mem::take(&mut self.hooked))
    }

    /// Takes the lines that are left behind once an effect is done in their place.
    pub(super) fn take_departure(&mut self, key: &Key) -> Option<Vec<u64>> {
        let at = self.departures.iter().position(|(of, _)| of == key)?;
        Some(self.departures.swap_remove(at).1)
    }

    /// Leaves all behind that nobody asked for, and returns the lines of that.
    pub(super) fn leave_rest(&mut self) -> Result<Vec<u64>, JournalError> {
        self.unused()?;
        Ok(self.ahead.leave_all())
    }

    fn count(&mut self, issued: &Issued, was: &Was) {
        self.reuse.reused += 1;
        self.reuse.turns += u64::from(issued.effect.is_turn());
        self.written.replayed(issued, &was.outcome, was.place.line);
        if let Effect::Ask(question) = &issued.effect {
            self.asked.push((**question).clone());
        }
    }

    /// Finds the outcome of an effect among what was recorded. What was never done is done in the place of what comes
    /// after it.
    fn take(&mut self, issued: &Issued) -> Option<Was> {
        if let Some(was) = self.ahead.take(issued) {
            return (!self.is_left_open(&issued.effect, &was.outcome)).then_some(was);
        }
        if self.filled.take(issued) {
            return None;
        }
        let lane = &issued.key.lane;
        // Whoever judges changes nothing: what follows is found by its own content, or is missed itself.
        let is_missed = match &issued.effect {
            Effect::Judge(_) => self.ahead.is_told_of(lane),
            _ => {
                let mut lines = self.ahead.leave(lane);
                let is_missed = !lines.is_empty();
                lines.extend(self.filled.leave(lane));
                if !lines.is_empty() {
                    self.departures.push((issued.key.clone(), lines));
                }
                is_missed
            }
        };
        if is_missed {
            let what = format!("{} in step {}", issued.effect.name(), issued.step);
            let key = issued.key.clone();
            self.reuse.changed.push(Missed { key, what });
        }
        None
    }

    /// A turn that failed left a gap, too, and so did a command that did not run.
    fn is_left_open(&self, effect: &Effect, outcome: &Outcome) -> bool {
        let failed = matches!(outcome, Outcome::Failed(_)) && matches!(effect, Effect::Dispatch(_) | Effect::Judge(_));
        let left = failed || is_unrun(outcome);
        self.fill && left
    }

    /// Says whether an outcome is not used; where gaps are filled nothing is left behind for that.
    fn drops(&mut self, key: &Key, was: &Was) -> bool {
        let drops = self.refuses(&was.outcome) || self.anew.contains(key);
        if drops && self.fill {
            self.filled.note(key.clone(), was.place.line);
        }
        drops
    }

    /// A turn that left a gap is no result where gaps are to be filled.
    fn refuses(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Replied(envelope) if self.fill => envelope.instructions.iter().any(|it| it.status == Status::Gap),
            _ => false,
        }
    }
}
