//! The file of a journal in, how many lines of each kind it holds out, if all of it is sound.

use super::blob::Blobs;
use super::reading::Reading;
use super::replay::kind;
use super::seal::Trust;
use crate::host::JournalError;
use std::path::Path;

/// What a sound journal holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Audit {
    /// All lines.
    pub lines: u64,
    /// Beginnings: one.
    pub begun: u64,
    /// Intents.
    pub intents: u64,
    /// Finished effects.
    pub done: u64,
    /// Hooks.
    pub hooked: u64,
    /// Calls of agents that ended.
    pub called: u64,
    /// Resumes.
    pub resumed: u64,
    /// Unknown outcomes that were settled.
    pub settled: u64,
    /// Rollbacks.
    pub rolled_back: u64,
    /// Orderly ends.
    pub stopped: u64,
    /// References to blobs; each was read and is what it was.
    pub blobs: u64,
    /// Bytes of an incomplete last line, which counts as not written.
    pub torn: u64,
}

/// What a line counts as, and how many blobs it names.
type Counted = (fn(&mut Audit) -> &mut u64, u64);

/// Checks every line and every blob of a journal, and counts.
pub fn audit(path: &Path) -> Result<Audit, JournalError> {
    let mut audit = Audit::default();
    let mut reading = Reading::start(path, (Trust::Nothing, count))?;
    for line in reading.by_ref() {
        let (counter, blobs) = line?;
        *counter(&mut audit) += 1;
        audit.lines += 1;
        audit.blobs += blobs;
    }
    audit.torn = reading.torn().unwrap_or(0);
    Ok(audit)
}

fn count(_: u64, body: &mut [u8], blobs: &Blobs) -> Result<Counted, String> {
    let counter: fn(&mut Audit) -> &mut u64 = match kind(body) {
        Some("begun") => |audit| &mut audit.begun,
        Some("intent") => |audit| &mut audit.intents,
        Some("done") => |audit| &mut audit.done,
        Some("hooked") => |audit| &mut audit.hooked,
        Some("called") => |audit| &mut audit.called,
        Some("resumed") => |audit| &mut audit.resumed,
        Some("settled") => |audit| &mut audit.settled,
        Some("rolled-back") => |audit| &mut audit.rolled_back,
        Some("stopped") => |audit| &mut audit.stopped,
        Some(other) => return Err(format!("`{other}` is no kind of line")),
        None => return Err("it does not say what kind of line it is".to_owned()),
    };
    Ok((counter, blobs.check(body)?))
}
