//! What a person decides.

use crate::builtins::given::json;
use crate::builtins::{BuiltinError, Value, run};
use serde_json::json as j;

fn decide(finding: &str, decision: &str, reason: &str) -> Result<String, BuiltinError> {
    let findings = j!([
        {"id": "F-1", "claim": "a", "state": "open"},
        {"id": "F-2", "claim": "b", "state": "blocked", "blocked_because": "w"},
        {"id": "F-3", "claim": "c", "state": "fixed"},
        {"id": "F-4", "claim": "d", "state": "in-progress"},
        {"id": "F-5", "claim": "e", "state": "deferred"}
    ]);
    let given = [
        ("findings", json(findings)),
        ("decision", Value::from(decision)),
        ("reason", Value::from(reason)),
        ("finding", Value::from(finding)),
    ];
    let Value::List(findings) = run("record-decision", &given)? else {
        panic!()
    };
    let state = |finding: &Value| finding.get("state").unwrap().to_string();
    Ok(findings.iter().map(state).collect::<Vec<String>>().join(" "))
}

#[test]
fn a_decision_about_one_finding_changes_only_that_one() {
    assert_eq!(
        decide("F-2", "reopen", "use 4").unwrap(),
        "open open fixed in-progress deferred"
    );
    assert_eq!(
        decide("f-2", "Defer", "").unwrap(),
        "open deferred fixed in-progress deferred"
    );
    assert_eq!(
        decide("F-2", "dismiss", "by design").unwrap(),
        "open dismissed fixed in-progress deferred"
    );
    assert_eq!(
        decide("F-5", "reopen", "").unwrap(),
        "open blocked fixed in-progress open"
    );
}

#[test]
fn a_decision_without_a_name_is_about_all_that_is_not_done() {
    assert_eq!(
        decide("", "defer", "later").unwrap(),
        "deferred deferred fixed deferred deferred"
    );
}

#[test]
fn guidance_reaches_the_fixer_and_the_block_is_gone() {
    let findings = json(j!([{"id": "F-1", "claim": "b", "state": "blocked", "blocked_because": "w"}]));
    let given = [
        ("findings", findings),
        ("decision", Value::from("reopen")),
        ("reason", Value::from("use 4")),
    ];
    let Value::List(findings) = run("record-decision", &given).unwrap() else {
        panic!()
    };
    assert_eq!(findings[0].get("guidance").unwrap().to_string(), "use 4");
    assert_eq!(findings[0].get("blocked_because").unwrap().to_string(), "");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let errors = [
        ("F-2", "dismiss", " "),
        ("F-9", "defer", "x"),
        ("rubbish", "defer", "x"),
        ("F-3", "defer", "x"),
        ("F-1", "close", "x"),
    ]
    .map(|(finding, decision, reason)| decide(finding, decision, reason).unwrap_err().to_string());
    insta::assert_debug_snapshot!(errors, @r#"
    [
        "built-in `record-decision` refuses: a finding is dismissed only with a reason",
        "built-in `record-decision` refuses: no finding is called `F-9`",
        "built-in `record-decision` refuses: no finding is called `rubbish`",
        "built-in `record-decision` refuses: F-3 is fixed; only `reopen` changes that",
        "`decision` of built-in `record-decision` must be `reopen`, `defer` or `dismiss`",
    ]
    "#);
}

#[test]
fn the_text_as_the_person_saw_it_is_remembered() {
    let findings = json(j!([{"id": "F-1", "claim": "b", "anchor": "old", "place": {"quote": "new words"}}]));
    let given = [
        ("findings", findings),
        ("decision", Value::from("dismiss")),
        ("reason", Value::from("r")),
        ("content", Value::from("# A\n\nThe new words.\n")),
    ];
    let Value::List(findings) = run("record-decision", &given).unwrap() else {
        panic!()
    };
    let anchor = crate::builtins::document::text_hash("The new words.");
    assert_eq!(findings[0].get("anchor").unwrap().to_string(), anchor);
}
