//! The review loop with real agents: two reviewers and one fixer, a document that is really fixed, and its certificate.

use super::shop::{Shop, Who};
use crate::agents::model::{Scenario, Step};
use serde_json::{Value, json};

const PLAN: &str = "# Plan\n\n## Schedule\n\nA failed booking is retried with a growing delay.\n";
const OLD: &str = "A failed booking is retried with a growing delay.";
const NEW: &str = "A failed booking is retried four times, then it fails.";

fn fenced(reply: &Value) -> Step {
    Step::text(&format!("I looked at it.\n\n```json\n{reply:#}\n```\n"))
}

fn finding(claim: &str, severity: &str) -> Value {
    json!({
        "severity": severity, "category": "gap", "claim": claim,
        "place": {"file": "plan.md", "section": "Schedule", "quote": OLD},
        "evidence": "Nothing in the plan says it.", "suggestion": "Name the number of attempts.",
    })
}

/// A model that plays everybody: both reviewers find the same thing in the first round, and nothing in the second.
fn script() -> Scenario {
    let nothing = |agent: &str| {
        fenced(&json!({"findings": [], "fields": {"lenses": ["gap"], "consensus": "full"}, "agent": agent, "text": ""}))
    };
    let found = |claim: &str, severity: &str| {
        fenced(&json!({
            "findings": [finding(claim, severity)],
            "fields": {"lenses": ["gap", "contradiction"], "consensus": "full"}, "text": "",
        }))
    };
    let verdict = json!({"finding": "F-1", "holds": false, "because": "It names four attempts now."});
    let fix = json!({"finding": "F-1", "status": "FIXED", "description": "Named the attempts", "verification": "Read it again"});
    let edit = json!({"file": "plan.md", "section": "Schedule", "old": OLD, "new": NEW});
    Scenario::new()
        .on(
            "Judge again whether",
            [fenced(&json!({"fields": {"verdicts": [verdict]}, "text": ""}))],
        )
        .on(
            "Fix the findings you are given",
            [fenced(
                &json!({"fields": {"fixes": [fix], "edits": [edit], "patterns": []}, "text": ""}),
            )],
        )
        .on(
            "# Party facilitator",
            [found(
                "Nothing says after how many attempts a retried booking gives up",
                "high",
            )
            .times(1, nothing("party-facilitator"))],
        )
        .on(
            "# Adversarial reviewer",
            [found("The retry rule does not say when retrying ends", "medium")
                .times(1, nothing("adversarial-reviewer"))],
        )
}

fn reviews(who: Who) {
    let Some(shop) = Shop::open(who, "<workflow name=\"None\"/>", "", |_| script()) else {
        return;
    };
    shop.put("plan.md", PLAN);
    let ended = shop.run(&[
        "review",
        "plan.md",
        "--level",
        "dual",
        "--agent",
        who.name(),
        "--non-interactive",
        "--format",
        "json",
    ]);
    assert_eq!(ended.code, Some(0), "{ended}");
    let review: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(review["outcome"], "complete", "{ended}");
    let findings = review["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "two reviewers, one finding: {ended}");
    assert_eq!(
        (&findings[0]["state"], &findings[0]["severity"]),
        (&"fixed".into(), &"high".into())
    );
    assert_eq!(findings[0]["agreement"], 2, "{ended}");
    assert_eq!(shop.stage.text("plan.md"), PLAN.replace(OLD, NEW), "{ended}");
    let certificate = review["certificate"].as_str().unwrap();
    let verified = shop.run(&["verify", certificate]);
    assert_eq!(verified.code, Some(0), "{verified}");
    let verified = shop.run(&["verify", "last"]);
    assert_eq!(verified.code, Some(0), "{verified}");
    assert_eq!(shop.left(), [""; 0]);
}

#[test]
#[ignore = "drives real agents"]
fn claude_reviews_and_fixes() {
    reviews(Who::Claude);
}

#[test]
#[ignore = "drives real agents"]
fn codex_reviews_and_fixes() {
    reviews(Who::Codex);
}
