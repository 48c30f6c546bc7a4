//! A journal in, where it leads out; nothing is performed.

use super::commands;
use super::history::History;
use super::tries::Tries;
use crate::host::JournalError;
use crate::machine::{Issued, Key, Machine};

/// Where what was done before leads.
#[derive(Debug)]
pub struct Replay {
    /// What would be performed next.
    pub next: Vec<Issued>,
    /// What the run failed for, where it did: the tries of a turn, the file that it read, the answer that stopped it; asked for anew it may go
    /// well.
    pub refused: Vec<Key>,
    /// The commands that were kept from running, each with the text of it.
    pub unrun: Vec<(Key, String)>,
    /// The turns and calls that a person let pass, with the answers that said so.
    pub passed: Vec<Key>,
}

/// Replays what was done before.
///
/// # Errors
/// Answers what is wrong with the journal.
pub fn replay(machine: &mut Machine<'_>, history: &mut History) -> Result<Replay, JournalError> {
    let mut issued = machine.advance(Vec::new());
    let mut tries = Tries::default();
    let mut unrun = Vec::new();
    loop {
        while machine.is_busy() {
            issued.extend(machine.advance(Vec::new()));
        }
        let outcomes = history.replay(&mut issued)?;
        if outcomes.is_empty() {
            let failed = machine.end().and_then(|end| end.refused.as_ref());
            return Ok(Replay {
                next: issued,
                refused: failed.map(|refused| tries.of(refused)).unwrap_or_default(),
                unrun,
                passed: tries.passed(),
            });
        }
        tries.saw(&outcomes);
        unrun.extend(outcomes.iter().filter_map(commands::unrun));
        issued.extend(machine.advance(outcomes));
    }
}
