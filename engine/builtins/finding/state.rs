//! A word for where a finding stands in, one of seven states out.

use std::fmt;

/// Where a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Nobody works on it.
    Open,
    /// A fixer has it.
    InProgress,
    /// It was fixed and is reported again.
    Regressed,
    /// Its fixer needs something that only a person can give.
    Blocked,
    /// Its place was changed and its claim no longer holds.
    Fixed,
    /// A person says that it is no issue.
    Dismissed,
    /// A person put it off.
    Deferred,
}

impl State {
    /// All of them, what is to be done first.
    pub const ALL: [Self; 7] = [
        Self::Open,
        Self::InProgress,
        Self::Regressed,
        Self::Blocked,
        Self::Fixed,
        Self::Dismissed,
        Self::Deferred,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::InProgress => "in-progress",
            Self::Regressed => "regressed",
            Self::Blocked => "blocked",
            Self::Fixed => "fixed",
            Self::Dismissed => "dismissed",
            Self::Deferred => "deferred",
        }
    }

    /// Reads a state in any case, with any mark between its words.
    pub fn read(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase().replace([' ', '_'], "-");
        Self::ALL.into_iter().find(|state| state.name() == word)
    }

    /// Says whether a fixer has to do something about it.
    pub fn is_open(self) -> bool {
        match self {
            Self::Open | Self::InProgress | Self::Regressed => true,
            Self::Blocked | Self::Fixed | Self::Dismissed | Self::Deferred => false,
        }
    }

    /// Says whether nobody has to do anything about it any more.
    pub fn is_done(self) -> bool {
        match self {
            Self::Fixed | Self::Dismissed | Self::Deferred => true,
            Self::Open | Self::InProgress | Self::Regressed | Self::Blocked => false,
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn every_name_reads_as_itself() {
        for state in State::ALL {
            assert_eq!(State::read(state.name()), Some(state));
        }
        assert_eq!(State::read("In Progress"), Some(State::InProgress));
        assert_eq!(State::read("closed"), None);
    }

    #[test]
    fn a_blocked_finding_is_neither_open_nor_done() {
        assert!(!State::Blocked.is_open() && !State::Blocked.is_done());
        let others = State::ALL.into_iter().filter(|state| *state != State::Blocked);
        for state in others {
            assert_ne!(state.is_open(), state.is_done(), "{state}");
        }
    }
}
