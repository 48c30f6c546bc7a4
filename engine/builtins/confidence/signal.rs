//! What one source said in, how many points it gives out.

use crate::builtins::Value;
use crate::builtins::verdict::{Signal, Verdict, count};

/// Said of a source that is configured and did not answer.
const SILENT: &str = "silent";

/// Where a signal comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Validation,
    Memory,
    Reviewers,
    Party,
}

impl Kind {
    pub(super) const ALL: [Kind; 4] = [Kind::Validation, Kind::Memory, Kind::Reviewers, Kind::Party];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Validation => "validation",
            Kind::Memory => "memory",
            Kind::Reviewers => "reviewers",
            Kind::Party => "party",
        }
    }

    /// Returns the points of the best that it can say.
    pub(super) fn most(self) -> u32 {
        match self {
            Kind::Validation => 35,
            Kind::Memory | Kind::Reviewers => 25,
            Kind::Party => 15,
        }
    }

    /// Returns the score of the best that it can say where nobody else says anything.
    pub(super) fn alone(self) -> u32 {
        match self {
            Kind::Validation | Kind::Party => 60,
            Kind::Memory | Kind::Reviewers => 50,
        }
    }
}

/// What a source said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// It is not configured.
    Nothing,
    /// It is configured and did not answer.
    Silent,
    /// It answered something that cannot be read.
    Malformed,
    Validation(Verdict),
    Memory(Match),
    Reviewers {
        count: u32,
        aligned: u32,
    },
    Party(Consensus),
}

/// How well memory knows the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Exact,
    Similar,
    Weak,
    None,
}

/// How a discussion ended, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Consensus {
    Full,
    Partial,
    None,
}

/// A source and what it said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Observed {
    pub(super) kind: Kind,
    pub(super) said: Said,
}

impl Observed {
    pub(super) fn read(kind: Kind, value: &Value) -> Self {
        let word = value.to_string().trim().to_lowercase();
        let said = match word.as_str() {
            "" => Said::Nothing,
            SILENT => Said::Silent,
            word => read(kind, value, word).unwrap_or(Said::Malformed),
        };
        Self { kind, said }
    }

    /// Says whether the source answered something that can be read.
    pub(super) fn is_readable(&self) -> bool {
        match self.said {
            Said::Nothing | Said::Silent | Said::Malformed => false,
            Said::Validation(_) | Said::Memory(_) | Said::Reviewers { .. } | Said::Party(_) => true,
        }
    }

    pub(super) fn points(&self) -> u32 {
        match self.said {
            Said::Nothing | Said::Silent | Said::Malformed => 0,
            Said::Validation(verdict) => verdict.points(),
            Said::Memory(Match::Exact) => 25,
            Said::Memory(Match::Similar) => 15,
            Said::Memory(Match::Weak) => 8,
            Said::Memory(Match::None) => 0,
            Said::Reviewers { count: 1, .. } => 10,
            Said::Reviewers { count, aligned } if count == aligned => 25,
            Said::Reviewers { .. } if self.is_split() => 5,
            Said::Reviewers { .. } => 15,
            Said::Party(Consensus::Full) => 15,
            Said::Party(Consensus::Partial) => 8,
            Said::Party(Consensus::None) => 0,
        }
    }

    /// Says whether fewer than two thirds of several reviewers agree.
    pub(super) fn is_split(&self) -> bool {
        match self.said {
            Said::Reviewers { count, aligned } => count > 1 && u64::from(aligned) * 3 < u64::from(count) * 2,
            Said::Nothing | Said::Silent | Said::Malformed | Said::Validation(_) | Said::Memory(_) | Said::Party(_) => {
                false
            }
        }
    }

    pub(super) fn verdict(&self) -> Option<Signal> {
        match self.said {
            Said::Validation(verdict) => Some(verdict.signal()),
            Said::Nothing
            | Said::Silent
            | Said::Malformed
            | Said::Memory(_)
            | Said::Reviewers { .. }
            | Said::Party(_) => None,
        }
    }

    /// Returns what was said, for a person.
    pub(super) fn words(&self) -> String {
        match self.said {
            Said::Nothing => "not configured".to_owned(),
            Said::Silent => "configured and did not answer".to_owned(),
            Said::Malformed => "answered something that cannot be read".to_owned(),
            Said::Validation(verdict) => verdict.words(),
            Said::Memory(Match::Exact) => "exact match".to_owned(),
            Said::Memory(Match::Similar) => "similar match".to_owned(),
            Said::Memory(Match::Weak) => "weak match".to_owned(),
            Said::Memory(Match::None) => "no match".to_owned(),
            Said::Reviewers { count: 1, .. } => "a single one".to_owned(),
            Said::Reviewers { count, aligned } => format!("{aligned} of {count} agree"),
            Said::Party(Consensus::Full) => "full consensus".to_owned(),
            Said::Party(Consensus::Partial) => "partial consensus".to_owned(),
            Said::Party(Consensus::None) => "no consensus".to_owned(),
        }
    }
}

fn read(kind: Kind, value: &Value, word: &str) -> Option<Said> {
    match kind {
        Kind::Validation => Verdict::read(value).map(Said::Validation),
        Kind::Memory => matched(value, word).map(Said::Memory),
        Kind::Reviewers => reviewers(value),
        Kind::Party => consensus(value, word).map(Said::Party),
    }
}

/// Reads a word, or a map with the word as `match_type` or with a `similarity_score` from 0 to 1.
fn matched(value: &Value, word: &str) -> Option<Match> {
    let told = value.get("match_type").map(|word| word.to_string().to_lowercase());
    match told.as_deref().unwrap_or(word) {
        "exact" => Some(Match::Exact),
        "similar" => Some(Match::Similar),
        "weak" => Some(Match::Weak),
        "none" => Some(Match::None),
        _ => {
            let score = value.get("similarity_score")?.number()?;
            match score {
                _ if !(0.0..=1.0).contains(&score) || told.is_some() => None,
                1.0 => Some(Match::Exact),
                _ if score > 0.8 => Some(Match::Similar),
                _ if score >= 0.5 => Some(Match::Weak),
                _ => Some(Match::None),
            }
        }
    }
}

/// Reads how many reviewers answered and how many of them agree; none at all is silence.
fn reviewers(value: &Value) -> Option<Said> {
    let counted = |name: &str| value.get(name)?.number().and_then(count);
    match (counted("reviewer_count")?, counted("aligned_count")?) {
        (0, 0) => Some(Said::Silent),
        (count, aligned) if aligned <= count => Some(Said::Reviewers { count, aligned }),
        (_, _) => None,
    }
}

/// Reads a word, or a map with the word as `agreement_level` or with `consensus_reached`; of several, the weakest counts.
fn consensus(value: &Value, word: &str) -> Option<Consensus> {
    if let Value::List(several) = value {
        let all: Option<Vec<Consensus>> = several
            .iter()
            .map(|one| consensus(one, one.to_string().trim().to_lowercase().as_str()))
            .collect();
        return all?.into_iter().max();
    }
    let told = value.get("agreement_level").map(|word| word.to_string().to_lowercase());
    match told.as_deref().unwrap_or(word) {
        "full" => Some(Consensus::Full),
        "partial" | "majority" => Some(Consensus::Partial),
        "none" => Some(Consensus::None),
        _ if told.is_some() => None,
        _ => match value.get("consensus_reached")?.to_string().as_str() {
            "true" => Some(Consensus::Full),
            "false" => Some(Consensus::None),
            _ => None,
        },
    }
}
