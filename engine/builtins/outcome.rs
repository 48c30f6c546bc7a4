//! How a review loop ended.

use std::fmt;

/// How a review loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nothing is open.
    Complete,
    /// Something waits for a person, or no reviewer answered.
    Blocked,
    /// The time was used up.
    Timeout,
    /// Another limit was reached.
    StoppedByLimit,
    /// Another pass would not help.
    Diverging,
    /// A person chose so.
    UserStop,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Complete,
        Self::Blocked,
        Self::Timeout,
        Self::StoppedByLimit,
        Self::Diverging,
        Self::UserStop,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Blocked => "blocked",
            Self::Timeout => "timeout",
            Self::StoppedByLimit => "stopped-by-limit",
            Self::Diverging => "diverging",
            Self::UserStop => "user-stop",
        }
    }

    /// Finds an outcome by its exact name.
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name.trim())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn every_outcome_reads_as_itself_and_nothing_else_does() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::read(outcome.name()), Some(outcome));
        }
        assert_eq!(Outcome::read("undecided"), None);
        assert_eq!(Outcome::read("COMPLETE"), None);
    }
}
