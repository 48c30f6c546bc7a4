//! What is done in the place of what was done before: that is written down before it begins, and files are what they were.

use super::crew::{Event, RunError};
use super::files::{self, LeftBehind};
use super::perform;
use super::run::Running;
use crate::host::{Durability, Line, Resumed};
use crate::machine::{Effect, End, EndKind, How, Issued, Key, Outcome};

impl Running<'_> {
    /// Writes down what is left behind where something is about to be done in its place. A question changes nothing: it
    /// may be taken back before anybody answers. What was cut off is left behind only where something else changes the
    /// world first: until then it can be undone. A hook may stop the run before files are written again.
    pub(super) async fn depart(&mut self, issued: &Issued) -> Result<(), RunError> {
        if matches!(issued.effect, Effect::Ask(_)) {
            return Ok(());
        }
        self.departed(issued)?;
        if issued.effect.changes() {
            self.leave_begun(&issued.key)?;
        }
        match issued.effect {
            Effect::Show { .. } | Effect::Now => Ok(()),
            // What it left in the files when it was cut off is put back first.
            _ if issued.effect.is_costly() => Ok(()),
            _ => self.mend_before(&issued.key).await,
        }
    }

    /// Writes files again before an effect is done; whatever else was cut off is not undone over them.
    pub(super) async fn mend_before(&mut self, key: &Key) -> Result<(), RunError> {
        if self.unmended && self.overwritten().next().is_some() {
            self.leave_begun(key)?;
        }
        self.mend().await
    }

    fn leave_begun(&mut self, key: &Key) -> Result<(), RunError> {
        let lines = self.history.leave_begun(key);
        match lines.is_empty() {
            true => Ok(()),
            false => self.leave(lines),
        }
    }

    /// Writes down what is left behind because of what is done.
    pub(super) fn departed(&mut self, issued: &Issued) -> Result<(), RunError> {
        match self.history.take_departure(&issued.key) {
            Some(lines) => self.leave(lines),
            None => Ok(()),
        }
    }

    /// Leaves all behind that a run which came to its end did not ask for.
    pub(super) async fn leave_rest(&mut self, end: &End) -> Result<(), RunError> {
        if end.kind != EndKind::Completed {
            return Ok(());
        }
        let lines = self.history.leave_rest()?;
        if !lines.is_empty() {
            self.leave(lines)?;
        }
        self.mend().await
    }

    fn leave(&mut self, mut left: Vec<u64>) -> Result<(), RunError> {
        left.sort_unstable();
        let line = Resumed {
            at: self.crew.clock.now(),
            left,
            ..Resumed::default()
        };
        self.unmended = true;
        Ok(self
            .journal
            .append(&Line::Resumed(Box::new(line)), Durability::Buffered)?)
    }

    /// Writes files again that hold what was written by something that was left behind: it came after the write that
    /// counts. Hooks run around it as around any write.
    async fn mend(&mut self) -> Result<(), RunError> {
        if !self.unmended {
            return Ok(());
        }
        self.unmended = false;
        let overwritten: Vec<Issued> = self.overwritten().cloned().collect();
        for issued in overwritten {
            if !self.hook_before(&issued).await? {
                return Ok(());
            }
            self.settle()?;
            (self.watch)(Event::Began(&issued));
            let outcome = perform::on_arrival(perform::now(&issued, &LeftBehind::default(), self.crew), self.crew);
            // The earlier write still counts: the next process tries again.
            if let Outcome::Failed(failure) = outcome {
                return Err(RunError::Mend(failure.message));
            }
            let recorded = self.record(vec![(issued, outcome)])?;
            self.hook_after(&recorded).await?;
            if self.hooks.stop.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Performs an effect that takes no time. A section takes the place of what was left behind of it.
    pub(super) fn perform_now(&mut self, issued: &Issued) -> Result<Outcome, RunError> {
        let left = match &issued.effect {
            Effect::Write(write) => self.history.left_sections(write)?,
            _ => LeftBehind::default(),
        };
        Ok(perform::on_arrival(perform::now(issued, &left, self.crew), self.crew))
    }

    /// Returns the writes that count and whose files hold what was left behind.
    fn overwritten(&self) -> impl Iterator<Item = &Issued> {
        let written = self.history.written();
        let overwritten = written.filter(|(issued, hash)| self.is_overwritten(issued, hash));
        overwritten.map(|(issued, _)| issued)
    }

    /// Says whether something that was left behind wrote a file after a write that counts. A section is no whole file: what
    /// was left behind of it is found when it is written again.
    fn is_overwritten(&self, issued: &Issued, hash: &str) -> bool {
        let Effect::Write(write) = &issued.effect else {
            return false;
        };
        if write.how != How::Replace {
            return false;
        }
        let now = files::hash(&write.path, self.crew);
        now.is_some_and(|now| now != hash && self.history.left_as(&now))
    }
}
