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
            // What the run itself left behind is written again.
            if let Effect::Write(write) = &issued.effect
                && files::hash(&write.path, self.crew).as_deref() != Some(hash)
                && !self.is_overwritten(issued, hash)
            {
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
