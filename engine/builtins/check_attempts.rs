//! What a validation found, and what it found before, in; whether to try again or to ask for help out.

mod history;

use super::verdict::{Judged, Next};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use history::{History, Run};

pub(super) const CHECK_ATTEMPTS: Builtin = Builtin {
    name: "check-attempts",
    parameters: &[
        required(
            "verdict",
            "what `verdict` answered, or what the validation itself answered",
        ),
        optional("issues", "what it found"),
        optional("history", "what this built-in answered last time; empty at the start"),
        optional(
            "consensus",
            "what the discussion that was asked for ended with: full, partial or none",
        ),
        optional(
            "limits",
            "a map of `max_fix_attempts` (5), `max_same_error` (3), `max_validations` (10), `max_oscillations` (2)",
        ),
    ],
    returns: "a map: `decision`, `reason`, `validations`, `attempts`, `same_error`, `stalled`, `oscillations`, `hash`, `history`",
    summary: "decides after a validation whether to fix, to discuss, to ask a person or to stop",
    page: include_str!("../../spec/builtins/check-attempts.md"),
    body: Some(check_attempts),
};

/// After how many attempts a set of issues that stays the same is discussed.
const STALLED_AFTER: f64 = 2.0;

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Done,
    Fix,
    Party,
    Person,
    /// No further attempt whatever: a person takes over.
    Stop,
}

impl Decision {
    fn name(self) -> &'static str {
        match self {
            Decision::Done => "done",
            Decision::Fix => "fix",
            Decision::Party => "party",
            Decision::Person => "person",
            Decision::Stop => "stop",
        }
    }
}

/// How often what may happen.
struct Limits {
    attempts: f64,
    same_error: f64,
    validations: f64,
    oscillations: f64,
}

impl Limits {
    fn read(arguments: &Arguments<'_>) -> Result<Self, BuiltinError> {
        let given = arguments.get("limits");
        let limit = |name: &str, otherwise: f64| match given.get(name).filter(|value| !value.is_empty()) {
            Some(value) => value
                .number()
                .ok_or_else(|| arguments.bad("limits", "a map of numbers")),
            None => Ok(otherwise),
        };
        Ok(Self {
            attempts: limit("max_fix_attempts", 5.0)?,
            same_error: limit("max_same_error", 3.0)?,
            validations: limit("max_validations", 10.0)?,
            oscillations: limit("max_oscillations", 2.0)?,
        })
    }
}

fn check_attempts(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let limits = Limits::read(arguments)?;
    let mut history = History::read(arguments.get("history"));
    let said = arguments.get("verdict");
    let judged = Judged::read(said);
    let run = history.take(
        judged.as_ref(),
        arguments.get("issues"),
        &arguments.get("consensus").to_string(),
    );
    let (decision, reason) = match judged {
        None if said.is_empty() => (Decision::Person, "the validation said nothing".to_owned()),
        None => (Decision::Person, format!("nobody knows the verdict `{said}`")),
        Some(judged) => match judged.next {
            Next::Done => (Decision::Done, String::new()),
            Next::Person => {
                let usual = || format!("{} is for a person to decide", judged.words);
                (Decision::Person, judged.reason.unwrap_or_else(usual))
            }
            Next::Fix => decide(&run, &limits),
        },
    };
    history.decided(
        decision == Decision::Fix || decision == Decision::Party,
        decision == Decision::Party,
    );
    Ok(Value::of([
        ("decision", Value::from(decision.name())),
        ("reason", Value::Text(reason)),
        ("validations", Value::Number(run.validations)),
        ("attempts", Value::Number(run.attempts)),
        ("same_error", Value::Number(run.same_error)),
        ("stalled", Value::Bool(run.same_error > 1.0)),
        ("oscillations", Value::Number(run.oscillations)),
        ("hash", Value::Text(run.hash)),
        ("history", history.value()),
    ]))
}

/// Decides about issues that could be fixed. What ends everything comes first, then what needs a person, then what
/// needs another view.
fn decide(run: &Run, limits: &Limits) -> (Decision, String) {
    if run.validations >= limits.validations {
        let reason = format!("{} validations are used up", run.validations);
        return (Decision::Stop, reason);
    }
    if run.oscillations >= limits.oscillations {
        let reason = format!("fixes undo each other: {} times something came back", run.oscillations);
        return (Decision::Stop, reason);
    }
    if run.attempts >= limits.attempts {
        let reason = format!("{} attempts did not solve it", run.attempts);
        return (Decision::Person, reason);
    }
    let stalled = run.same_error > 1.0 && run.attempts >= STALLED_AFTER;
    if !stalled && run.same_error < limits.same_error {
        return (Decision::Fix, String::new());
    }
    let same = format!("the same issues came {} times in a row", run.same_error);
    match run.discussed_in_vain {
        true => (
            Decision::Person,
            format!("{same}, and a discussion about them came to nothing ({})", run.hash),
        ),
        false => (Decision::Party, same),
    }
}

#[cfg(test)]
mod tests;
