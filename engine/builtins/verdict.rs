//! What a validation answered in, what it means and what comes next out.

mod family;

pub(super) use family::{Next, Signal, Verdict, count};

use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use family::Gate;

pub(super) const VERDICT: Builtin = Builtin {
    name: "verdict",
    parameters: &[
        required("said", "what the validation answered"),
        optional("rationale", "why a WAIVED one is accepted"),
    ],
    returns: "a map: `family`, `words`, `signal`, `next`, `points`, `reason`",
    summary: "reads the verdict of a validation, whichever words it uses",
    page: include_str!("../../spec/builtins/verdict.md"),
    body: Some(verdict),
};

/// A verdict that somebody read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) words: String,
    pub(super) signal: Signal,
    pub(super) next: Next,
    /// Why, where somebody said so.
    pub(super) reason: Option<String>,
}

impl Judged {
    /// Reads what this built-in answered, or what a validation itself answered.
    pub(super) fn read(value: &Value) -> Option<Judged> {
        let told = |name: &str| value.get(name).map(Value::to_string);
        if let (Some(words), Some(signal), Some(next)) = (told("words"), told("signal"), told("next")) {
            let signal = Signal::named(&signal)?;
            let next = Next::named(&next)?;
            return Some(Judged {
                words,
                signal,
                next,
                reason: told("reason"),
            });
        }
        Verdict::read(value).map(|verdict| Judged {
            words: verdict.words(),
            signal: verdict.signal(),
            next: verdict.next(),
            reason: None,
        })
    }
}

fn verdict(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let said = arguments.get("said");
    let Some(verdict) = Verdict::read(said) else {
        let reason = match said.is_empty() {
            true => "the validation said nothing".to_owned(),
            false => format!("nobody knows the verdict `{said}`"),
        };
        return Ok(answer("", &said.to_string(), (Signal::Fail, Next::Person, 0), &reason));
    };
    let unfounded = verdict == Verdict::Gate(Gate::Waived) && arguments.get("rationale").is_empty();
    let (next, reason) = match (verdict.next(), unfounded) {
        (_, true) => (Next::Person, "it is waived and nobody said why".to_owned()),
        (Next::Done, false) => (Next::Done, format!("{} is good enough", verdict.words())),
        (Next::Fix, false) => (Next::Fix, format!("{} can be worked on", verdict.words())),
        (Next::Person, false) => (Next::Person, format!("{} is for a person to decide", verdict.words())),
    };
    let meaning = (verdict.signal(), next, verdict.points());
    Ok(answer(verdict.family(), &verdict.words(), meaning, &reason))
}

fn answer(family: &str, words: &str, (signal, next, points): (Signal, Next, u32), reason: &str) -> Value {
    Value::of([
        ("family", Value::from(family)),
        ("words", Value::from(words)),
        ("signal", Value::from(signal.name())),
        ("next", Value::from(next.name())),
        ("points", Value::Number(f64::from(points))),
        ("reason", Value::from(reason)),
    ])
}

#[cfg(test)]
mod tests {
    use crate::builtins::{Value, run};

    fn told(said: &str, rationale: &str) -> String {
        let given = [("said", Value::from(said)), ("rationale", Value::from(rationale))];
        run("verdict", &given).unwrap().to_string()
    }

    #[test]
    fn a_verdict_of_each_family_is_told_with_its_meaning() {
        assert_eq!(
            told("needs work", ""),
            "family: readiness; words: NEEDS WORK; signal: CONCERNS; next: person; points: 15; reason: NEEDS WORK is for a person to decide"
        );
        assert_eq!(
            told("FAIL", ""),
            "family: gate; words: FAIL; signal: FAIL; next: fix; points: 0; reason: FAIL can be worked on"
        );
        assert_eq!(
            told("Approve", ""),
            "family: review; words: Approve; signal: PASS; next: done; points: 35; reason: Approve is good enough"
        );
        assert_eq!(
            told("2", ""),
            "family: errors; words: 2 errors; signal: CONCERNS; next: fix; points: 20; reason: 2 errors can be worked on"
        );
        assert_eq!(
            told("6/6", ""),
            "family: phases; words: 6 of 6 phases passed; signal: PASS; next: done; points: 35; reason: 6 of 6 phases passed is good enough"
        );
    }

    #[test]
    fn what_is_waived_needs_a_reason() {
        assert_eq!(
            told("WAIVED", ""),
            "family: gate; words: WAIVED; signal: PASS; next: person; points: 35; reason: it is waived and nobody said why"
        );
        assert_eq!(
            told("WAIVED", "the provider has no test system"),
            "family: gate; words: WAIVED; signal: PASS; next: done; points: 35; reason: WAIVED is good enough"
        );
    }

    #[test]
    fn a_verdict_that_nobody_knows_goes_to_a_person() {
        assert_eq!(
            told("splendid", ""),
            "family: ; words: splendid; signal: FAIL; next: person; points: 0; reason: nobody knows the verdict `splendid`"
        );
        assert_eq!(
            told("", ""),
            "family: ; words: ; signal: FAIL; next: person; points: 0; reason: the validation said nothing"
        );
    }
}
