//! What comes of claims.

use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

fn record(claims: serde_json::Value, verdicts: serde_json::Value, checks: serde_json::Value) -> Value {
    let one = |at: usize| j!({"id": format!("F-{at}"), "claim": "c", "state": "in-progress"});
    let findings: Vec<serde_json::Value> = (1..=4).map(one).collect();
    let given = [
        ("findings", json(j!(findings))),
        ("claims", json(claims)),
        ("verdicts", json(verdicts)),
        ("round", Value::Number(2.0)),
        ("checks", json(checks)),
    ];
    run("record-fixes", &given).unwrap()
}

fn states(answer: &Value) -> String {
    let Some(Value::List(findings)) = answer.get("findings") else {
        panic!()
    };
    let state = |finding: &Value| finding.get("state").unwrap().to_string();
    findings.iter().map(state).collect::<Vec<String>>().join(" ")
}

fn reason(answer: &Value, at: usize) -> String {
    let Some(Value::List(findings)) = answer.get("findings") else {
        panic!()
    };
    let Some(Value::List(history)) = findings[at].get("history") else {
        panic!()
    };
    history.last().unwrap().get("reason").unwrap().to_string()
}

#[test]
fn only_a_change_with_a_verdict_against_the_claim_is_a_fix() {
    let claims = j!({
        "changed": [{"finding": "F-1"}, {"finding": "F-2"}, {"finding": "F-3"}],
        "said": [{"finding": "F-1", "status": "FIXED", "description": "did it"}]
    });
    let verdicts = j!([{"finding": "F-1", "holds": false, "because": "it is named"}, {"finding": "F-2", "holds": true, "because": "not yet"}]);
    let answer = record(claims, verdicts, j!(null));
    assert_eq!(states(&answer), "fixed open open in-progress");
    assert_eq!(reason(&answer, 1), "its claim still holds: not yet");
    assert_eq!(reason(&answer, 2), "no verdict came about it");
    let ids = ["fixed", "blocked", "reopened"].map(|name| answer.get(name).unwrap().to_string());
    assert_eq!(ids, ["F-1", "", "F-2, F-3"]);
}

#[test]
fn the_history_keeps_what_was_done_and_what_shows_it() {
    let claims = j!({"changed": [{"finding": "F-1"}], "said": [{"finding": "F-1", "description": "did it", "verification": "I say so"}]});
    let answer = record(
        claims,
        j!([{"finding": "F-1", "holds": false, "because": "it is named"}]),
        j!(null),
    );
    let history = answer.get("findings").and_then(|list| match list {
        Value::List(items) => items[0].get("history"),
        _ => None,
    });
    let expected = j!([{"round": 2, "state": "fixed", "reason": "its claim no longer holds: it is named", "status": "FIXED",
        "description": "did it", "verification": "it is named"}]);
    assert_eq!(serde_json::to_value(history.unwrap()).unwrap(), expected);
}

#[test]
fn blocked_refused_and_unanswered_ones_are_not_fixed() {
    let claims = j!({
        "blocked": [{"finding": "F-1", "why": "no number"}], "refused": [{"finding": "F-2", "why": "nothing changed"}],
        "unanswered": [{"finding": "F-3"}]
    });
    let answer = record(claims, j!(null), j!(null));
    assert_eq!(states(&answer), "blocked open open in-progress");
    assert_eq!(
        [reason(&answer, 0), reason(&answer, 1), reason(&answer, 2)],
        ["no number", "nothing changed", "no fixer answered for it"]
    );
    let refused = json(j!([
        {"finding": "F-2", "why": "nothing changed"},
        {"finding": "F-3", "why": "no fixer answered for it"}
    ]));
    assert_eq!(answer.get("refused"), Some(&refused));
    assert_eq!(answer.get("failed"), Some(&Value::from("")));
}

#[test]
fn where_two_lists_name_one_finding_the_one_that_promises_less_is_believed() {
    let claims =
        j!({"changed": [{"finding": "F-1"}, {"finding": "F-2"}], "refused": ["F-1"], "blocked": [{"finding": "F-2"}]});
    let verdicts = j!([{"finding": "F-1", "holds": false}, {"finding": "F-2", "holds": false}]);
    assert_eq!(
        states(&record(claims, verdicts, j!(null))),
        "open blocked in-progress in-progress"
    );
}

#[test]
fn a_blocked_finding_is_moved_by_nobody_but_a_person() {
    let findings = j!([{"id": "F-1", "claim": "c", "state": "blocked", "blocked_because": "no number"}]);
    for list in ["refused", "changed", "blocked", "unanswered"] {
        let given = [
            ("findings", json(findings.clone())),
            (
                "claims",
                json(j!({list: [{"finding": "F-1", "why": "it was not given to a fixer"}]})),
            ),
            ("verdicts", json(j!([{"finding": "F-1", "holds": false}]))),
        ];
        let answer = run("record-fixes", &given).unwrap();
        assert_eq!(states(&answer), "blocked", "{list}");
    }
}

#[test]
fn of_two_verdicts_the_one_that_holds_counts() {
    for order in [[true, false], [false, true]] {
        let verdicts: Vec<_> = order
            .iter()
            .map(|holds| j!({"finding": "F-1", "holds": holds}))
            .collect();
        assert_eq!(
            states(&record(j!({"changed": ["F-1"]}), j!(verdicts), j!(null))),
            "open in-progress in-progress in-progress"
        );
    }
}

#[test]
fn a_verdict_that_cannot_be_read_is_no_verdict() {
    let verdicts = j!([{"finding": "F-1", "holds": "perhaps"}, {"finding": "F-1"}, {"holds": false}, "false", 0, null]);
    let answer = record(j!({"changed": ["F-1"]}), verdicts, j!(null));
    assert_eq!(states(&answer), "open in-progress in-progress in-progress");
    let Some(Value::List(aside)) = answer.get("set_aside") else {
        panic!()
    };
    assert_eq!(aside.len(), 6);
    let spelt = record(
        j!({"changed": ["F-1"]}),
        j!([{"finding": "f-1", "holds": "No"}]),
        j!(null),
    );
    assert_eq!(states(&spelt), "fixed in-progress in-progress in-progress");
}

#[test]
fn a_failed_check_leaves_everything_open() {
    let verdicts = j!([{"finding": "F-1", "holds": false}]);
    let answer = record(
        j!({"changed": ["F-1"]}),
        verdicts,
        j!([{"command": "make", "ok": false}]),
    );
    assert_eq!(states(&answer), "open in-progress in-progress in-progress");
    assert_eq!(reason(&answer, 0), "the check `make` failed");
    assert_eq!(answer.get("failed"), Some(&Value::from("the check `make` failed")));
}

#[test]
fn what_is_done_stays_done() {
    let findings = json(j!([{"id": "F-1", "claim": "c", "state": "dismissed"}]));
    let claims = json(j!({"refused": ["F-1"], "changed": ["F-1"]}));
    let answer = run("record-fixes", &[("findings", findings), ("claims", claims)]).unwrap();
    assert_eq!(states(&answer), "dismissed");
}

#[test]
fn no_value_is_too_odd() {
    for odd in [
        j!(null),
        j!(7),
        j!("x"),
        j!([[]]),
        j!({"changed": 7, "refused": [null]}),
    ] {
        record(odd.clone(), odd.clone(), odd);
    }
}
