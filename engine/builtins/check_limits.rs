//! Counters and limits in, whether to stop and what is left out.

use super::outcome::Outcome;
use super::wait::{LONGEST_WAIT, backoff};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const CHECK_LIMITS: Builtin = Builtin {
    name: "check-limits",
    parameters: &[
        required("limits", "a map of limits"),
        required("metrics", "what `record-metrics` answered"),
        optional("round", "the number of the round; 1"),
        optional("iteration", "the number of the fix iteration; 0"),
    ],
    returns: "a map: `exceeded`, `limit`, `outcome`, `reason`, `remaining`, `backoff`",
    summary: "compares what was used with what is allowed",
    page: include_str!("../../spec/builtins/check-limits.md"),
    body: Some(check_limits),
};

/// What can be limited, in the order in which limits are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Rounds,
    Iterations,
    Failures,
    Runtime,
    Issues,
}

impl Limit {
    const ALL: [Limit; 5] = [
        Limit::Rounds,
        Limit::Iterations,
        Limit::Failures,
        Limit::Runtime,
        Limit::Issues,
    ];

    /// Returns its name in the map of limits.
    fn name(self) -> &'static str {
        match self {
            Limit::Rounds => "max_review_rounds",
            Limit::Iterations => "max_fix_iterations",
            Limit::Failures => "max_consecutive_failures",
            Limit::Runtime => "max_runtime_seconds",
            Limit::Issues => "max_total_issues",
        }
    }

    /// Returns its name in the map of what is left.
    fn left_name(self) -> &'static str {
        match self {
            Limit::Rounds => "rounds",
            Limit::Iterations => "iterations",
            Limit::Failures => "failures",
            Limit::Runtime => "seconds",
            Limit::Issues => "issues",
        }
    }

    fn outcome(self) -> &'static str {
        let outcome = match self {
            Limit::Runtime => Outcome::Timeout,
            Limit::Rounds | Limit::Iterations | Limit::Failures | Limit::Issues => Outcome::StoppedByLimit,
        };
        outcome.name()
    }

    fn used(self, used: &Used) -> f64 {
        match self {
            Limit::Rounds => used.round,
            Limit::Iterations => used.iteration,
            Limit::Failures => used.failures,
            Limit::Runtime => used.seconds,
            Limit::Issues => used.issues,
        }
    }

    /// Says whether a limit is passed. A round, an iteration or an issue may be the last that is allowed; failures and
    /// time end the work as soon as they reach it.
    fn is_passed(self, used: f64, most: f64) -> bool {
        match self {
            Limit::Rounds | Limit::Iterations | Limit::Issues => used > most,
            Limit::Failures | Limit::Runtime => used >= most,
        }
    }

    /// Returns what is left. The round that runs is not used up yet.
    fn left(self, used: f64, most: f64) -> f64 {
        let running = match self {
            Limit::Rounds => 1.0,
            Limit::Iterations | Limit::Failures | Limit::Runtime | Limit::Issues => 0.0,
        };
        (most - used + running).max(0.0)
    }

    fn reason(self, used: &Used, most: f64) -> String {
        match self {
            Limit::Rounds => format!("max review rounds ({most}) exceeded"),
            Limit::Iterations => format!("max fix iterations ({most}) exceeded in round {}", used.round),
            Limit::Failures => format!("too many consecutive failures ({})", used.failures),
            Limit::Runtime => format!("max runtime ({} minutes) exceeded", (used.seconds / 60.0).floor()),
            Limit::Issues => format!(
                "too many total issues ({}), which looks like an explosion of issues",
                used.issues
            ),
        }
    }
}

/// What was used so far.
struct Used {
    round: f64,
    iteration: f64,
    failures: f64,
    seconds: f64,
    issues: f64,
}

impl Used {
    fn read(arguments: &Arguments<'_>) -> Result<Self, BuiltinError> {
        let metrics = arguments.get("metrics");
        let counter = |name: &str| match metrics.get(name) {
            Some(value) => value
                .number()
                .ok_or_else(|| arguments.bad("metrics", "what `record-metrics` answered")),
            None => Ok(0.0),
        };
        Ok(Self {
            round: arguments.number_or("round", 1.0)?,
            iteration: arguments.number_or("iteration", 0.0)?,
            failures: counter("consecutive_failures")?,
            seconds: counter("elapsed_seconds")?,
            issues: counter("total_issues_found")?,
        })
    }

