//! Turns that may write in, the files that are not what they were before them out, as a field of their replies.
//!
//! Whoever writes works alone, so what changed meanwhile is theirs. What an agent says about it itself does not count.

use super::crew::{Crew, RunError};
use super::run::Running;
use crate::builtins::Value;
use crate::machine::{Effect, Issued, Outcome};

/// The field.
const CHANGED: &str = "changed";

impl Running<'_> {
    /// Adds to the replies of turns that may write what they changed.
    pub(super) fn note_changes(&self, done: &mut [(Issued, Outcome)]) -> Result<(), RunError> {
        for (issued, outcome) in done.iter_mut().filter(|(issued, _)| is_asked(issued)) {
            let before = self.began.get(&issued.key).and_then(|turn| turn.before.as_deref());
            tell(outcome, before, self.crew).map_err(RunError::Snapshot)?;
        }
        Ok(())
    }
}

/// Says whether somebody wants to know what a turn changed: one that is handed to an agent by name.
fn is_asked(issued: &Issued) -> bool {
    matches!(&issued.effect, Effect::Dispatch(task) if task.agent.is_some())
}

/// Adds to a reply which files the turn changed, where the tree was noted before it.
fn tell(outcome: &mut Outcome, before: Option<&str>, crew: &Crew) -> Result<(), String> {
    let (Outcome::Replied(envelope), Some(before)) = (outcome, before) else {
        return Ok(());
    };
    let left = (crew.left_behind)(before)?;
    let paths = left.into_iter().map(|left| Value::Text(left.path)).collect();
    envelope.fields.retain(|(name, _)| name != CHANGED);
    envelope.fields.push((CHANGED.to_owned(), Value::List(paths)));
    Ok(())
}
