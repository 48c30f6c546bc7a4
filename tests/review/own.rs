//! A project's own loop: another file of the same name, another loop.

use crate::workflows::stage::Stage;
use std::path::Path;

/// Runs a scene with a changed copy of the loop.
fn with(change: impl Fn(&str) -> String) -> crate::workflows::stage::Ended {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stage = Stage::copy_of(&tests.join("tests/review/two-rounds"), &["command", "trace.txt"]);
    let standard = std::fs::read_to_string(tests.join("stdlib/tasks/review-loop.xml")).unwrap();
    let own = change(&standard);
    assert_ne!(own, standard, "the copy is no other");
    let folder = stage.path("_bmad/core/tasks");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("review-loop.xml"), own).unwrap();
    stage.run_at(
        &[
            "review",
            "plan.md",
            "--level=dual",
            "--agent=script:script.yaml --ack",
            "--non-interactive",
        ],
        "",
    )
}

fn order(errors: &str) -> Vec<&str> {
    errors
        .lines()
        .filter_map(|line| line.trim().strip_suffix(" works"))
        .collect()
}

#[test]
fn other_reviewers_are_sent() {
    let ended = with(|text| text.replace("agent=\"party-facilitator\"", "agent=\"elicitation-expert\""));
    let sent = order(&ended.errors);
    assert!(sent.contains(&"elicitation-expert"), "{}", ended.errors);
    assert!(!sent.contains(&"party-facilitator"), "{}", ended.errors);
}

#[test]
fn reviewers_are_sent_one_after_the_other() {
    let ended = with(|text| {
        text.replace(
            "<parallel max=\"3\" into=\"replies\">",
            "<parallel max=\"1\" into=\"replies\">",
        )
    });
    assert_eq!(order(&ended.errors)[..2], ["adversarial-reviewer", "party-facilitator"]);
}

#[test]
fn another_rule_ends_the_loop() {
    let rule = "{confidence.score} >= {review_loop.target_confidence}";
    let ended = with(|text| text.replace(rule, "{confidence.score} >= 0"));
    assert!(ended.output.contains("after 1 round"), "{}", ended.output);
    let longer = with(|text| text.replace("Enough, or another round", "Enough, or once more"));
    assert!(longer.output.contains("after 2 rounds"), "{}", longer.output);
}
