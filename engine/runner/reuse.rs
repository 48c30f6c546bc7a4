//! What of an earlier process was used again.

use crate::machine::Key;
use std::fmt;

/// Something that was asked for and never done, while something else was recorded in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missed {
    /// What finds it.
    pub key: Key,
    /// What it is, for a person.
    pub what: String,
}

impl fmt::Display for Missed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)
    }
}

/// What was used again and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Effects that were not performed again.
    pub reused: u64,
    /// Turns of agents among them.
    pub turns: u64,
    /// What was asked for in the place of something else: the workflow was edited.
    pub changed: Vec<Missed>,
}
