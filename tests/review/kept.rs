//! What a review leaves as it was: secrets, line ends, and what a person wrote while it waited.

use crate::workflows::stage::Stage;
use bmad::builtins::check_certificate;
use bmad::machine::sha256;
use serde_json::json;
use std::path::Path;

const CERTIFICATE: &str = "_bmad-output/reviews/plan-md-certificate.md";

fn scene() -> Stage {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/two-rounds");
    Stage::copy_of(&scene, &["command", "trace.txt"])
}

/// Two tokens, written in halves, so that no scanner takes this file for a leak.
fn tokens() -> [String; 2] {
    ["a", "b"].map(|letter| format!("ghp_{letter}{}", "1B2c3D4e5F6g7".repeat(3).split_at(35).0))
}

#[test]
fn a_fix_keeps_the_secrets_of_a_document_and_the_books_do_not_have_them() {
    let (stage, [first, second]) = (scene(), tokens());
    let text = stage
        .read("plan.md")
        .replacen("## Goals", &format!("export T={first}\n\n## Goals"), 1);
    let text = format!("{}\n\nThe old one was `{second}`.", text.trim_end());
    std::fs::write(stage.path("plan.md"), &text).unwrap();
    let agent = "--agent=script:script.yaml --ack";
    let ended = stage.run_at(
        &["review", "plan.md", "--level=minimal", agent, "--non-interactive"],
        "",
    );
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    let fixed = stage.read("plan.md");
    let before = "A failed booking is retried with a growing delay.";
    let after = "A failed booking is retried four times with a growing delay, then it fails.";
    let goals = (
        "The ferry must be fast enough for daily use.",
        "A crossing takes at most 12 minutes.",
    );
    assert_eq!(fixed, text.replace(before, after).replace(goals.0, goals.1));
    let facts = check_certificate(&stage.read(CERTIFICATE)).unwrap();
    let hash = |text: &str| format!("sha256:{}", sha256(text.as_bytes()));
    assert_eq!(
        (&facts.texts[0].before, &facts.texts[0].after),
        (&hash(&text), &hash(&fixed))
    );
    assert_eq!(stage.run(&["verify"], "").code, 0);
    assert_eq!(stage.run(&["verify", CERTIFICATE], "").code, 0);
    let told = [
        ended.output,
        ended.errors,
        stage.trace(),
        stage.run(&["log", "--json"], "").output,
        stage.made().replace(&fixed, ""),
    ];
    for text in told {
        assert!(!text.contains(&first) && !text.contains(&second), "{text}");
    }
}

#[test]
fn reports_are_about_the_document_as_it_is_when_they_come() {
    let stage = Stage::holding(&[
        ("plan.md", "# Plan\n\nThe ferry leaves at noon.\n"),
        (
            "agent.sh",
            "cat > /dev/null\n[ -e asked ] && exec cat found.json\ncat ask.json\n",
        ),
        ("ask.json", &json!({"asks": [{"question": "Which plan?"}]}).to_string()),
        (
            "found.json",
            &json!({"findings": [{"severity": "high", "claim": "Nobody works at midnight",
                "place": {"file": "plan.md", "quote": "The ferry leaves at midnight."}}]})
            .to_string(),
        ),
    ]);
    let agent = "command:/bin/sh agent.sh";
    let began = stage.run_at(
        &[
            "review",
            "plan.md",
            "--level=minimal",
            "--no-fix",
            "--agent",
            agent,
            "--non-interactive",
        ],
        "",
    );
    assert_eq!(began.code, 3, "{}", began.errors);
    let changed = "# Plan\n\nThe ferry leaves at midnight.\n";
    std::fs::write(stage.path("plan.md"), changed).unwrap();
    std::fs::write(stage.path("asked"), "").unwrap();
    let shown = stage.run(&["show"], "").output;
    let (_, waiting) = shown.split_once("open questions:").unwrap();
    let id = waiting.split_whitespace().next().unwrap();
    stage.run(&["answer", "last", id, "This one"], "");
    let resumed = stage.run_at(&["resume"], "");
    assert_eq!(resumed.code, 1, "{}{}", resumed.output, resumed.errors);
    assert!(
        resumed.output.contains("Nobody works at midnight"),
        "{}",
        resumed.output
    );
    let facts = check_certificate(&stage.read(CERTIFICATE)).unwrap();
    assert_eq!(facts.findings.len(), 1);
    assert_eq!(facts.texts[0].after, format!("sha256:{}", sha256(changed.as_bytes())));
}
