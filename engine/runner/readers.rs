//! Turns that may only read in, those that wrote nonetheless out: their files are named and put back.
//!
//! The tree is noted once for all who read at the same time, and compared when one of them ends.

use super::back::{listed, moved, put_back};
use super::crew::{Crew, Left};
use super::own::OwnWrites;
use crate::machine::{Effect, Failure, FailureKind, Issued, Key, Outcome, sha256};
use std::collections::HashMap;

/// Files that are not what they were, with the hash of what they hold.
pub(super) type Differing = HashMap<String, Option<String>>;

/// The turns that read now.
#[derive(Debug, Default)]
pub(super) struct Readers {
    /// What the tree looked like before the first of them.
    before: Option<String>,
    /// Who they are, in words.
    reading: HashMap<Key, String>,
    /// Turns that read while somebody wrote, and what they are told.
    caught: HashMap<Key, String>,
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
            own.forget();
        }
        self.reading.insert(issued.key.clone(), label(issued));
        Ok(())
    }

    /// Looks at the tree where turns that read have ended; those of them that may have written have failed.
    pub(super) fn verify(
        &mut self,
        done: &mut [(Issued, Outcome)],
        crew: &Crew,
        own: &OwnWrites,
    ) -> Result<(), String> {
        if !done.iter().any(|(issued, _)| self.reading.contains_key(&issued.key)) {
            return Ok(());
        }
        if let Some(told) = self.look(crew, own)? {
            let suspects = self.reading.keys().cloned();
            self.caught.extend(suspects.map(|key| (key, told.clone())));
        }
        for (issued, outcome) in done {
            self.reading.remove(&issued.key);
            if let Some(message) = self.caught.remove(&issued.key) {
                let kind = FailureKind::Denied;
                *outcome = Outcome::Failed(Failure { kind, message });
            }
        }
        Ok(())
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

    /// Puts back what somebody wrote, and says what it was.
    fn look(&self, crew: &Crew, own: &OwnWrites) -> Result<Option<String>, String> {
        let Some(before) = &self.before else {
            return Ok(None);
        };
        let mut wrote = (crew.left_behind)(before)?;
        wrote.retain(|left| !own.holds(&left.path, crew) && !(crew.elsewhere)(&left.path));
        if wrote.is_empty() {
            return Ok(None);
        }
        let paths: Vec<String> = wrote.iter().map(|left| left.path.clone()).collect();
        let back = put_back(before, &paths, crew)?;
        let mut told = self.told(&wrote, &back.stayed);
        told.push_str(&moved(before, crew));
        told.push_str(&back.how);
        told.push_str("\n  an agent that has to write needs `access=\"write\"`");
        Ok(Some(told))
    }

    fn told(&self, wrote: &[Left], stayed: &[String]) -> String {
        let mut who: Vec<&str> = self.reading.values().map(String::as_str).collect();
        who.sort_unstable();
        let mut text = match who[..] {
            [one] => format!("{one} may only read, and files are not what they were:"),
            _ => format!(
                "these may only read, and files are not what they were; which of them wrote is not known, so all fail: {}:",
                who.join(", ")
            ),
        };
        text.push_str(&listed(wrote));
        text.push_str("\n  put back as they were before the turn");
        if !stayed.is_empty() {
            text.push_str(&format!(
                ", but for what is too large to be kept: {}",
                stayed.join(", ")
            ));
        }
        text
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
