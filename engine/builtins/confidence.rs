//! The signals a run observed in, one score with its reasons out.

mod score;
mod signal;

use super::calibration::{Band, Thresholds, thresholds, tier};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use score::{Case, Score};
use signal::{Kind, Observed};

pub(super) const CONFIDENCE: Builtin = Builtin {
    name: "confidence",
    parameters: &[
        required("tier", "how much is at stake, 0 to 4"),
        optional("validation", "verdict of a validation, of any family `verdict` knows"),
        optional(
            "memory",
            "how well memory knows work like this: exact, similar, weak or none",
        ),
        optional("reviewers", "a map of `reviewer_count` and `aligned_count`"),
        optional("party", "what a discussion ended with: full, partial or none"),
        optional("bonus", "points added after everything else"),
        optional(
            "calibration",
            "what earlier scores were worth: the text of a calibration file, or its value",
        ),
        optional(
            "overrides",
            "a map of `high_threshold` and `medium_threshold`; calibration does not count then",
        ),
        optional("menu", "false where the step offers no menu to choose from"),
    ],
    returns: "a map: `score`, `threshold`, `presentation`, `action`, `thresholds`, `signals`, `tier_adjustment`, `edge_case`, `capped`, `reason`",
    summary: "computes how sure a run can be of its work, from what it observed",
    page: include_str!("../../spec/builtins/confidence.md"),
    body: Some(confidence),
};

/// Computes the score. One that cannot be computed is a low score and no error: the run goes on, to a person.
fn confidence(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let stakes = stakes(arguments);
    let mut score = match &stakes {
        Ok((tier, bonus)) => {
            let observed = Kind::ALL.map(|kind| Observed::read(kind, arguments.get(kind.name())));
            Score::of(&observed, *tier, *bonus)
        }
        Err(fault) => Score::failed(fault),
    };
    let limits = match &stakes {
        Ok((tier, _)) => bounds(arguments, *tier, &mut score.reasons),
        Err(_) => Thresholds::USUAL,
    };
    let band = limits.band(score.points);
    let (threshold, presentation) = shown(band);
    let action = match (arguments.get("menu").to_string().as_str(), score.case) {
        ("false", _) => Value::from("no_menu_detected"),
        (_, Some(Case::NoSignals | Case::Failed)) => Value::from("ask_person"),
        (_, Some(Case::Malformed | Case::Conflict | Case::Single) | None) => Value::Nothing,
    };
    let case = score.case.map_or(Value::Nothing, |case| Value::from(case.name()));
    Ok(Value::of([
        ("score", Value::Number(score.points)),
        ("threshold", Value::from(threshold)),
        ("presentation", Value::from(presentation)),
        ("action", action),
        (
            "thresholds",
            Value::of([
                ("high", Value::Number(limits.high)),
                ("medium", Value::Number(limits.medium)),
            ]),
        ),
        ("signals", Value::List(score.signals)),
        ("tier_adjustment", Value::Number(score.tier_adjustment)),
        ("edge_case", case),
        ("capped", Value::Bool(score.capped)),
        ("reason", Value::Text(score.reasons.join("; "))),
    ]))
}

/// Returns the name of a band and how much a person is shown in it.
fn shown(band: Band) -> (&'static str, &'static str) {
    match band {
        Band::High => ("high", "minimal"),
        Band::Medium => ("medium", "summary"),
        Band::Low => ("low", "full"),
    }
}

/// Returns the thresholds: what the user set, what a calibration says, or the usual ones. What cannot be read is said.
fn bounds(arguments: &Arguments<'_>, tier: usize, reasons: &mut Vec<String>) -> Thresholds {
    let usual = Thresholds::USUAL;
    let mut fallen_back = |what: &str| {
        let Thresholds { high, medium } = usual;
        reasons.push(format!(
            "{what} cannot be read, so high is {high} and medium is {medium}"
        ));
        usual
    };
    let overrides = arguments.get("overrides");
    if !overrides.is_empty() {
        let set = |name: &str, otherwise: f64| match overrides.get(name) {
            Some(value) => value.number().filter(|number| (0.0..=100.0).contains(number)),
            None => Some(otherwise),
        };
        let set = (set("high_threshold", usual.high), set("medium_threshold", usual.medium));
        return match set {
            (Some(high), Some(medium)) if high >= medium => Thresholds { high, medium },
            (Some(_) | None, Some(_) | None) => fallen_back("`overrides`"),
        };
    }
    let calibration = arguments.get("calibration");
    match calibration.is_empty() {
        true => usual,
        false => thresholds(calibration, tier).unwrap_or_else(|| fallen_back("the calibration")),
    }
}

/// Reads the tier and the bonus; says what is wrong with them where they cannot be read.
fn stakes(arguments: &Arguments<'_>) -> Result<(usize, f64), String> {
    let given = arguments.get("tier");
    let Some(tier) = tier(given) else {
        return Err(format!("`tier` is `{given}` and not a whole number from 0 to 4"));
    };
    match arguments.number_or("bonus", 0.0) {
        Ok(bonus) => Ok((tier, bonus)),
        Err(_) => Err(format!("`bonus` is `{}` and not a number", arguments.get("bonus"))),
    }
}

#[cfg(test)]
mod tests;
