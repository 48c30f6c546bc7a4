//! The signals a run observed in, one score with its reasons out.

mod score;
mod signal;

use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use score::{Case, Score};
use signal::{Kind, Observed};

pub(super) const CONFIDENCE: Builtin = Builtin {
    name: "confidence",
    parameters: &[
        required("tier", "how much is at stake, 0 to 4"),
        optional(
            "validation",
            "verdict of a validation (PASS, CONCERNS, FAIL, WAIVED; READY, NEEDS WORK, NOT READY; Approve, Changes, Blocked), a number of errors, or phases as 7/8",
        ),
        optional(
            "memory",
            "how well memory knows work like this: exact, similar, weak or none",
        ),
        optional("reviewers", "a map of `reviewer_count` and `aligned_count`"),
        optional("party", "what a discussion ended with: full, partial or none"),
        optional("bonus", "points added after everything else"),
        optional("menu", "false where the step offers no menu to choose from"),
    ],
    returns: "a map: `score`, `threshold`, `presentation`, `action`, `signals`, `tier_adjustment`, `edge_case`, `capped`, `reason`",
    summary: "computes how sure a run can be of its work, from what it observed",
    page: include_str!("../../spec/builtins/confidence.md"),
    body: Some(confidence),
};

/// From which scores on a run is sure of its work, or half sure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Thresholds {
    pub(super) high: f64,
    pub(super) medium: f64,
}

impl Thresholds {
    pub(super) const USUAL: Thresholds = Thresholds {
        high: 80.0,
        medium: 50.0,
    };

    pub(super) fn band(self, score: f64) -> Band {
        if score >= self.high {
            Band::High
        } else if score >= self.medium {
            Band::Medium
        } else {
            Band::Low
        }
    }
}

/// How sure a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Band {
    High,
    Medium,
    Low,
}

impl Band {
    pub(super) fn name(self) -> &'static str {
        match self {
            Band::High => "high",
            Band::Medium => "medium",
            Band::Low => "low",
        }
    }

    /// Returns how much a person is shown.
    fn presentation(self) -> &'static str {
        match self {
            Band::High => "minimal",
            Band::Medium => "summary",
            Band::Low => "full",
        }
    }
}

/// Computes the score. One that cannot be computed is a low score and no error: the run goes on, to a person.
fn confidence(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let score = match stakes(arguments) {
        Ok((tier, bonus)) => {
            let observed = Kind::ALL.map(|kind| Observed::read(kind, arguments.get(kind.name())));
            Score::of(&observed, tier, bonus)
        }
        Err(fault) => Score::failed(&fault),
    };
    let band = Thresholds::USUAL.band(score.points);
    let action = match (arguments.get("menu").to_string().as_str(), score.case) {
        ("false", _) => Value::from("no_menu_detected"),
        (_, Some(Case::NoSignals | Case::Failed)) => Value::from("ask_person"),
        (_, Some(Case::Malformed | Case::Conflict | Case::Single) | None) => Value::Nothing,
    };
    Ok(Value::of([
        ("score", Value::Number(score.points)),
        ("threshold", Value::from(band.name())),
        ("presentation", Value::from(band.presentation())),
        ("action", action),
        ("signals", Value::List(score.signals)),
        ("tier_adjustment", Value::Number(score.tier_adjustment)),
        (
            "edge_case",
            score.case.map_or(Value::Nothing, |case| Value::from(case.name())),
        ),
        ("capped", Value::Bool(score.capped)),
        ("reason", Value::Text(score.reasons.join("; "))),
    ]))
}

/// Reads the tier and the bonus; says what is wrong with them where they cannot be read.
fn stakes(arguments: &Arguments<'_>) -> Result<(usize, f64), String> {
    let tiers = ["0", "1", "2", "3", "4"];
    let given = arguments.get("tier").to_string();
    let Some(tier) = tiers.iter().position(|tier| *tier == given.trim()) else {
        return Err(format!("`tier` is `{given}` and not a number from 0 to 4"));
    };
    match arguments.number_or("bonus", 0.0) {
        Ok(bonus) => Ok((tier, bonus)),
        Err(_) => Err(format!("`bonus` is `{}` and not a number", arguments.get("bonus"))),
    }
}

#[cfg(test)]
mod tests;
