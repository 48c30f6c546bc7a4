//! What was done before, taken notice of and told.

use super::crew::Event;
use super::files;
use super::run::Running;
use crate::machine::Effect;

impl Running<'_> {
    /// Tells once that everything that was done before is replayed, and which files are not as it left them; says whether
    /// there was anything.
    pub(super) fn tell_replayed(&mut self) -> bool {
        let Some(replayed) = self.history.ended() else {
            return false;
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
        true
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
