//! Certificates that can be checked, and those that do not check.

use super::check;
use super::check::Why;
use crate::builtins::finding::{Id, State};
use crate::builtins::given::json;
use crate::builtins::{BuiltinError, Value, run};
use serde_json::json as j;

fn findings() -> serde_json::Value {
    j!([
        {"id": "F-1", "claim": "A <!-- mark --> | bar\n# heading", "severity": "high", "state": "fixed",
            "history": [{"round": 1, "state": "fixed", "reason": "its claim no longer holds"}]},
        {"id": "F-2", "claim": "b", "severity": "low", "state": "deferred"}
    ])
}

fn certify(given: serde_json::Value) -> Result<Value, BuiltinError> {
    let mut all = j!({
        "outcome": "complete", "reason": "nothing is open", "findings": findings(), "before": "a", "after": "b",
        "metrics": {"review_rounds": 2, "fix_iterations": 1, "elapsed_seconds": 12.5, "summary": "x\ny", "json": "{}"},
        "decided_by": "engine", "level": {"name": "full", "label": "l"}, "confidence": {"score": 97}, "silent": ["party-facilitator"],
        "set_aside": [{"claim": "```json", "why": "no such quote"}]
    });
    let serde_json::Value::Object(given) = given else {
        panic!()
    };
    for (name, value) in given {
        all[name] = value;
    }
    let serde_json::Value::Object(all) = all else { panic!() };
    let given: Vec<(&str, Value)> = all
        .iter()
        .map(|(name, value)| (name.as_str(), json(value.clone())))
        .collect();
    run("certificate", &given)
}

fn text(given: serde_json::Value) -> String {
    certify(given).unwrap().get("text").unwrap().to_string()
}

