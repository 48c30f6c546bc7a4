//! What is about to be paid for, or may change what the engine does not see, is written down before it begins.

use super::crew::{Event, RunError, Stopped};
use super::run::{Running, UnderWay};
use super::unfinished::{self, Settled};
use crate::host::{Durability, Line, NOBODY};
use crate::machine::{Effect, Issued};
use std::borrow::Cow;

/// Who runs commands, as a journal names it.
const SHELL: &str = "sh";

impl Running<'_> {
    /// Says what is about to be paid for. One that was begun before and never ended is decided about first; the run stops
    /// where somebody interrupts that.
    pub(super) async fn intend(&mut self, issued: &Issued) -> Result<(), RunError> {
        let known = self.history.unknown(&issued.key);
        let times = known.as_ref().map_or(0, |known| known.times);
        if let Some(known) = known.as_ref().filter(|_| issued.effect.is_turn()) {
            self.crew.ledger.lose(&issued.key, known.lost());
        }
        if let Some(known) = known.filter(|known| !known.parked) {
            let settled = unfinished::settle(issued, &known, self.crew);
            let Some(settled) = settled.await.map_err(RunError::Snapshot)? else {
                self.hooks.stop = Some(Stopped::Interrupted);
                return Ok(());
            };
            let Settled { choice, told, how } = settled;
            if !told.is_empty() {
                (self.watch)(Event::Settled(choice, &told, &how));
            }
            let settled = Line::Settled {
                at: self.crew.clock.now(),
                key: issued.key.clone(),
                choice,
            };
            self.journal.append(&settled, Durability::Synced)?;
        }
        self.mend_before(&issued.key).await?;
        if self.hooks.stop.is_some() {
            return Ok(());
        }
        let is_command = matches!(issued.effect, Effect::Run { .. });
        let works = is_command || self.crew.driver.works_on_files();
        let snapshot = match (works, issued.effect.changes()) {
            (true, true) => {
                // What is kept beside the journal belongs to a run that is there.
                self.settle()?;
                (self.crew.snapshot)().map_err(RunError::Snapshot)?
            }
            (true, false) => {
                let noted = self.readers.begin(issued, self.crew, self.own);
                noted.map_err(RunError::Snapshot)?;
                None
            }
            (false, _) => None,
        };
        let at = self.crew.clock.now();
        let turn = UnderWay {
            at,
            times,
            before: snapshot.clone(),
            ..UnderWay::default()
        };
        self.began.insert(issued.key.clone(), turn);
        let intent = Line::Intent {
            at,
            key: issued.key.clone(),
            step: issued.step.to_string(),
            driver: self.asked(&issued.effect).to_owned(),
            effect: Cow::Borrowed(&issued.effect),
            snapshot,
        };
        Ok(self.journal.append(&intent, Durability::Buffered)?)
    }

    /// Says who is asked first for an effect.
    fn asked(&self, effect: &Effect) -> &str {
        match effect {
            Effect::Run { .. } => SHELL,
            Effect::Dispatch(task) | Effect::Judge(task) => self.crew.driver.asked(task).unwrap_or(NOBODY),
            Effect::Checkpoint(_)
            | Effect::Ask(_)
            | Effect::Show { .. }
            | Effect::Read { .. }
            | Effect::List { .. }
            | Effect::Look { .. }
            | Effect::Write(_)
            | Effect::Verify { .. }
            | Effect::Now => self.crew.driver.name(),
        }
    }
}
