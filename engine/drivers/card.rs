//! What is known of an agent before it is called: plain data, for its driver and for people.

/// What a person and the engine know of an agent.
#[derive(Debug)]
pub struct Card {
    /// The name in a spec.
    pub name: &'static str,
    /// The name people know.
    pub title: &'static str,
    /// The program.
    pub program: &'static str,
    /// The oldest version that is known to work.
    pub oldest: &'static str,
    /// The version that was tried; none where nobody could.
    pub tried: Option<&'static str>,
    /// How to get it.
    pub install: &'static str,
    /// The variables of the person's environment that it gets.
    pub variables: &'static [&'static str],
    /// The variable, or one of them, that holds its key; none where it logs in otherwise.
    pub keys: &'static [&'static str],
    /// Where it keeps who is logged in, below the home folder.
    pub logins: &'static [&'static str],
    /// What it can, and since which version.
    pub can: &'static [(Can, &'static str)],
}

/// What an agent may be able to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Can {
    /// Go on with an earlier conversation.
    Sessions,
    /// Take the name of a conversation before it begins.
    ChooseSession,
    /// Tell what it does while it does it.
    Live,
    /// Reply by a schema.
    Schema,
    /// Be held to a list of tools.
    Allowlist,
    /// Be kept from changing anything.
    ReadOnly,
    /// Tell tokens.
    Usage,
    /// Tell money.
    Cost,
}

/// Everything an agent may be able to do, in the order people are told.
pub const ABILITIES: &[Can] = &[
    Can::Sessions,
    Can::ChooseSession,
    Can::Live,
    Can::Schema,
    Can::Allowlist,
    Can::ReadOnly,
    Can::Usage,
    Can::Cost,
];

impl Can {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            Can::Sessions => "sessions",
            Can::ChooseSession => "chosen session id",
            Can::Live => "live events",
            Can::Schema => "schema output",
            Can::Allowlist => "tool allowlist",
            Can::ReadOnly => "read-only",
            Can::Usage => "usage",
            Can::Cost => "cost",
        }
    }
}

impl Card {
    /// Says whether a version can do something; an unknown version is taken for a new one.
    pub fn can(&self, what: Can, version: Option<Version>) -> bool {
        let since = self.can.iter().find(|(can, _)| *can == what).map(|(_, since)| *since);
        since.is_some_and(|since| version.is_none_or(|version| Version::of(since).is_none_or(|since| version >= since)))
    }
}

/// A version of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// Finds the first version in a text such as `codex-cli 0.166.0`.
    pub fn of(text: &str) -> Option<Version> {
        let words = text.split(|each: char| !(each.is_ascii_digit() || each == '.'));
        words.into_iter().find_map(|word| {
            let mut numbers = word.split('.').map(str::parse);
            let (major, minor) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            let patch = numbers.next().and_then(Result::ok).unwrap_or(0);
            Some(Version(major, minor, patch))
        })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}.{}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn a_version_is_found_wherever_a_program_puts_it() {
        assert_eq!(Version::of("2.1.325 (Claude Code)"), Some(Version(2, 1, 325)));
        assert_eq!(Version::of("GitHub Copilot CLI 1.0.102."), Some(Version(1, 0, 102)));
        assert_eq!(Version::of("codex-cli 0.166.0"), Some(Version(0, 166, 0)));
        assert_eq!(Version::of("no version"), None);
        assert!(Version(0, 166, 0) > Version(0, 99, 9));
    }
}
