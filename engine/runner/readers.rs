//! Turns that may only read in, those that wrote nonetheless out: their files are named and put back.
//!
//! The tree is noted once for all who read at the same time, and compared when one of them ends.

use super::back::{listed, moved, put_back};
use super::crew::{Crew, Event, Left, RunError};
use super::own::OwnWrites;
use super::run::Running;
use crate::machine::{Effect, Failure, FailureKind, Issued, Key, Outcome, sha256};
use std::collections::{HashMap, HashSet};

/// Files that are not what they were, with the hash of what they hold.
pub(super) type Differing = HashMap<String, Option<String>>;

/// The turns that read now.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// What the tree looked like before the first of them.
    before: Option<String>,
    /// When the first of them began.
    since: i64,
    /// Files that may be the work of another run, and were told.
    left: HashSet<String>,
    /// Who they are, in words.
    reading: HashMap<Key, String>,
    /// Turns that read while somebody wrote, and what they are told.
    caught: HashMap<Key, String>,
}

/// Who may have changed files while turns read, and what is told of it.
enum Found {
    /// Those who read.
    Readers(String),
    /// Another run.
    Others(String),
}

impl Readers {
    /// Notes that a turn begins, and what the tree looks like where it is the first.
    pub(super) fn begin(&mut self, issued: &Issued, crew: &Crew, own: &OwnWrites) -> Result<(), String> {
        if self.reading.is_empty() {
            // A tree that is still the same needs no second note; between turns a person may work on it.
            let same = match &self.before {
                Some(id) => (crew.left_behind)(id)?.is_empty(),
                None => false,
            };
            if !same {
                self.before = (crew.snapshot)()?;
            }
            self.since = crew.clock.now();
            self.left.clear();
            own.forget();
        }
        self.reading.insert(issued.key.clone(), label(issued));
        Ok(())
    }

    /// Looks at the tree where turns that read have ended; those of them that may have written have failed. Answers what
    /// a person should know.
    fn verify(
        &mut self,
        done: &mut [(Issued, Outcome)],
        crew: &Crew,
        own: &OwnWrites,
    ) -> Result<Option<String>, String> {
        if !done.iter().any(|(issued, _)| self.reading.contains_key(&issued.key)) {
            return Ok(None);
        }
        let mut note = None;
        match self.look(crew, own)? {
            Some(Found::Readers(told)) => {
                let suspects = self.reading.keys().cloned();
                self.caught.extend(suspects.map(|key| (key, told.clone())));
            }
            Some(Found::Others(told)) => note = Some(told),
            None => {}
        }
        for (issued, outcome) in done {
            self.reading.remove(&issued.key);
            if let Some(message) = self.caught.remove(&issued.key) {
                let kind = FailureKind::Denied;
                *outcome = Outcome::Failed(Failure { kind, message });
            }
        }
        Ok(note)
    }

    /// Returns what is different since the first of them began, with what it holds; nothing where nobody reads.
    pub(super) fn differing(&self, crew: &Crew) -> Result<Option<Differing>, String> {
        let Some(before) = self.before.as_ref().filter(|_| !self.reading.is_empty()) else {
            return Ok(None);
        };
        let held = |path: &str| {
            crew.workspace
                .read(&crew.root.join(path))
                .ok()
                .map(|bytes| sha256(&bytes))
        };
        let left = (crew.left_behind)(before)?.into_iter();
        let each = left.map(|left| {
            let hash = held(&left.path);
            (left.path, hash)
        });
        Ok(Some(each.collect()))
    }

    /// Puts back what somebody wrote, and says what it was; where another run was at work, it may be its work and stays.
    fn look(&mut self, crew: &Crew, own: &OwnWrites) -> Result<Option<Found>, String> {
        let Some(before) = &self.before else {
            return Ok(None);
        };
        let mut wrote = (crew.left_behind)(before)?;
        wrote.retain(|left| !own.holds(&left.path, crew) && !(crew.elsewhere)(&left.path));
        wrote.retain(|left| !self.left.contains(&left.path));
        if wrote.is_empty() {
            return Ok(None);
        }
        let others = (crew.others)(self.since);
        if !others.is_empty() {
            self.left.extend(wrote.iter().map(|left| left.path.clone()));
            return Ok(Some(Found::Others(format!(
                "files are not what they were when {} began, and another run of the project was at work ({}); who changed them is not known, and they are left as they are:{}",
                self.readers(),
                others.join(", "),
                listed(&wrote)
            ))));
        }
        let paths: Vec<String> = wrote.iter().map(|left| left.path.clone()).collect();
        let back = put_back(before, &paths, crew)?;
        let mut told = self.told(&wrote, &back.stayed);
        told.push_str(&moved(before, crew));
        told.push_str(&back.how);
        told.push_str("\n  an agent that has to write needs `access=\"write\"`");
        Ok(Some(Found::Readers(told)))
    }

    /// Names who reads.
    fn readers(&self) -> String {
        let mut who: Vec<&str> = self.reading.values().map(String::as_str).collect();
        who.sort_unstable();
        who.join(", ")
    }

    fn told(&self, wrote: &[Left], stayed: &str) -> String {
        let who = self.readers();
        let mut text = match self.reading.len() {
            1 => format!("{who} may only read, and files are not what they were:"),
            _ => format!(
                "these may only read, and files are not what they were; which of them wrote is not known, so all fail: {who}:"
            ),
        };
        text.push_str(&listed(wrote));
        text.push_str("\n  put back as they were before the turn");
        text.push_str(stayed);
        text
    }
}

impl Running<'_> {
    /// Looks at the tree where turns that read have ended, and tells what a person should know.
    pub(super) fn verify_readers(&mut self, done: &mut [(Issued, Outcome)]) -> Result<(), RunError> {
        let verified = self.readers.verify(done, self.crew, self.own);
        if let Some(told) = verified.map_err(RunError::Snapshot)? {
            (self.watch)(Event::Told(&told));
        }
        Ok(())
    }
}

/// Says whose turn it is.
fn label(issued: &Issued) -> String {
    let (task, act) = match &issued.effect {
        Effect::Dispatch(task) => (task, "turn"),
        Effect::Judge(task) => (task, "judgement"),
        Effect::Checkpoint(_)
        | Effect::Ask(_)
        | Effect::Show { .. }
        | Effect::Read { .. }
        | Effect::List { .. }
        | Effect::Look { .. }
        | Effect::Write(_)
        | Effect::Run { .. }
        | Effect::Verify { .. }
        | Effect::Now => return issued.step.to_string(),
    };
    let who = task.agent.as_deref().unwrap_or("the agent");
    format!("the {act} of {who} in step {}", issued.step)
}
