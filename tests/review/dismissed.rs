//! What a person dismissed stays dismissed in the next review, until its text changes.

use crate::workflows::stage::{Ended, Stage};
use std::path::Path;

/// Where it is kept.
const KEPT: &str = "_bmad-output/reviews/dismissed.json";

/// A reviewer that reports what was dismissed, and a fixer that cannot say.
const AGAIN: &str = r#"
- agent: adversarial-reviewer
  reply:
    findings:
      - severity: high
        category: unfounded
        claim: The price of a ticket has no source
        place: {file: plan.md, section: Costs, quote: "A ticket costs 3 euros."}
        evidence: Read the section Costs again
        suggestion: Say who decided the price
    lenses: [{name: contradiction, result: compared every section with the others}]
- agent: issue-fixer
  reply:
    fixes:
      - {finding: F-1, status: BLOCKED, description: "Only the town council knows", verification: read it again, needs: ""}
    edits: []
    patterns: []
"#;

/// A reviewer that was told what is dismissed, and says nothing of it.
const QUIET: &str = "
- agent: adversarial-reviewer
  reply:
    findings: []
    lenses: [{name: contradiction, result: compared every section with the others}]
";

/// A reviewer that never answers.
const CRASHED: &str = "- agent: adversarial-reviewer\n  fail: crashed\n";

/// Makes a plan with a finding that is dismissed once it is reviewed.
fn stage() -> Stage {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/dismissed-without-a-reason");
    let stage = Stage::copy_of(&scene, &["command", "trace.txt"]);
    let answers = "blocked-finding: X\ndecision_reason: the council has decided\n";
    std::fs::write(stage.path("answers.yaml"), answers).unwrap();
    stage
}

/// Reviews the plan, and dismisses what its fixer cannot fix.
fn dismiss(stage: &Stage) -> Ended {
    let agent = "script:script.yaml";
    let first = ["review", "plan.md", "--level", "minimal", "--agent", agent];
    stage.run_at(
        &[&first[..], &["--non-interactive", "--answers", "answers.yaml"]].concat(),
        "",
    )
}

/// Reviews a document once more, with agents that follow a script; returns the exit code and what was printed.
fn review(stage: &Stage, document: &str, script: &str) -> (i32, String) {
    std::fs::write(stage.path("again.yaml"), script).unwrap();
    let agent = "script:again.yaml";
    let given = [
        "review",
        document,
        "--level",
        "minimal",
        "--agent",
        agent,
        "--non-interactive",
    ];
    let ended = stage.run_at(&given, "");
    (ended.code, ended.output + &ended.errors)
}

/// Puts something in the place of a part of the plan.
fn rewrite(stage: &Stage, part: &str, now: &str) {
    let plan = stage.read("plan.md");
    assert!(plan.contains(part));
    std::fs::write(stage.path("plan.md"), plan.replace(part, now)).unwrap();
}

#[test]
fn what_was_dismissed_is_not_asked_again_until_its_text_changes() {
    let stage = stage();
    assert_eq!(dismiss(&stage).code, 0);
    let kept = stage.read(KEPT);
    assert!(
        kept.contains("the council has decided") && kept.contains("has no source"),
        "{kept}"
    );

    let (code, said) = review(&stage, "plan.md", AGAIN);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("1 dismissed") && !said.contains("issue-fixer works"),
        "{said}"
    );
    let tracker = stage.read("_bmad-output/reviews/plan-md-issues.md");
    assert!(
        tracker.contains("· dismissed") && tracker.contains("the council has decided"),
        "{tracker}"
    );

    rewrite(
        &stage,
        "A ticket costs 3 euros.",
        "A ticket costs 3 euros. From May on it costs 90.",
    );
    let (code, said) = review(&stage, "plan.md", QUIET);
    assert!(code == 0 && !said.contains("dismissed"), "{said}");
    let (code, said) = review(&stage, "plan.md", AGAIN);
    assert!(code == 3 && said.contains("F-1 (high) is blocked"), "{said}");

    rewrite(&stage, " From May on it costs 90.", "");
    assert_eq!(stage.read(KEPT), kept);
    let (code, said) = review(&stage, "plan.md", QUIET);
    assert!(code == 0 && said.contains("1 dismissed"), "{said}");
}

#[test]
fn what_was_dismissed_in_one_document_says_nothing_of_another_of_its_name() {
    let stage = stage();
    assert_eq!(dismiss(&stage).code, 0);
    let kept = stage.read(KEPT);
    std::fs::create_dir(stage.path("docs")).unwrap();
    std::fs::copy(stage.path("plan.md"), stage.path("docs/plan.md")).unwrap();
    let (code, said) = review(&stage, "docs/plan.md", QUIET);
    assert!(code == 0 && !said.contains("dismissed"), "{said}");
    assert_eq!(stage.read(KEPT), kept);
}

#[test]
fn what_another_review_dismissed_meanwhile_is_kept() {
    let stage = stage();
    let (code, said) = review(&stage, "plan.md", AGAIN);
    assert_eq!(code, 3, "{said}");
    let other =
        r#"[{"claim": "Nobody is named", "reason": "everybody is", "place": {"file": "plan.md"}, "anchor": "a"}]"#;
    std::fs::write(stage.path(KEPT), other).unwrap();
    let ended = stage.run_at(&["resume", "--answers", "answers.yaml"], "");
    assert_eq!(ended.code, 0, "{}", ended.errors);
    let kept = stage.read(KEPT);
    assert!(
        kept.contains("Nobody is named") && kept.contains("the council has decided"),
        "{kept}"
    );
}

#[test]
fn a_review_that_nobody_made_is_none_whatever_was_dismissed_before() {
    let stage = stage();
    assert_eq!(dismiss(&stage).code, 0);
    let (code, said) = review(&stage, "plan.md", CRASHED);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("nothing was reviewed: no reviewer looked at plan.md"),
        "{said}"
    );
    let json = stage.run(&["review", "--report=last", "--format=json"], "").output;
    assert!(json.contains("\"reviewed\": false"), "{json}");
}

#[test]
fn a_list_of_what_was_dismissed_that_cannot_be_read_is_told_and_kept() {
    let stage = stage();
    let path = stage.path(KEPT);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "[{\"claim\": \n").unwrap();
    let ended = dismiss(&stage);
    let said = ended.output + &ended.errors;
    assert_eq!(ended.code, 0, "{said}");
    // Once before anybody is asked, and once where something was not kept.
    assert_eq!(
        said.matches("dismissed.json: it is no list in JSON").count(),
        2,
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "[{\"claim\": \n");
}
