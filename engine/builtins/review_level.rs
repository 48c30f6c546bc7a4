//! Confidence and tier in, how many reviewers a section needs out.

use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const REVIEW_LEVEL: Builtin = Builtin {
    name: "review-level",
    parameters: &[
        required("confidence", "the score, 0 to 100"),
        required("tier", "how much is at stake, 0 to 4"),
        optional("thresholds", "a map of `minimal` (98) and `dual` (95)"),
        optional("minimums", "a map from a tier to the least level the user wants for it"),
        optional("wanted", "the level that a person chose; it wins over everything else"),
    ],
    returns: "a map: `name` (`minimal`, `dual` or `full`), `label`, `reason`",
    summary: "chooses how deep a review goes",
    page: include_str!("../../spec/builtins/review-level.md"),
    body: Some(review_level),
};

/// How deep a review goes, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Minimal,
    Dual,
    Full,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Minimal => "minimal",
            Level::Dual => "dual",
            Level::Full => "full",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Level::Minimal => "minimal: one reviewer",
            Level::Dual => "dual: two reviewers",
            Level::Full => "full: three reviewers",
        }
    }

    fn named(name: &str) -> Option<Level> {
        [Level::Minimal, Level::Dual, Level::Full]
            .into_iter()
            .find(|level| level.name() == name)
    }
}

fn review_level(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let confidence = arguments.number("confidence")?;
    let tier = arguments.number("tier")?;
    let thresholds = arguments.get("thresholds");
    let minimal = bound(arguments, thresholds, "minimal", 98.0)?;
    let dual = bound(arguments, thresholds, "dual", 95.0)?;
    let (chosen, reason) = if tier < 1.0 {
        (Level::Minimal, "tier 0 is always minimal".to_owned())
    } else if tier < 2.0 {
        (Level::Dual, "tier 1 is always dual".to_owned())
    } else if confidence > minimal {
        (Level::Minimal, format!("confidence is above {minimal} %"))
    } else if confidence >= dual {
        (Level::Dual, format!("confidence is between {dual} % and {minimal} %"))
    } else {
        (Level::Full, format!("confidence is below {dual} %"))
    };
    let least = least_level(arguments, tier)?;
    let (level, reason) = match (wanted(arguments)?, least) {
        (Some(wanted), _) => (wanted, "a person chose it".to_owned()),
        (None, Some(least)) if least > chosen => (least, format!("tier {tier} asks for {} at least", least.name())),
        (None, Some(_) | None) => (chosen, reason),
    };
    Ok(Value::of_texts([
        ("name", level.name().to_owned()),
        ("label", level.label().to_owned()),
        ("reason", reason),
    ]))
}

fn wanted(arguments: &Arguments<'_>) -> Result<Option<Level>, BuiltinError> {
    match arguments.get("wanted") {
        nothing if nothing.is_empty() => Ok(None),
        value => Level::named(&value.to_string())
            .map(Some)
            .ok_or_else(|| arguments.bad("wanted", "minimal, dual or full")),
    }
}

fn bound(arguments: &Arguments<'_>, thresholds: &Value, name: &str, otherwise: f64) -> Result<f64, BuiltinError> {
    match thresholds.get(name) {
        Some(value) => value
            .number()
            .ok_or_else(|| arguments.bad("thresholds", "a map of numbers")),
        None => Ok(otherwise),
    }
}

fn least_level(arguments: &Arguments<'_>, tier: f64) -> Result<Option<Level>, BuiltinError> {
    match arguments.get("minimums").get(&tier.to_string()) {
        Some(value) => Level::named(&value.to_string())
            .map(Some)
            .ok_or_else(|| arguments.bad("minimums", "a map from tiers to minimal, dual or full")),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use crate::builtins::{BuiltinError, Value, run};

    fn level(tier: f64, confidence: f64) -> String {
        let given = [("confidence", Value::from(confidence)), ("tier", Value::from(tier))];
        run("review-level", &given).unwrap().get("name").unwrap().to_string()
    }

    fn raised(tier: f64, confidence: f64, least: &str) -> Result<Value, BuiltinError> {
        let minimums = Value::Map(vec![("2".to_owned(), Value::from(least))]);
        let given = [
            ("confidence", Value::from(confidence)),
            ("tier", Value::from(tier)),
            ("minimums", minimums),
        ];
        run("review-level", &given)
    }

    #[test]
    fn every_cell_of_the_table_holds() {
        for confidence in [0.0, 94.9, 95.0, 98.0, 98.1, 100.0] {
            assert_eq!(level(0.0, confidence), "minimal");
            assert_eq!(level(1.0, confidence), "dual");
        }
        for tier in [2.0, 3.0, 4.0] {
            assert_eq!(level(tier, 0.0), "full");
            assert_eq!(level(tier, 94.9), "full");
            assert_eq!(level(tier, 95.0), "dual");
            assert_eq!(level(tier, 98.0), "dual");
            assert_eq!(level(tier, 98.1), "minimal");
            assert_eq!(level(tier, 100.0), "minimal");
        }
    }

    #[test]
    fn a_minimum_raises_a_level_and_never_lowers_one() {
        let name = |answer: Value| answer.get("name").unwrap().to_string();
        assert_eq!(name(raised(2.0, 99.0, "full").unwrap()), "full");
        assert_eq!(name(raised(2.0, 50.0, "minimal").unwrap()), "full");
        assert_eq!(name(raised(3.0, 99.0, "full").unwrap()), "minimal");
    }

    #[test]
    fn a_level_nobody_knows_is_an_error_that_names_the_parameter() {
        let error = raised(2.0, 99.0, "deep").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`minimums` of built-in `review-level` must be a map from tiers to minimal, dual or full"
        );
    }

    #[test]
    fn a_level_that_a_person_chose_wins() {
        let given = |wanted: &str| {
            let pairs = [
                ("confidence", Value::from(10.0)),
                ("tier", Value::from(4.0)),
                ("wanted", Value::from(wanted)),
            ];
            run("review-level", &pairs)
        };
        assert_eq!(given("minimal").unwrap().get("name"), Some(&Value::from("minimal")));
        assert_eq!(given("").unwrap().get("name"), Some(&Value::from("full")));
        assert!(given("deep").is_err());
    }

    #[test]
    fn thresholds_of_the_user_replace_the_usual_ones() {
        let thresholds = Value::Map(vec![
            ("minimal".to_owned(), Value::from("90")),
            ("dual".to_owned(), Value::from("80")),
        ]);
        let given = [
            ("confidence", Value::from(91.0)),
            ("tier", Value::from(2.0)),
            ("thresholds", thresholds),
        ];
        let answer = run("review-level", &given).unwrap();
        assert_eq!(answer.get("name"), Some(&Value::from("minimal")));
        assert_eq!(answer.get("reason"), Some(&Value::from("confidence is above 90 %")));
    }
}
