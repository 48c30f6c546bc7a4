//! Each row of the table in `spec/20-stop-hook.md`.

use super::{Desk, PROMISE, PROMPT, STATE, Said, feed, now, state, tracker};
use serde_json::json;

/// What has to come of a question.
#[derive(Debug, Clone, Copy)]
enum Then {
    /// The agent goes on; what it is told holds these words.
    Held(&'static str),
    /// The agent may stop, the review is over; what a person is told holds these words.
    Released(&'static str),
}

/// Changes to the state file, states of the issues, last words of the agent, and what has to come of it.
type Row<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a str, Then);

const ROWS: &[Row<'_>] = &[
    (
        &[],
        &["open", "fixed", "open"],
        "Done.",
        Then::Held("2 issues are open"),
    ),
    (&[], &["open"], "Done.", Then::Held("1 issue is open")),
    (&[], &["in-progress"], "Done.", Then::Held("1 issue is open")),
    (&[], &["regressed"], "Done.", Then::Held("1 issue is open")),
    (
        &[],
        &["open"],
        PROMISE,
        Then::Held("You said that everything is resolved"),
    ),
    (&[], &["blocked"], PROMISE, Then::Held("1 issue waits for a person")),
    (
        &[],
        &["open", "blocked"],
        PROMISE,
        Then::Held("1 issue is open, 1 issue waits for a person"),
    ),
    (
        &[],
        &["open"],
        "<review-complete>ALL DONE</review-complete>",
        Then::Held("1 issue is open"),
    ),
    (
        &[],
        &["open"],
        "<review-complete>all_issues_resolved</review-complete>",
        Then::Held("1 issue is open"),
    ),
    (
        &[],
        &["open"],
        "<review-blocked></review-blocked>",
        Then::Held("1 issue is open"),
    ),
    (
        &[],
        &["open"],
        "Nothing is blocked any more.",
        Then::Held("1 issue is open"),
    ),
    (
        &[],
        &["fixed", "dismissed", "deferred"],
        PROMISE,
        Then::Released("The review is complete"),
    ),
    (
        &[],
        &[],
        "<review-complete>\n\n  ALL_ISSUES_RESOLVED\t\n</review-complete>",
        Then::Released("The review is complete"),
    ),
    (
        &[("ALL_ISSUES_RESOLVED", "'*? [all]  \"done\"'")],
        &[],
        "<review-complete>*? [all]\n\"done\"</review-complete>",
        Then::Released("The review is complete"),
    ),
    (&[], &[], "Done.", Then::Released("The review is over: nothing is open")),
    (&[], &["blocked"], "Done.", Then::Released("1 issue waits for a person")),
    (
        &[],
        &["open"],
        "I am stuck.\n<review-blocked>\nno\n  key\n</review-blocked>\nSorry.",
        Then::Released("The review needs you: no key (1 issue is open)"),
    ),
    (
        &[],
        &["open"],
        "<review-timeout>30 minutes</review-timeout>",
        Then::Released("ran out of time: 30 minutes (1 issue is open)"),
    ),
    (
        &[("current_round: 1", "current_round: 3")],
        &["open"],
        "Done.",
        Then::Released("3 rounds are used up; 1 issue is open"),
    ),
    (
        &[("current_round: 1", "current_round: 9")],
        &["open"],
        PROMISE,
        Then::Released("3 rounds are used up"),
    ),
    (
        &[("consecutive_failures: 0", "consecutive_failures: 5")],
        &["open"],
        "Done.",
        Then::Released("failed 5 times in a row"),
    ),
    (
        &[("max_runtime_seconds: 1800", "max_runtime_seconds: 0")],
        &["open"],
        "Done.",
        Then::Released("it took 0 seconds"),
    ),
];

#[test]
fn every_row_of_the_table_holds() {
    for (changes, issues, message, then) in ROWS {
        let before = state(changes);
        let desk = Desk::with(&[(STATE, &before), ("reviews/issues.md", &tracker(issues))]);
        let said = desk.stop(message);
        let row = format!("{changes:?} {issues:?} {message} {then:?}: {said:?}");
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{row}");
        match then {
            Then::Held(words) => {
                assert!(said.holds() && said.reason().contains(words), "{row}");
                assert!(said.reason().starts_with(PROMPT), "{row}");
                assert!(said.told().contains("round 2 of 3"), "{row}");
                assert_eq!(without_time(&desk.read(STATE).unwrap()), one_later(&before), "{row}");
            }
            Then::Released(words) => {
                assert!(!said.holds() && said.told().contains(words), "{row}");
                assert!(desk.is_over(), "{row}");
            }
        }
    }
}

/// Returns a state file as it has to be after a round, but for the time.
fn one_later(before: &str) -> String {
    without_time(&before.replace("current_round: 1 ", "current_round: 2 "))
}

fn without_time(text: &str) -> String {
    let is_time = |line: &&str| line.starts_with("last_updated: ");
    let time = text.lines().find(is_time).unwrap();
    text.replace(time, "last_updated: \"…\"")
}

#[test]
fn the_time_of_a_round_is_written_down() {
    let desk = Desk::reviewing(&["open"]);
    let before = now();
    assert!(desk.stop("Done.").holds());
    let text = desk.read(STATE).unwrap();
    let time = text
        .lines()
        .find_map(|line| line.strip_prefix("last_updated: "))
        .unwrap();
    assert!(
        (format!("\"{before}\"")..=format!("\"{}\"", now())).contains(&time.to_owned()),
        "{time}"
    );
}

#[test]
fn an_agent_is_told_what_ends_the_review() {
    let desk = Desk::reviewing(&["open"]);
    insta::assert_snapshot!(desk.stop(PROMISE).reason(), @r"
    Finish the review of docs/prd.md.

    This is round 2 of 3 of the review. It is not finished: 1 issue is open.
    You said that everything is resolved. What the tracker says counts.

    The issues stand in reviews/issues.md, each under a heading such as `### F-1 · high · open`. Once one is fixed, and you have checked it, change the last word of its heading to `fixed`; where only a person can decide, to `blocked`.

    When everything is resolved, and not before, end your message with exactly this:

    <review-complete>ALL_ISSUES_RESOLVED</review-complete>

    - Fix what is open, whatever its severity. Do not say that it is resolved while it is not.
    - Where you cannot go on without a person, end with `<review-blocked>…</review-blocked>` instead, and say between the tags what is missing.
    - Where time runs out, end with `<review-timeout>…</review-timeout>`, and say between the tags what is left.
    ");
}

#[test]
fn nothing_is_said_where_no_review_is_on() {
    let desk = Desk::empty();
    let said = desk.stop("Done.");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    desk.write(STATE, state(&[("active: true", "active: false")]));
    let said = desk.stop("Done.");
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (Some(0), "", ""));
    assert!(desk.is_over());
}

#[test]
fn a_review_ends_after_its_rounds_whatever_the_agent_says() {
    let desk = Desk::reviewing(&["open"]);
    let all: Vec<bool> = (0..4).map(|_| desk.stop("Done.").holds()).collect();
    assert_eq!(all, [true, true, false, false]);
}

#[test]
fn without_a_tracker_the_state_file_counts() {
    let none: &[(&str, &str)] = &[("tracker_path: \"reviews/issues.md\"\n", "")];
    let desk = Desk::with(&[(STATE, &state(none))]);
    assert!(desk.stop(PROMISE).reason().contains("1 issue is open"));
    let desk = Desk::with(&[(STATE, &state(&[none[0], ("pending_count: 1", "pending_count: 0")]))]);
    assert!(desk.stop(PROMISE).told().contains("complete"));
    // The tracker is named, and nobody wrote it yet.
    let desk = Desk::with(&[(STATE, &state(&[]))]);
    let said = desk.stop(PROMISE);
    assert!(said.reason().contains("the issue tracker is not there yet"), "{said:?}");
    assert!(
        said.reason().contains("List what you find in reviews/issues.md"),
        "{said:?}"
    );
    // It is there, and is no tracker.
    desk.write("reviews/issues.md", tracker(&["open", "finished"]));
    let said = desk.stop(PROMISE);
    let words = "cannot be read (line 7 is no heading of a finding: `### F-2 · high · finished`), and 1 issue is open";
    assert!(said.reason().contains(words), "{said:?}");
}

/// The state file as the plan that this hook comes from has it.
const SEED: &str = r#"# BMAD Review Loop State File
# Generated by review-loop.xml when review starts
---
active: true
workflow_name: "create-prd"
section_name: "executive-summary"
content_path: "_bmad-output/planning-artifacts/prd.md"

# Iteration tracking
current_round: 1
max_rounds: 3
current_fix_iteration: 0
max_fix_iterations: 3

# Confidence tracking
initial_confidence: 72
current_confidence: 72
target_confidence: 95

# Issue tracking
total_issues: 8
pending_count: 5
in_progress_count: 0
fixed_count: 3
blocked_count: 0

# Error tracking
consecutive_failures: 0
total_failures: 0
error_history: []
output_hashes: []

# Safety limits
max_consecutive_failures: 5
started_at: "2026-01-15T10:30:00Z"
last_updated: "2026-01-15T10:35:00Z"

# Completion promise
completion_promise: "ALL_ISSUES_RESOLVED"
---
# Original Prompt (re-injected by stop hook on continue)
Review the PRD executive summary section for issues.
---
Fix ALL issues found.
"#;

#[test]
fn a_state_file_that_an_agent_wrote_by_the_older_plan_is_read() {
    let desk = Desk::with(&[(STATE, SEED)]);
    let said = desk.stop("Done.");
    assert!(said.reason().contains("5 issues are open"), "{said:?}");
    assert!(
        said.reason()
            .contains("executive summary section for issues.\n---\nFix ALL"),
        "{said:?}"
    );
    let expected = one_later(&SEED.replace("current_round: 1", "current_round: 1 ")).replace("2 \n", "2\n");
    assert_eq!(without_time(&desk.read(STATE).unwrap()), expected);
}

#[test]
fn the_program_of_the_agent_is_never_made_to_override() {
    let many = [("max_rounds: 3", "max_rounds: 99\nblocks_in_a_row: 0")];
    let desk = Desk::with(&[(STATE, &state(&many)), ("reviews/issues.md", &tracker(&["open"]))]);
    let ask = |again: bool, cap: Option<&str>| -> Said {
        let mut question = desk.question("Done.");
        question["stop_hook_active"] = json!(again);
        let mut command = desk.program(&["hook", "stop"]);
        command.env("CLAUDE_PROJECT_DIR", desk.folder.path());
        command.envs(cap.map(|cap| ("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", cap)));
        feed(command, question.to_string().as_bytes())
    };
    let held: Vec<bool> = (0..10).map(|at| ask(at > 0, None).holds()).collect();
    assert_eq!(held, [true, true, true, true, true, true, true, true, false, false]);
    let said = ask(true, None);
    assert!(said.told().contains("sent back 8 times in a row"), "{said:?}");
    assert!(!desk.is_over());
    assert!(ask(true, Some("10")).holds());
    // The next prompt of the person begins a new row.
    assert!(ask(false, None).holds() && ask(true, None).holds());
    assert!(ask(true, Some("2")).told().contains("2 times"));
    // Codex has no such limit.
    let mut question = desk.question("Done.");
    question["stop_hook_active"] = json!(true);
    assert!((0..20).all(|_| desk.ask(&question).holds()));
}