    /// Returns the seconds to wait before the next call.
    fn wait(&self) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number that is too large for it is the largest there is, and one below 0 is 0"
        )]
        match self.failures as u32 {
            0 => 0.0,
            failures => backoff(failures, LONGEST_WAIT) as f64,
        }
    }
}

fn check_limits(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let used = Used::read(arguments)?;
    let mut passed = None;
    let mut remaining = Vec::new();
    for limit in Limit::ALL {
        let most = most(arguments, limit)?;
        let left = most.map(|most| limit.left(limit.used(&used), most));
        remaining.push((limit.left_name().to_owned(), left.map_or(Value::Nothing, Value::Number)));
        if let Some(most) = most.filter(|most| limit.is_passed(limit.used(&used), *most)) {
            passed = passed.or(Some((limit, most)));
        }
    }
    let (name, outcome, reason) = match passed {
        Some((limit, most)) => (
            Value::from(limit.name()),
            Value::from(limit.outcome()),
            limit.reason(&used, most),
        ),
        None => (Value::Nothing, Value::Nothing, String::new()),
    };
    Ok(Value::of([
        ("exceeded", Value::Bool(passed.is_some())),
        ("limit", name),
        ("outcome", outcome),
        ("reason", Value::Text(reason)),
        ("remaining", Value::Map(remaining)),
        ("backoff", Value::Number(used.wait())),
    ]))
}