#[test]
fn a_certificate_says_how_it_ended_in_words() {
    let text = text(j!({}));
    let words = text.split("\n## Facts\n").next().unwrap();
    insta::assert_snapshot!(words, @r"
    # Review certificate: complete

    - Why it ended: nothing is open
    - Decided by: engine
    - Level: full
    - Confidence: 97
    - Rounds: 2
    - Fix iterations: 1
    - Seconds of work: 12.5

    ## Findings

    | state | number |
    |---|---|
    | total | 2 |
    | open | 0 |
    | in-progress | 0 |
    | regressed | 0 |
    | blocked | 0 |
    | fixed | 1 |
    | dismissed | 0 |
    | deferred | 1 |

    ## What is open

    Nothing is open.

    ## What is done

    - F-1 · high · fixed: A \<!-- mark --\> \| bar # heading (its claim no longer holds)
    - F-2 · low · deferred: b

    ## Set aside

    - \```json (no such quote)

    ## Reviewers that were silent

    - party-facilitator

    ## Reviewed text

    | file | before | after |
    |---|---|---|
    |  | sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb | sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d |
    ");
}

#[test]
fn a_certificate_checks_by_itself() {
    for given in [
        j!({}),
        j!({"outcome": "stopped-by-limit", "findings": [{"claim": "open one"}, {"claim": "blocked", "state": "blocked"}]}),
        j!({"outcome": "user-stop", "findings": null, "metrics": null, "before": null, "after": null}),
        j!({"outcome": "blocked", "findings": "a sentence", "metrics": 7, "silent": "x", "set_aside": [null, 7, [["y"]]]}),
        j!({"before": {"a.md": "1", "b.md": "2"}, "after": {"a.md": "1", "c.md": "3"}}),
    ] {
        let certificate = certify(given.clone()).unwrap();
        let text = certificate.get("text").unwrap().to_string();
        let facts = check(&text).unwrap_or_else(|why| panic!("{given}: {why}\n{text}"));
        assert_eq!(facts.digest, certificate.get("digest").unwrap().to_string());
        check(&text.replace('\n', "\r\n")).unwrap();
        check(text.trim()).unwrap();
    }
}

#[test]
fn the_facts_hold_what_was_reviewed() {
    let facts = check(&text(j!({}))).unwrap();
    assert_eq!(facts.findings[0].id, Id(1));
    assert_eq!(
        (facts.findings[0].state, facts.findings[1].state),
        (State::Fixed, State::Deferred)
    );
    assert_eq!(facts.texts[0].before, format!("sha256:{}", crate::source::sha256(b"a")));
    assert_eq!(facts.texts[0].after, format!("sha256:{}", crate::source::sha256(b"b")));
    assert_eq!(
        (facts.reason.as_str(), facts.decided_by.as_str()),
        ("nothing is open", "engine")
    );
}

#[test]
fn complete_is_refused_while_something_is_left() {
    for state in ["open", "in-progress", "regressed", "blocked"] {
        let error = certify(j!({"findings": [{"id": "F-7", "claim": "c", "state": state}]})).unwrap_err();
        let expected = format!("built-in `certificate` refuses: the review is not complete: F-7 is {state}");
        assert_eq!(error.to_string(), expected);
    }
    assert!(certify(j!({"findings": ["something"]})).is_err());
    assert!(certify(j!({"findings": [{"claim": "c", "state": "closed"}]})).is_err());
    assert!(certify(j!({"findings": []})).is_ok());
}

#[test]
fn an_unknown_outcome_is_refused() {
    let error = certify(j!({"outcome": "undecided"})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`outcome` of built-in `certificate` must be complete, blocked, timeout, stopped-by-limit, diverging or user-stop"
    );
}

#[test]
fn any_changed_letter_is_noticed() {
    let text = text(j!({}));
    for (at, character) in text
        .trim_end()
        .char_indices()
        .filter(|(_, character)| character.is_alphanumeric())
    {
        let mut forged = text.clone();
        let other = if character == 'x' { "y" } else { "x" };
        forged.replace_range(at..at + character.len_utf8(), other);
        assert!(check(&forged).is_err(), "byte {at}: {character}");
    }
}

/// Writes a certificate over facts that somebody changed, with a digest that fits them.
fn forged(from: &str, to: &str) -> Why {
    let certificate = certify(j!({"outcome": "timeout"})).unwrap();
    let json = certificate.get("json").unwrap().to_string();
    assert!(json.contains(from), "{json}");
    check(&super::page::text(&json.replacen(from, to, 1))).unwrap_err()
}

#[test]
fn a_forger_who_knows_the_digest_still_has_to_be_consistent() {
    assert_eq!(
        forged("\"fixed\": 1", "\"fixed\": 2"),
        Why::Count {
            what: "fixed".to_owned(),
            stated: "2".to_owned(),
            listed: 1
        }
    );
    assert_eq!(
        forged("\"total\": 2", "\"total\": 3"),
        Why::Count {
            what: "total".to_owned(),
            stated: "3".to_owned(),
            listed: 2
        }
    );
    assert_eq!(forged("\"id\": \"F-2\"", "\"id\": \"F-1\""), Why::Twice(Id(1)));
    assert!(matches!(
        forged("\"state\": \"fixed\"", "\"state\": \"gone\""),
        Why::NotOurs(_)
    ));
    assert!(matches!(forged("bmad-review-certificate", "other"), Why::NotOurs(_)));
    assert!(matches!(
        forged("\"state\": \"fixed\"", "\"state\": \"open\""),
        Why::Count { .. }
    ));
}

#[test]
fn complete_with_something_open_does_not_check() {
    let certificate = certify(j!({"outcome": "timeout", "findings": [{"claim": "c"}]})).unwrap();
    let json = certificate
        .get("json")
        .unwrap()
        .to_string()
        .replacen("timeout", "complete", 1);
    assert_eq!(check(&super::page::text(&json)), Err(Why::NotComplete(vec![Id(1)])));
}

#[test]
fn what_is_no_certificate_is_named() {
    assert_eq!(check(""), Err(Why::NoFacts));
    assert_eq!(check("# Review certificate: complete\n"), Err(Why::NoFacts));
    let text = text(j!({}));
    let (before, _) = text.split_once("\n```json").unwrap();
    assert_eq!(check(before), Err(Why::NoFacts));
}
