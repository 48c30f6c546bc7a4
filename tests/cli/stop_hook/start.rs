//! Reviews that a person begins and calls off.

use super::{Desk, PROMISE, STATE, tracker};
use std::fs;

#[test]
fn a_review_is_begun_held_and_completed() {
    let desk = Desk::with(&[("issues.md", &tracker(&["open", "fixed"]))]);
    let said = desk.run(&[
        "hook",
        "start",
        "--prompt",
        "Mend the fence.\n---\nAll of it.",
        "--tracker",
        "issues.md",
    ]);
    assert_eq!(said.code, Some(0), "{said:?}");
    insta::assert_snapshot!(said.out, @r"
    a review is on: .claude/review-loop-state.yaml
      tracker   issues.md
      rounds    3
      ends with <review-complete>ALL_ISSUES_RESOLVED</review-complete>
    ");
    insta::assert_snapshot!(said.err, @"note: no agent runs the hook in this project; `bmad hook install --agent AGENT` sets it up");
    let said = desk.stop("Done.");
    assert!(
        said.holds() && said.reason().starts_with("Mend the fence.\n---\nAll of it.\n"),
        "{said:?}"
    );
    desk.write("issues.md", tracker(&["fixed"]));
    assert!(desk.stop(PROMISE).told().contains("complete"));
    assert!(desk.is_over());
}

#[test]
fn the_state_file_is_the_one_that_the_loop_writes() {
    let desk = Desk::empty();
    assert_eq!(
        desk.run(&["hook", "start", "--max-rounds", "7", "--max-minutes", "5"])
            .code,
        Some(0)
    );
    let text = desk.read(STATE).unwrap();
    let template = include_str!("../../../stdlib/templates/review-loop-state.yaml");
    let keys = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with(['#', '{']));
        lines
            .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
            .collect()
    };
    assert_eq!(
        keys(text.split("---\n").nth(1).unwrap()),
        keys(template.split("---\n").nth(1).unwrap())
    );
    for line in [
        "active: true",
        "tracker_path: \"_bmad-output/reviews/issues.md\"",
        "max_rounds: 7",
        "pending_count: 1",
        "max_runtime_seconds: 300",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
}

