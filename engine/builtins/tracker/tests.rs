//! Trackers that nothing a reviewer writes can break.

use super::{Unread, read};
use crate::builtins::given::json;
use crate::builtins::{Value, run};
use serde_json::json as j;

fn tracker(findings: serde_json::Value, aside: serde_json::Value) -> Value {
    run("tracker", &[("findings", json(findings)), ("set_aside", json(aside))]).unwrap()
}

#[test]
fn counts_by_severity_and_by_state_add_up() {
    let findings = j!([
        {"claim": "a", "severity": "critical", "state": "open"}, {"claim": "b", "severity": "low", "state": "in-progress"},
        {"claim": "c", "state": "regressed"}, {"claim": "d", "state": "blocked"}, {"claim": "e", "state": "fixed"},
        {"claim": "f", "state": "dismissed"}, {"claim": "g", "severity": "high", "state": "deferred"}
    ]);
    let shown = tracker(findings, j!(null));
    let count = |name: &str| shown.get(name).unwrap().number().unwrap();
    assert_eq!(
        ["total", "critical", "high", "medium", "low"].map(count),
        [7.0, 1.0, 1.0, 4.0, 1.0]
    );
    assert_eq!(
        ["fixed", "blocked", "dismissed", "deferred", "remaining"].map(count),
        [1.0, 1.0, 1.0, 1.0, 3.0]
    );
}

#[test]
fn every_text_is_one_safe_line() {
    let shown = tracker(
        j!([{"claim": "a\n<!-- ISSUES_END -->\n| b", "category": "# c", "place": {"file": "a.md", "section": "S", "quote": "q\nr"},
            "evidence": ["one: x", "two: y"], "suggestion": "- s", "reviewers": ["one", "two"],
            "state": "dismissed", "history": [{"state": "dismissed", "because": "<!-- ISSUES_END -->\nno"}]}]),
        j!([{"claim": "### F-9 · low · open", "why": "FIXES_START"}]),
    );
    let Some(Value::List(findings)) = shown.get("findings") else {
        panic!()
    };
    insta::assert_snapshot!(serde_json::to_string_pretty(&findings[0]).unwrap(), @r##"
    {
      "id": "F-1",
      "severity": "medium",
      "state": "dismissed",
      "claim": "a \\<!-- ISSUES\\_END --\\> \\| b",
      "category": "\\# c",
      "place": "a.md, section S, \"q r\"",
      "evidence": "one: x; two: y",
      "suggestion": "\\- s",
      "reviewers": "one, two",
      "reason": "\\<!-- ISSUES\\_END --\\> no"
    }
    "##);
    let aside = serde_json::to_value(shown.get("set_aside").unwrap()).unwrap();
    assert_eq!(
        aside,
        j!([{"claim": "\\### F-9 · low · open", "why": "FIXES\\_START", "reviewer": ""}])
    );
}

#[test]
fn the_fix_log_follows_the_rounds() {
    let fix = |round: u32, status: &str| j!({"round": round, "state": "open", "reason": "r", "status": status, "description": "did", "verification": "seen"});
    let shown = tracker(
        j!([{"claim": "a", "history": [fix(1, "REFUSED"), fix(2, "FIXED"), {"round": 1, "state": "open", "reason": "reported"}]},
            {"claim": "b", "history": [fix(1, "BLOCKED")]}]),
        j!(null),
    );
    let Some(Value::List(fixes)) = shown.get("fixes") else {
        panic!()
    };
    let line = |fix: &Value| {
        ["round", "finding", "status", "description"]
            .map(|name| fix.get(name).unwrap().to_string())
            .join(" ")
    };
    let lines: Vec<String> = fixes.iter().map(line).collect();
    assert_eq!(lines, ["1 F-1 REFUSED did.", "1 F-2 BLOCKED did.", "2 F-1 FIXED did."]);
}

#[test]
fn what_is_no_finding_is_shown_as_set_aside() {
    let shown = tracker(j!(["a sentence", 7]), j!([{"claim": "b", "why": "no quote"}, "loose"]));
    let Some(Value::List(aside)) = shown.get("set_aside") else {
        panic!()
    };
    assert_eq!(aside.len(), 4);
    assert_eq!(shown.get("total"), Some(&Value::Number(0.0)));
}

#[test]
fn a_file_without_its_marks_or_with_a_strange_heading_is_no_tracker() {
    assert_eq!(read(""), Err(Unread::NoMarks));
    assert_eq!(
        read("<!-- ISSUES_START -->\n### F-1 · high · open\n"),
        Err(Unread::NoMarks)
    );
    assert_eq!(read("<!-- ISSUES_END -->\n<!-- ISSUES_START -->"), Err(Unread::NoMarks));
    let strange = "x\n<!-- ISSUES_START -->\n### F-1 · high\n<!-- ISSUES_END -->";
    let error = read(strange).unwrap_err();
    assert_eq!(error.to_string(), "line 3 is no heading of a finding: `### F-1 · high`");
    for heading in [
        "## F-1 · high · open",
        "#### F-1 · high · open",
        "###F-1 · high · open",
        "# Issues",
        " ### F-1 · high · open",
    ] {
        let text =
            format!("<!-- ISSUES_START -->\n{heading}\n### F-2 · high · fixed\n\n#7 is old\n<!-- ISSUES_END -->");
        let wrong = Unread::Heading {
            line: 2,
            text: heading.to_owned(),
        };
        assert_eq!(read(&text), Err(wrong));
    }
}
