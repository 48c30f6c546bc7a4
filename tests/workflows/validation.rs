//! The validation loop of the standard library, with agents whose replies are known.

use super::stage::Stage;
use std::fmt::Write as _;

/// A workflow that validates a brief, and says how it ended.
const WORKFLOW: &str = r#"<workflow name="Check the brief">
  <step n="1" goal="Validate">
    <call path="{project-root}/_bmad/core/tasks/validation-loop.xml" into="result">
      <param name="content_path" value="brief.md"/>
      <param name="criteria" value="It names a goal and a date."/>
      <param name="output_folder" value="{project-root}/out"/>
    </call>
    <output>{result.outcome}: {result.verdict} after {result.validations}. {result.reason}</output>
  </step>
</workflow>
"#;

/// Runs the loop: each validation finds what is said, `ok` passes and `?` has concerns. Answers how it ended.
fn validated(found: &[&str], consensus: &str, typed: &str) -> (Stage, String) {
    let mut script = String::new();
    for (at, issue) in (1..).zip(found) {
        let verdict = match *issue {
            "ok" => "READY",
            "?" => "NEEDS WORK",
            _ => "NOT READY",
        };
        let fields = format!("{{verdict: {verdict}, issues: [\"{issue}\"], rationale: r}}");
        writeln!(script, "- says: Validate\n  nth: {at}\n  reply: {{fields: {fields}}}").unwrap();
    }
    let said = format!("{{consensus: {consensus}, advice: split it}}");
    writeln!(script, "- says: different views\n  reply: {{fields: {said}}}").unwrap();
    writeln!(script, "- says: Fix these issues\n  reply: {{text: fixed}}").unwrap();
    let stage = Stage::holding(&[
        ("workflow.xml", WORKFLOW),
        ("brief.md", "# Brief\n"),
        ("script.yaml", &script),
    ]);
    let ended = stage.run_at(&["exec", "workflow.xml", "--agent", "script:script.yaml"], typed);
    assert_eq!(ended.code, 0, "{}{}", ended.output, ended.errors);
    let last = ended.output.lines().rfind(|line| line.contains(" after "));
    let last = last.unwrap_or(&ended.output).trim().to_owned();
    (stage, last)
}

/// Counts the turns whose prompt holds some words.
fn turns(stage: &Stage, words: &str) -> usize {
    let trace = stage.trace();
    let dispatched = trace.lines().filter(|line| line.contains(words));
    dispatched.count()
}

#[test]
fn a_document_that_holds_is_validated_once() {
    let (stage, last) = validated(&["ok"], "full", "");
    assert_eq!(last, "passed: READY after 1.");
    assert_eq!(
        stage.read("out/validations/brief-md-validation-1.md"),
        "# Validation 1: brief.md\n\nVerdict: READY\nIssues: ok\nNext: done\n"
    );
    assert_eq!(turns(&stage, "Fix these issues"), 0);
}

#[test]
fn what_is_found_is_fixed_and_validated_again() {
    let (stage, last) = validated(&["no goal", "no date", "ok"], "full", "");
    assert_eq!(last, "passed: READY after 3.");
    assert_eq!(turns(&stage, "Fix these issues"), 2);
    assert_eq!(turns(&stage, "party-facilitator"), 0);
}

#[test]
fn concerns_are_for_a_person() {
    let (stage, last) = validated(&["?"], "full", "a\n");
    assert_eq!(
        last,
        "accepted: NEEDS WORK after 1. NEEDS WORK is for a person to decide"
    );
    assert_eq!(turns(&stage, "Fix these issues"), 0);
}

#[test]
fn what_stays_the_same_is_discussed_and_then_fixed() {
    let (stage, last) = validated(&["no goal", "no goal", "no goal", "ok"], "full", "");
    assert_eq!(last, "passed: READY after 4.");
    assert_eq!(turns(&stage, "party-facilitator"), 1);
    assert_eq!(turns(&stage, "Fix these issues"), 3);
}

#[test]
fn what_stays_the_same_after_a_discussion_goes_to_a_person() {
    let (stage, last) = validated(&["no goal"; 4], "full", "s\n");
    assert!(
        last.starts_with("stopped: NOT READY after 4. the same issues came 4 times in a row, and a discussion"),
        "{last}"
    );
    assert_eq!(turns(&stage, "party-facilitator"), 1);
}

#[test]
fn after_five_attempts_a_person_is_asked() {
    let (stage, last) = validated(&["1", "2", "3", "4", "5", "6"], "full", "m\n");
    assert_eq!(last, "by-hand: NOT READY after 6. 5 attempts did not solve it");
    assert_eq!(turns(&stage, "Fix these issues"), 5);
}

#[test]
fn fixes_that_undo_each_other_end_the_loop() {
    let (_, last) = validated(&["1", "2", "1", "2"], "full", "s\n");
    assert_eq!(
        last,
        "stopped: NOT READY after 4. fixes undo each other: 2 times something came back"
    );
}

#[test]
fn a_validation_that_fails_itself_goes_to_a_person_at_once() {
    let (stage, last) = validated(&[], "full", "s\n");
    assert_eq!(last, "stopped:  after 1. the validation said nothing");
    assert_eq!(turns(&stage, "Fix these issues"), 0);
}