fn most(arguments: &Arguments<'_>, limit: Limit) -> Result<Option<f64>, BuiltinError> {
    match arguments.get("limits").get(limit.name()) {
        Some(value) if !value.is_empty() => value
            .number()
            .map(Some)
            .ok_or_else(|| arguments.bad("limits", "a map of numbers")),
        Some(_) | None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use crate::builtins::{Value, run};

    const LIMITS: [(&str, f64); 5] = [
        ("max_review_rounds", 3.0),
        ("max_fix_iterations", 3.0),
        ("max_consecutive_failures", 5.0),
        ("max_runtime_seconds", 1800.0),
        ("max_total_issues", 50.0),
    ];

    fn numbers<const N: usize>(pairs: [(&str, f64); N]) -> Value {
        Value::of(pairs.map(|(name, number)| (name, Value::Number(number))))
    }

    /// Compares with the usual limits.
    fn checked(round: f64, iteration: f64, metrics: Value) -> Value {
        let given = [
            ("limits", numbers(LIMITS)),
            ("metrics", metrics),
            ("round", Value::from(round)),
            ("iteration", Value::from(iteration)),
        ];
        run("check-limits", &given).unwrap()
    }

    fn limit(answer: &Value) -> String {
        answer.get("limit").unwrap().to_string()
    }

    fn reason(answer: &Value) -> String {
        answer.get("reason").unwrap().to_string()
    }

    #[test]
    fn a_fresh_start_passes_no_limit() {
        let answer = checked(1.0, 0.0, Value::Nothing);
        assert_eq!(answer.get("exceeded"), Some(&Value::Bool(false)));
        assert_eq!(answer.get("limit"), Some(&Value::Nothing));
        assert_eq!(answer.get("outcome"), Some(&Value::Nothing));
        assert_eq!(reason(&answer), "");
        assert_eq!(answer.get("backoff"), Some(&Value::from(0.0)));
    }

    #[test]
    fn the_third_round_is_allowed_and_the_fourth_is_not() {
        assert_eq!(limit(&checked(3.0, 0.0, Value::Nothing)), "");
        let answer = checked(4.0, 0.0, Value::Nothing);
        assert_eq!(answer.get("exceeded"), Some(&Value::Bool(true)));
        assert_eq!(limit(&answer), "max_review_rounds");
        assert_eq!(answer.get("outcome"), Some(&Value::from("stopped-by-limit")));
        assert_eq!(reason(&answer), "max review rounds (3) exceeded");
    }

    #[test]
    fn the_third_fix_iteration_is_allowed_and_the_fourth_is_not() {
        assert_eq!(limit(&checked(1.0, 3.0, Value::Nothing)), "");
        let answer = checked(1.0, 4.0, Value::Nothing);
        assert_eq!(limit(&answer), "max_fix_iterations");
        assert_eq!(reason(&answer), "max fix iterations (3) exceeded in round 1");
    }

    #[test]
    fn the_fifth_failure_in_a_row_ends_it() {
        let failed = |count: f64| checked(1.0, 0.0, numbers([("consecutive_failures", count)]));
        assert_eq!(limit(&failed(4.0)), "");
        assert_eq!(limit(&failed(5.0)), "max_consecutive_failures");
        assert_eq!(reason(&failed(5.0)), "too many consecutive failures (5)");
        assert_eq!(failed(5.0).get("outcome"), Some(&Value::from("stopped-by-limit")));
    }

    #[test]
    fn time_ends_it_as_soon_as_it_is_used_up() {
        let worked = |seconds: f64| checked(1.0, 0.0, numbers([("elapsed_seconds", seconds)]));
        assert_eq!(limit(&worked(1799.9)), "");
        let answer = worked(1800.0);
        assert_eq!(limit(&answer), "max_runtime_seconds");
        assert_eq!(answer.get("outcome"), Some(&Value::from("timeout")));
        assert_eq!(reason(&answer), "max runtime (30 minutes) exceeded");
    }

    #[test]
    fn fifty_issues_are_allowed_and_fifty_one_are_not() {
        let found = |count: f64| checked(1.0, 0.0, numbers([("total_issues_found", count)]));
        assert_eq!(limit(&found(50.0)), "");
        assert_eq!(limit(&found(51.0)), "max_total_issues");
        assert_eq!(
            reason(&found(51.0)),
            "too many total issues (51), which looks like an explosion of issues"
        );
    }

    #[test]
    fn the_first_limit_of_the_page_is_the_one_that_is_named() {
        let all = numbers([
            ("consecutive_failures", 9.0),
            ("elapsed_seconds", 9000.0),
            ("total_issues_found", 900.0),
        ]);
        assert_eq!(limit(&checked(4.0, 4.0, all.clone())), "max_review_rounds");
        assert_eq!(limit(&checked(3.0, 4.0, all.clone())), "max_fix_iterations");
        assert_eq!(limit(&checked(3.0, 3.0, all)), "max_consecutive_failures");
        let late = numbers([("elapsed_seconds", 9000.0), ("total_issues_found", 900.0)]);
        assert_eq!(limit(&checked(3.0, 3.0, late)), "max_runtime_seconds");
    }

    #[test]
    fn what_is_left_counts_the_round_that_runs() {
        let metrics = numbers([
            ("consecutive_failures", 1.0),
            ("elapsed_seconds", 60.5),
            ("total_issues_found", 7.0),
        ]);
        let left = checked(1.0, 1.0, metrics).get("remaining").unwrap().clone();
        assert_eq!(
            left,
            numbers([
                ("rounds", 3.0),
                ("iterations", 2.0),
                ("failures", 4.0),
                ("seconds", 1739.5),
                ("issues", 43.0),
            ])
        );
    }

    #[test]
    fn nothing_that_is_left_is_below_zero() {
        let metrics = numbers([
            ("consecutive_failures", 50.0),
            ("elapsed_seconds", 1e6),
            ("total_issues_found", 1e6),
        ]);
        let answer = checked(9.0, 9.0, metrics);
        let Some(Value::Map(left)) = answer.get("remaining") else {
            panic!("{answer}")
        };
        assert_eq!(left.len(), 5);
        assert!(left.iter().all(|(_, left)| *left == Value::from(0.0)), "{left:?}");
    }

    #[test]
    fn a_limit_that_is_not_given_is_not_compared_and_nothing_is_left_of_it() {
        let given = [
            ("limits", numbers([("max_review_rounds", 3.0)])),
            ("metrics", numbers([("elapsed_seconds", 1e9)])),
        ];
        let answer = run("check-limits", &given).unwrap();
        assert_eq!(limit(&answer), "");
        let left = answer.get("remaining").unwrap();
        assert_eq!(left.get("rounds"), Some(&Value::from(3.0)));
        assert_eq!(left.get("seconds"), Some(&Value::Nothing));
    }

    #[test]
    fn the_wait_grows_with_the_failures_in_a_row_up_to_a_minute() {
        let wait = |failures: f64| {
            let answer = checked(1.0, 0.0, numbers([("consecutive_failures", failures)]));
            answer.get("backoff").unwrap().number().unwrap()
        };
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0, 6.0, 100.0].map(wait),
            [0.0, 2.0, 4.0, 8.0, 60.0, 60.0]
        );
    }

    #[test]
    fn limits_may_be_written_as_text_and_must_be_numbers() {
        let given = |most: &str| {
            [
                ("limits", Value::of([("max_review_rounds", Value::from(most))])),
                ("metrics", Value::Nothing),
                ("round", Value::from("2")),
            ]
        };
        assert_eq!(limit(&run("check-limits", &given("1")).unwrap()), "max_review_rounds");
        let error = run("check-limits", &given("few")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`limits` of built-in `check-limits` must be a map of numbers"
        );
    }
}
