//! Findings in every shape that agents gave them.

use super::{Findings, Id, Reports, Severity, State};
use crate::builtins::Value;
use crate::builtins::given::json;
use serde_json::json as j;

#[test]
fn a_finding_reads_back_as_itself_with_all_it_says() {
    let list = j!([{
        "id": "F-3", "severity": "high", "category": "gap", "claim": "The end is missing",
        "place": {"file": "a.md", "section": "B", "quote": "c"}, "evidence": ["x: y"], "suggestion": "s",
        "reviewers": ["x"], "votes": {"high": 2, "low": 1}, "state": "blocked", "blocked_because": "w", "guidance": "g",
        "anchor": "0123456789abcdef",
        "history": [{"round": 1, "state": "open", "reason": "reported"},
            {"round": 1, "state": "blocked", "reason": "w", "status": "BLOCKED", "description": "d", "verification": "v"}],
        "colour": {"red": true}
    }]);
    let once = Findings::read(&json(list.clone())).value();
    assert_eq!(serde_json::to_value(&once).unwrap(), list);
    assert_eq!(Findings::read(&once).value(), once);
}

#[test]
fn what_a_finding_does_not_say_is_what_harms_least() {
    let findings = Findings::read(&json(
        j!([{"claim": "a"}, {"claim": "b", "state": "closed", "severity": "purple"}]),
    ));
    let states: Vec<(Id, State, Severity)> = findings
        .all
        .iter()
        .map(|finding| (finding.id, finding.state, finding.severity))
        .collect();
    assert_eq!(
        states,
        [
            (Id(1), State::Open, Severity::Medium),
            (Id(2), State::Open, Severity::Medium)
        ]
    );
}

#[test]
fn an_identifier_that_is_taken_or_hostile_is_replaced() {
    let list = j!([
        {"id": "F-2", "claim": "a"}, {"id": "F-2", "claim": "b"}, {"id": "F-1 · low\n### F-9", "claim": "c"},
        {"id": "F-99999999999999999999", "claim": "d"}, {"id": 7, "claim": "e"}
    ]);
    let findings = Findings::read(&json(list));
    let ids: Vec<u32> = findings.all.iter().map(|finding| finding.id.0).collect();
    assert_eq!(ids, [2, 3, 4, 5, 6]);
}

#[test]
fn an_identifier_reads_in_any_case_and_nothing_else_is_one() {
    for text in ["F-7", "f-7", "F7", "`F-7`", " F-07 "] {
        assert_eq!(Id::read(text), Some(Id(7)), "{text}");
    }
    for text in ["", "F", "F-", "F-0", "G-7", "F-7x", "F-+7", "7", "F-7·"] {
        assert_eq!(Id::read(text), None, "{text}");
    }
}

#[test]
fn entries_that_are_no_findings_stay_in_the_list_and_are_named() {
    let list = json(j!(["a sentence", 7, null, true, {"severity": "low"}, {"claim": "real"}]));
    let findings = Findings::read(&list);
    assert_eq!((findings.all.len(), findings.unreadable.len()), (1, 5));
    let Value::List(items) = findings.value() else { panic!() };
    assert_eq!(items.len(), 6);
    let whys: Vec<&str> = findings.unreadable.iter().map(|aside| aside.why.as_str()).collect();
    insta::assert_debug_snapshot!(whys, @r#"
    [
        "a finding is a map with a claim; this is text",
        "a finding is a map with a claim; this is a number",
        "a finding is a map with a claim; this is nothing",
        "a finding is a map with a claim; this is a truth value",
        "it makes no claim",
    ]
    "#);
}

#[test]
fn every_value_reads_as_some_list() {
    for value in [j!(null), j!(""), j!("  "), j!([]), j!({})] {
        assert!(Findings::read(&json(value.clone())).all.is_empty(), "{value}");
    }
    assert_eq!(
        Findings::read(&json(j!("[{\"claim\": \"written as JSON\"}]")))
            .all
            .len(),
        1
    );
    assert_eq!(Findings::read(&json(j!({"claim": "one alone"}))).all.len(), 1);
    assert_eq!(Findings::read(&json(j!([[[{"claim": "deep"}]]]))).all.len(), 1);
}

#[test]
fn reports_know_who_made_them_and_who_found_nothing() {
    let replies = j!([
        {"agent": "one", "status": "done", "text": "", "findings": [{"claim": "a"}, "b"]},
        {"agent": "two", "status": "done", "text": "nothing", "findings": []},
        {"agent": "three", "status": "failed", "text": "crashed"},
        {"agent": "four", "status": "done", "text": "no list at all"},
        {"claim": "c", "reviewer": "five"}
    ]);
    let reports = Reports::read(&json(replies));
    assert_eq!(reports.reviewers, ["five", "four", "one", "two"]);
    let who: Vec<&str> = reports.read.iter().map(|report| report.reviewer.as_str()).collect();
    assert_eq!(who, ["one", "five"]);
    assert_eq!(reports.aside.len(), 1);
}

#[test]
fn a_severity_is_repaired_where_that_is_plain() {
    let read = |report| Reports::read(&json(report));
    let severity = |report| read(report).read.first().map(|report| report.severity);
    assert_eq!(
        severity(j!({"claim": "a", "severity": "BLOCKER"})),
        Some(Severity::Critical)
    );
    assert_eq!(severity(j!({"claim": "a"})), Some(Severity::Medium));
    assert_eq!(
        severity(j!({"claim": "a", "severity": null, "votes": {"low": 1, "high": 2}})),
        Some(Severity::High)
    );
    assert_eq!(severity(j!({"claim": "a", "severity": ["high", "low"]})), None);
    assert_eq!(
        read(j!({"claim": "a", "severity": 7})).aside[0].why,
        "its severity `7` is none of critical, high, medium, low"
    );
}
