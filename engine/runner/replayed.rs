//! What was done before, taken notice of and told.

use super::crew::Event;
use super::files;
use super::run::Running;

impl Running<'_> {
    /// Tells once that everything that was done before is replayed, and which files are not as it left them; says whether
    /// there was anything.
    pub(super) fn tell_replayed(&mut self) -> bool {
        let Some(replayed) = self.history.ended() else {
            return false;
        };
        (self.watch)(Event::Replayed(replayed));
        for (path, hash) in self.history.written() {
            if files::differs(path, hash, self.crew) {
                (self.watch)(Event::Drifted(path));
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
