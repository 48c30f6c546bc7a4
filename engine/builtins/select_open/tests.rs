//! What is open.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

fn select(findings: serde_json::Value, material: serde_json::Value) -> Value {
    run(
        "select-open",
        &[("findings", json(findings)), ("material", json(material))],
    )
    .unwrap()
}

fn ids(value: &Value, list: &str) -> Vec<String> {
    let Some(Value::List(items)) = value.get(list) else {
        panic!("{list}")
    };
    items.iter().map(|item| item.get("id").unwrap().to_string()).collect()
}

fn all_states() -> serde_json::Value {
    j!([
        {"id": "F-1", "claim": "a", "severity": "low", "state": "open"},
        {"id": "F-2", "claim": "b", "severity": "critical", "state": "in-progress"},
        {"id": "F-3", "claim": "c", "severity": "high", "state": "regressed"},
        {"id": "F-4", "claim": "d", "severity": "high", "state": "blocked"},
        {"id": "F-5", "claim": "e", "state": "fixed"},
        {"id": "F-6", "claim": "f", "state": "dismissed"},
        {"id": "F-7", "claim": "g", "state": "deferred"}
    ])
}

#[test]
fn open_ones_come_most_severe_first_and_blocked_ones_apart() {
    let issues = select(all_states(), j!(""));
    assert_eq!(ids(&issues, "open"), ["F-2", "F-3", "F-1"]);
    assert_eq!(ids(&issues, "blocked"), ["F-4"]);
    assert_eq!(ids(&issues, "material"), ["F-2", "F-3"]);
    let numbers: Vec<String> = [
        "total",
        "pending",
        "in_progress",
        "fixed",
        "dismissed",
        "deferred",
        "all_fixed",
    ]
    .iter()
    .map(|name| issues.get(name).unwrap().to_string())
    .collect();
    assert_eq!(numbers, ["7", "2", "1", "1", "1", "1", "false"]);
}

#[test]
fn material_is_what_the_caller_says() {
    assert_eq!(ids(&select(all_states(), j!(["low"])), "material"), ["F-1"]);
    assert_eq!(
        ids(&select(all_states(), j!("critical, low")), "material"),
        ["F-2", "F-1"]
    );
    let given = [("findings", Value::Nothing), ("material", Value::from("purple"))];
    let error = run("select-open", &given).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`material` of built-in `select-open` must be a list of severities"
    );
}

#[test]
fn all_is_fixed_only_where_something_was_found_and_nothing_is_left() {
    let all_fixed = |findings| select(findings, j!(null)).get("all_fixed").cloned();
    assert_eq!(all_fixed(j!([])), Some(Value::Bool(false)));
    assert_eq!(
        all_fixed(j!([{"claim": "a", "state": "fixed"}, {"claim": "b", "state": "dismissed"}])),
        Some(Value::Bool(true))
    );
    assert_eq!(
        all_fixed(j!([{"claim": "a", "state": "fixed"}, {"claim": "b", "state": "deferred"}])),
        Some(Value::Bool(false))
    );
    assert_eq!(
        all_fixed(j!([{"claim": "a", "state": "fixed"}, "something else"])),
        Some(Value::Bool(false))
    );
}

#[test]
fn what_is_no_finding_is_named() {
    let issues = select(j!(["a sentence", {"claim": "real"}]), j!(null));
    assert_eq!(ids(&issues, "open"), ["F-1"]);
    let Some(Value::List(unreadable)) = issues.get("unreadable") else {
        panic!()
    };
    assert_eq!(unreadable[0].get("claim").unwrap().to_string(), "a sentence");
}
