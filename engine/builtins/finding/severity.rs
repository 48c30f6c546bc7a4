//! A word for how much something matters in, one of four severities out.

use crate::builtins::given::{items, plain};
use crate::builtins::{Arguments, BuiltinError};
use std::fmt;

/// How much a finding matters; what matters more is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth improving.
    Low,
    /// Will cost time.
    Medium,
    /// Will have to be redone.
    High,
    /// A wrong result, a loss or a breach.
    Critical,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 4] = [Self::Critical, Self::High, Self::Medium, Self::Low];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }

    /// Reads a severity in any case, and the words that other reviewers use for it.
    pub fn read(word: &str) -> Option<Self> {
        let word = word.trim().trim_matches(|mark: char| !mark.is_alphanumeric());
        match word.to_lowercase().as_str() {
            "critical" | "blocker" | "blocking" | "fatal" | "severe" | "showstopper" | "p0" => Some(Self::Critical),
            "high" | "major" | "important" | "serious" | "error" | "p1" => Some(Self::High),
            "medium" | "moderate" | "normal" | "warning" | "med" | "p2" => Some(Self::Medium),
            "low" | "minor" | "nit" | "nitpick" | "trivial" | "cosmetic" | "info" | "suggestion" | "p3" | "p4" => {
                Some(Self::Low)
            }
            _ => None,
        }
    }
}

/// The severities that decide, where nobody says otherwise.
const MATERIAL: [Severity; 3] = [Severity::Critical, Severity::High, Severity::Medium];

impl Severity {
    /// Reads the parameter `material`: a list of severities, or words with commas between them.
    pub(in crate::builtins) fn material(arguments: &Arguments<'_>) -> Result<Vec<Self>, BuiltinError> {
        let given = items(arguments.get("material"));
        if given.is_empty() {
            return Ok(MATERIAL.to_vec());
        }
        let words = given.iter().map(plain).collect::<Vec<String>>().join(",");
        let words = words.split(',').map(str::trim).filter(|word| !word.is_empty());
        let read = words.map(|word| Self::read(word).ok_or_else(|| arguments.bad("material", "a list of severities")));
        read.collect()
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Severity;

    #[test]
    fn every_name_reads_as_itself_in_any_case() {
        for severity in Severity::ALL {
            assert_eq!(Severity::read(severity.name()), Some(severity));
            let shouted = format!(" **{}** ", severity.name().to_uppercase());
            assert_eq!(Severity::read(&shouted), Some(severity));
        }
    }

    #[test]
    fn words_of_other_reviewers_are_understood_and_unknown_ones_are_not() {
        assert_eq!(Severity::read("BLOCKER"), Some(Severity::Critical));
        assert_eq!(Severity::read("Major"), Some(Severity::High));
        assert_eq!(Severity::read("nit:"), Some(Severity::Low));
        assert_eq!(Severity::read("purple"), None);
        assert_eq!(Severity::read(""), None);
    }

    #[test]
    fn the_worst_is_the_greatest() {
        assert_eq!(Severity::ALL.iter().max(), Some(&Severity::Critical));
    }
}
