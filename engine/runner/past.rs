//! What a journal tells of an earlier process, one line at a time.

use crate::host::{Called, Hooked, JournalError};
use crate::machine::{Effect, Key, Outcome};

/// What an earlier process did.
#[derive(Debug, Clone, PartialEq)]
pub enum Past {
    /// A turn was begun.
    Begun {
        /// When, in milliseconds since 1970.
        at: i64,
        /// What finds it.
        key: Key,
        /// What the tree looked like before, where that was noted.
        before: Option<String>,
        /// Where that stands.
        place: Place,
    },
    /// An effect was finished.
    Done {
        /// When, in milliseconds since 1970.
        at: i64,
        /// What finds it.
        key: Key,
        /// What came of it.
        outcome: Outcome,
        /// Where that stands.
        place: Place,
    },
    /// A hook ran, or was kept from it.
    Hooked(Box<Hooked>),
    /// A call of an agent ended.
    Called {
        /// The call.
        called: Box<Called>,
        /// Whether it was rolled back.
        void: bool,
    },
    /// Another process went on with the run.
    Resumed,
    /// The run stopped in order.
    Stopped {
        /// When, in milliseconds since 1970.
        at: i64,
        /// In which state.
        how: Halt,
    },
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Its number, from 1.
    pub line: u64,
    /// Where it comes in the order in which things were done: the number of the line, or that of the first line where
    /// the same was done again in its place.
    pub order: u64,
    /// The line that says that it was left behind: the run went another way since.
    pub left: Option<u64>,
}

impl Place {
    /// Returns the place of a line that counts and that nothing took the place of.
    pub fn of(line: u64) -> Self {
        let (order, left) = (line, None);
        Self { line, order, left }
    }
}

/// A file that an earlier process wrote or noted something in, as a line tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Wrote {
    /// The number of the line.
    pub line: u64,
    /// What was asked for.
    pub effect: Effect,
    /// The SHA-256 of the whole file afterwards.
    pub sha256: String,
    /// That of the whole file before, where it was there.
    pub before: Option<String>,
}

/// Reads every line of a journal that tells of a file which was written.
pub type ReadWrites = Box<dyn Fn() -> Result<Vec<Wrote>, JournalError> + Send>;

/// The state in which a run stopped in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// It was parked: nothing was under way.
    Parked,
    /// It waited for a person: whatever came before the question had counted.
    Waiting,
    /// It came to its end: so had whatever came before that.
    Completed,
    /// Any other.
    Otherwise,
}
