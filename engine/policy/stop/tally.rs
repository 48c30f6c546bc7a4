//! The text of an issue tracker in, how much of it is left to do out.

use crate::builtins::read_tracker;

/// What is left to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Issues that an agent can work on.
    pub open: u64,
    /// Issues that wait for a person.
    pub blocked: u64,
}

impl Tally {
    /// Says whether nothing is left, not even for a person.
    pub fn is_clear(self) -> bool {
        self.open == 0 && self.blocked == 0
    }
}

/// Counts the issues of a tracker.
///
/// Some programs show their agent `&lt;` where a hook wrote `<`, so an agent may write the marks like that too.
///
/// # Errors
/// Answers why the text is no tracker.
pub fn tally(tracker: &str) -> Result<Tally, String> {
    let plain = tracker.replace("&lt;!--", "<!--").replace("--&gt;", "-->");
    let read = read_tracker(&plain).map_err(|why| why.to_string())?;
    Ok(Tally {
        open: read.pending() as u64,
        blocked: read.blocked() as u64,
    })
}
