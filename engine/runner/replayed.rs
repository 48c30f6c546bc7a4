//! What was done before, taken notice of and told.

use super::crew::{Event, RunError};
use super::files;
use super::projection::unmarked;
use super::run::Running;
use crate::machine::{Effect, sha256};

impl Running<'_> {
    /// Tells once that everything that was done before is replayed, and which files are not as it left them; says whether
    /// there was anything.
    pub(super) fn tell_replayed(&mut self) -> Result<bool, RunError> {
        let Some(replayed) = self.history.ended() else {
            return Ok(false);
        };
        (self.watch)(Event::Replayed(replayed));
        self.unmended = true;
        for (issued, hash) in self.history.written() {
            let Effect::Write(write) = &issued.effect else {
                continue;
            };
            let now = files::hash(&write.path, self.crew);
            // What the run itself wrote later is nobody's change, whether it is left behind or not.
            let is_own = |now: &str| now == hash || self.history.went_on_to(now);
            if !now.as_deref().is_some_and(is_own) {
                (self.watch)(Event::Drifted(&write.path));
            }
        }
        for (path, own) in self.history.unclaimed()? {
            let now = files::hash(&path, self.crew);
            // What is not there any more cannot be written over.
            if now.is_some_and(|now| !own.contains(&now)) && !self.is_only_marked(&path, &own) {
                (self.watch)(Event::Drifted(&path));
            }
        }
        Ok(true)
    }

    /// Says whether a file holds what the run wrote, but for a mark that a check was skipped, which is the run's own.
    fn is_only_marked(&self, path: &str, own: &[String]) -> bool {
        let text = files::text(path, self.crew).ok().flatten();
        let plain = text.and_then(|text| unmarked(path, &text));
        plain.is_some_and(|plain| own.contains(&sha256(plain.as_bytes())))
    }

    /// Takes notice of what was done before.
    pub(super) fn remember(&mut self) {
        for question in self.history.take_asked() {
            self.crew.human.replayed(&question);
        }
        for (called, void) in self.history.take_called() {
            self.crew.ledger.replayed(&called, void);
        }
    }
}
