//! Counters through a run.

use super::Trigger;
use crate::builtins::{Value, run};

/// Adds to counters.
fn record(metrics: &Value, given: &[(&'static str, Value)]) -> Value {
    let mut all = vec![
        ("metrics", metrics.clone()),
        ("at", Value::from("2026-01-15T10-30-00Z")),
    ];
    all.extend_from_slice(given);
    run("record-metrics", &all).unwrap()
}

fn count(metrics: &Value, name: &str) -> f64 {
    metrics.get(name).unwrap().number().unwrap()
}

fn text(metrics: &Value, name: &str) -> String {
    metrics.get(name).unwrap().to_string()
}

/// Replies of agents: `+` answered, `-` failed.
fn replies(pattern: &str) -> Value {
    let reply = |mark: char| {
        let status = if mark == '-' { "failed" } else { "done" };
        Value::of([("agent", Value::from("a")), ("status", Value::from(status))])
    };
    Value::List(pattern.chars().map(reply).collect())
}

#[test]
fn the_first_call_starts_every_counter_at_zero() {
    let metrics = record(&Value::Nothing, &[]);
    let zero = [
        "review_rounds",
        "fix_iterations",
        "total_issues_found",
        "total_issues_fixed",
        "total_issues_blocked",
        "subagent_invocations",
        "failures",
        "consecutive_failures",
        "recoveries",
        "loops_detected",
        "total_backoff_seconds",
        "elapsed_seconds",
        "final_confidence",
    ];
    for name in zero {
        assert_eq!(count(&metrics, name), 0.0, "{name}");
    }
    assert_eq!(text(&metrics, "started_at"), "2026-01-15T10-30-00Z");
    assert_eq!(metrics.get("ended_at"), Some(&Value::Nothing));
}

#[test]
fn a_round_and_an_iteration_are_added() {
    let metrics = record(&Value::Nothing, &[("rounds", Value::from(1.0))]);
    assert_eq!(count(&metrics, "review_rounds"), 1.0);
    let metrics = record(
        &metrics,
        &[("rounds", Value::from("1")), ("fix_iterations", Value::from(2.0))],
    );
    assert_eq!(count(&metrics, "review_rounds"), 2.0);
    assert_eq!(count(&metrics, "fix_iterations"), 2.0);
}

#[test]
fn issues_that_were_found_fixed_and_blocked_are_added() {
    let metrics = record(&Value::Nothing, &[("found", Value::from(5.0))]);
    let metrics = record(&metrics, &[("fixed", Value::from(1.0))]);
    let metrics = record(&metrics, &[("fixed", Value::from(1.0)), ("blocked", Value::from(1.0))]);
    assert_eq!(count(&metrics, "total_issues_found"), 5.0);
    assert_eq!(count(&metrics, "total_issues_fixed"), 2.0);
    assert_eq!(count(&metrics, "total_issues_blocked"), 1.0);
}

#[test]
fn the_success_rate_is_fixed_of_found() {
    let metrics = record(
        &Value::Nothing,
        &[("found", Value::from(10.0)), ("fixed", Value::from(8.0))],
    );
    assert_eq!(count(&metrics, "success_rate"), 0.8);
}

#[test]
fn where_nothing_was_found_everything_succeeded() {
    assert_eq!(count(&record(&Value::Nothing, &[]), "success_rate"), 1.0);
}

#[test]
fn failures_in_a_row_are_counted_until_somebody_answers() {
    let metrics = record(&Value::Nothing, &[("replies", replies("+--"))]);
    assert_eq!(count(&metrics, "subagent_invocations"), 3.0);
    assert_eq!(count(&metrics, "failures"), 2.0);
    assert_eq!(count(&metrics, "consecutive_failures"), 2.0);
    assert_eq!(count(&metrics, "recoveries"), 0.0);
    let metrics = record(&metrics, &[("replies", replies("-"))]);
    assert_eq!(count(&metrics, "consecutive_failures"), 3.0);
    let metrics = record(&metrics, &[("replies", replies("+"))]);
    assert_eq!(count(&metrics, "consecutive_failures"), 0.0);
    assert_eq!(count(&metrics, "failures"), 3.0);
    assert_eq!(count(&metrics, "recoveries"), 1.0);
    let metrics = record(&metrics, &[("replies", replies("+-+-+"))]);
    assert_eq!(count(&metrics, "recoveries"), 3.0);
    assert_eq!(count(&metrics, "subagent_invocations"), 10.0);
}

#[test]
fn loops_and_waits_are_added() {
    let metrics = record(
        &Value::Nothing,
        &[("loops", Value::from(1.0)), ("backoff", Value::from(2.5))],
    );
    let metrics = record(&metrics, &[("backoff", Value::from(4.0))]);
    assert_eq!(count(&metrics, "loops_detected"), 1.0);
    assert_eq!(count(&metrics, "total_backoff_seconds"), 6.5);
}

#[test]
fn time_is_what_was_worked_since_the_first_call_and_stands_still_after_the_end() {
    let metrics = record(&Value::Nothing, &[("elapsed", Value::from(100.0))]);
    assert_eq!(count(&metrics, "elapsed_seconds"), 0.0);
    let metrics = record(&metrics, &[("elapsed", Value::from(190.0))]);
    assert_eq!(count(&metrics, "elapsed_seconds"), 90.0);
    assert_eq!(count(&metrics, "elapsed_minutes"), 1.5);
    let metrics = record(&metrics, &[("found", Value::from(1.0))]);
    assert_eq!(count(&metrics, "elapsed_seconds"), 90.0);
    let end = [("elapsed", Value::from(220.0)), ("reason", Value::from("complete"))];
    let metrics = record(&metrics, &end);
    let later = [("elapsed", Value::from(900.0)), ("reason", Value::from("again"))];
    let metrics = record(&metrics, &later);
    assert_eq!(count(&metrics, "elapsed_seconds"), 120.0);
    assert_eq!(text(&metrics, "exit_reason"), "complete");
}

#[test]
fn a_reason_closes_the_counters_with_the_last_confidence() {
    let end = [
        ("confidence", Value::from(95.0)),
        ("reason", Value::from("ALL_ISSUES_RESOLVED")),
    ];
    let metrics = record(&record(&Value::Nothing, &[]), &end);
    assert_eq!(text(&metrics, "ended_at"), "2026-01-15T10-30-00Z");
    assert_eq!(count(&metrics, "final_confidence"), 95.0);
    assert_eq!(text(&metrics, "exit_reason"), "ALL_ISSUES_RESOLVED");
}

#[test]
fn the_json_has_the_counters_and_can_be_read_again() {
    let metrics = record(&Value::Nothing, &[("rounds", Value::from(1.0))]);
    let parsed: Value = serde_json::from_str(&text(&metrics, "json")).unwrap();
    assert_eq!(parsed.get("review_rounds"), Some(&Value::from(1.0)));
    assert_eq!(parsed.get("success_rate"), Some(&Value::from(1.0)));
    assert_eq!(parsed.get("summary"), None);
    let again = record(&parsed, &[("rounds", Value::from(1.0))]);
    assert_eq!(again, record(&metrics, &[("rounds", Value::from(1.0))]));
}

#[test]
fn the_summary_is_what_a_person_reads() {
    let metrics = record(&Value::Nothing, &[("elapsed", Value::from(0.0))]);
    let metrics = record(
        &metrics,
        &[
            ("rounds", Value::from(1.0)),
            ("fix_iterations", Value::from(2.0)),
            ("found", Value::from(3.0)),
            ("fixed", Value::from(2.0)),
            ("blocked", Value::from(1.0)),
            ("replies", replies("++-+")),
            ("backoff", Value::from(2.0)),
            ("elapsed", Value::from(94.0)),
            ("confidence", Value::from(90.0)),
            ("reason", Value::from("COMPLETE")),
        ],
    );
    insta::assert_snapshot!(text(&metrics, "summary"), @r"
    ══════════════════════════════════════════════════
    REVIEW LOOP METRICS SUMMARY
    ══════════════════════════════════════════════════
    Duration: 1.6 minutes
    Review rounds: 1
    Fix iterations: 2
    Subagent calls: 4

    Issues found: 3
    Issues fixed: 2
    Issues blocked: 1
    Success rate: 66.7%

    Failures: 1
    Recoveries: 1
    Loops detected: 0
    Total backoff: 2.0s

    Final confidence: 90.0%
    Exit reason: COMPLETE
    ══════════════════════════════════════════════════
    ");
}

#[test]
fn every_trigger_is_kept_in_its_order_and_no_other_word_is_taken() {
    let mut metrics = Value::Nothing;
    for trigger in Trigger::ALL {
        metrics = record(&metrics, &[("trigger", Value::from(trigger.name()))]);
    }
    assert_eq!(
        text(&metrics, "triggers"),
        "initial, issues_remain, confidence_low, recovery, loop_detected, safety_limit, user_stop, complete"
    );
    let given = [("at", Value::from("now")), ("trigger", Value::from("boredom"))];
    let error = run("record-metrics", &given).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`trigger` of built-in `record-metrics` must be one of the words on its page"
    );
}

#[test]
fn half_a_finding_a_wait_below_zero_and_counters_that_are_none_are_refused() {
    let refused = |name: &'static str, value: Value| {
        let given = [("at", Value::from("now")), (name, value)];
        run("record-metrics", &given).unwrap_err().to_string()
    };
    assert_eq!(
        refused("found", Value::from(0.5)),
        "`found` of built-in `record-metrics` must be a whole number, 0 or more"
    );
    assert_eq!(
        refused("backoff", Value::from(-1.0)),
        "`backoff` of built-in `record-metrics` must be a number of seconds, 0 or more"
    );
    let broken = Value::of([("failures", Value::from("many"))]);
    for metrics in [broken, Value::from("none")] {
        assert_eq!(
            refused("metrics", metrics),
            "`metrics` of built-in `record-metrics` must be what `record-metrics` answered before"
        );
    }
}

#[test]
fn time_has_no_digits_that_nobody_measured() {
    let metrics = record(&Value::Nothing, &[("elapsed", Value::from(0.003))]);
    let metrics = record(&metrics, &[("elapsed", Value::from(0.012))]);
    assert_eq!(count(&metrics, "elapsed_seconds"), 0.009);
}