#[test]
fn a_review_that_is_on_is_not_lost_by_mistake() {
    let desk = Desk::empty();
    assert_eq!(desk.run(&["hook", "start"]).code, Some(0));
    desk.stop("Done.");
    let before = desk.read(STATE);
    let said = desk.run(&["hook", "start"]);
    assert_eq!((said.code, desk.read(STATE)), (Some(2), before));
    insta::assert_snapshot!(said.err, @r"
    error: a review is on already
      hint: `bmad hook end` calls it off; `--again` begins anew
    ");
    assert_eq!(desk.run(&["hook", "start", "--again"]).code, Some(0));
    assert!(desk.read(STATE).unwrap().contains("current_round: 1\n"));
    assert_eq!(
        desk.run(&["hook", "end"]).out,
        "the review is called off; the agent may stop\n"
    );
    assert!(desk.is_over() && !desk.stop("Done.").holds());
    assert_eq!(desk.run(&["hook", "end"]).out, "no review is on\n");
}

#[test]
fn a_promise_of_ones_own_is_kept_word_for_word() {
    let desk = Desk::with(&[("issues.md", &tracker(&["open"]))]);
    let start = |promise: &str| {
        desk.run(&[
            "hook",
            "start",
            "--tracker",
            "issues.md",
            "--again",
            "--promise",
            promise,
        ])
    };
    assert_eq!(start("It is \"done\": 100 %").code, Some(0));
    desk.write("issues.md", tracker(&[]));
    let said = desk.stop("<review-complete>It is \"done\": 100 %</review-complete>");
    assert!(said.told().contains("complete"), "{said:?}");
    desk.write("issues.md", tracker(&["open"]));
    for promise in ["", " ", "<b>"] {
        assert_eq!(start(promise).code, Some(2), "{promise}");
    }
}

#[test]
fn a_tracker_outside_of_the_project_is_refused() {
    let desk = Desk::empty();
    let said = desk.run(&["hook", "start", "--tracker", "../issues.md"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.contains("is not inside the project") && desk.is_over(),
        "{said:?}"
    );
    for args in [&["--max-rounds", "0"], &["--max-rounds", "x"]] {
        assert_eq!(desk.run(&[&["hook", "start"][..], args].concat()).code, Some(2));
    }
}

#[test]
fn more_rounds_than_the_agents_program_allows_are_told() {
    let desk = Desk::empty();
    let said = desk.run(&["hook", "start", "--max-rounds", "12"]);
    assert!(said.err.contains("set CLAUDE_CODE_STOP_HOOK_BLOCK_CAP=11"), "{said:?}");
}

#[test]
fn a_template_of_the_projects_own_wins_unless_the_hook_cannot_read_it() {
    let own = "_bmad/core/templates/review-loop-state.yaml";
    let template = include_str!("../../../stdlib/templates/review-loop-state.yaml");
    let desk = Desk::with(&[(own, &template.replace("# Rounds", "# Our rounds"))]);
    assert_eq!(desk.run(&["hook", "start"]).code, Some(0));
    assert!(desk.read(STATE).unwrap().contains("# Our rounds\n"));
    for (broken, why) in [
        (
            template.replace("current_round", "round"),
            "`current_round` is not there",
        ),
        ("{% if %}".to_owned(), "the template fails"),
    ] {
        desk.write(own, broken);
        let said = desk.run(&["hook", "start", "--again"]);
        assert_eq!(said.code, Some(2));
        assert!(said.err.contains(why) && said.err.contains(own), "{said:?}");
    }
}

#[test]
fn the_configuration_of_the_project_sets_the_limits() {
    let config = "output_folder: \"{project-root}/out\"\nreview_loop:\n  state_file: \"{project-root}/run/loop.yaml\"\n  limits:\n    max_review_rounds: 5\n";
    let desk = Desk::with(&[("_bmad/core/config.yaml", config)]);
    fs::create_dir_all(desk.path("docs")).unwrap();
    let mut command = desk.program(&["hook", "start", "--document", "prd.md"]);
    let output = command.current_dir(desk.path("docs")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = desk.read("run/loop.yaml").unwrap();
    for line in [
        "max_rounds: 5",
        "max_fix_iterations: 3",
        "tracker_path: \"out/reviews/issues.md\"",
        "content_path: \"docs/prd.md\"",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
}

/// A workflow that has its section reviewed.
const FLOW: &str = r#"<workflow name="Write">
  <step n="1" goal="Review it">
    <invoke-task path="{project-root}/_bmad/core/tasks/review-loop.xml">
      <param name="content_path" value="doc.md"/>
      <param name="section_name" value="All of it"/>
      <param name="workflow_name" value="Write"/>
    </invoke-task>
  </step>
</workflow>
"#;

#[test]
fn the_state_and_the_tracker_of_the_review_loop_are_read() {
    let desk = Desk::with(&[("doc.md", "# Plan\n\nSee [b](missing.md).\n"), ("flow.xml", FLOW)]);
    let ended = desk.run(&["exec", "flow.xml", "--defaults", "--non-interactive"]);
    // The loop waits for somebody to say which file is meant.
    assert_eq!(ended.code, Some(3), "{ended:?}");
    let before = desk.read(STATE).unwrap();
    assert!(
        before.contains("section_name: \"All of it\"\n") && !before.contains("{{"),
        "{before}"
    );
    let said = desk.stop(PROMISE);
    assert!(said.holds() && said.err.is_empty(), "{said:?}");
    assert!(said.reason().contains("1 issue waits for a person"), "{said:?}");
    assert!(
        said.reason()
            .starts_with("Finish the review of the section All of it in doc.md."),
        "{said:?}"
    );
    let after = desk.read(STATE).unwrap();
    let changed = before
        .lines()
        .zip(after.lines())
        .filter(|(before, after)| before != after);
    let changed: Vec<&str> = changed.map(|(_, after)| after.split(':').next().unwrap()).collect();
    assert_eq!(changed, ["current_round", "blocks_in_a_row", "last_updated"]);
    assert!(
        desk.stop("A person has to decide.")
            .told()
            .contains("1 issue waits for a person")
    );
    assert!(desk.is_over());
}

#[test]
fn a_second_review_does_not_take_the_tracker_of_one_that_is_over() {
    let usual = "_bmad-output/reviews/issues.md";
    let desk = Desk::with(&[(usual, &tracker(&["fixed", "dismissed"]))]);
    let said = desk.run(&["hook", "start"]);
    assert!(
        said.out.contains("tracker   _bmad-output/reviews/issues-2.md"),
        "{said:?}"
    );
    assert!(desk.stop("Done.").holds());
    let named = desk.run(&["hook", "start", "--again", "--tracker", usual]);
    assert_eq!(named.code, Some(2), "{named:?}");
    assert!(named.err.contains("nothing is open in"), "{named:?}");
    desk.write("_bmad-output/reviews/issues-2.md", tracker(&["open"]));
    let again = desk.run(&["hook", "start", "--again"]);
    assert!(
        again.out.contains("tracker   _bmad-output/reviews/issues-2.md"),
        "{again:?}"
    );
}
