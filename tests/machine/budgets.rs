//! What calls may use: time and room, and what is noted where a check was skipped.

use super::{project, trace, trace_timed, willing};
use bmad::builtins::Value;
use bmad::machine::{Checkpoint, Effect, Options};

const MINUTE: u64 = 60_000;

/// A workflow that calls one, which calls another: each with turns before and after.
fn nested(timeout: &str) -> bmad::project::Loaded {
    let outer = format!(
        r#"<workflow name="W"><step n="1" goal="a"><action>Begin.</action><invoke-task path="./inner.xml" {timeout} into="r"/>
        <action>Go on with {{r}}.</action></step></workflow>"#
    );
    project([
        ("flow.xml", &outer),
        (
            "inner.xml",
            r#"<task name="Inner"><flow><step n="1"><action>First.</action><invoke-task path="./last.xml"/>
            <action>Second.</action><return value="ok"/></step></flow></task>"#,
        ),
        (
            "last.xml",
            r#"<task name="Last"><flow><step n="1"><action>Deep.</action></step></flow></task>"#,
        ),
    ])
}

fn taking(loaded: &bmad::project::Loaded, milliseconds: u64, answers: &[&str]) -> String {
    let took = |effect: &Effect| if effect.is_costly() { milliseconds } else { 0 };
    trace_timed(loaded, "flow.xml", Options::default(), &mut willing(answers), &took)
}

#[test]
fn nothing_is_limited_where_nobody_says_so() {
    insta::assert_snapshot!(taking(&nested(""), 100 * MINUTE, &[]), @r"
    step 1
    turn Begin.
    step 1
    turn First.
    step 1
    turn Deep.
    turn Second.
    turn Go on with ok.
    completed
    ");
}

#[test]
fn each_level_keeps_time_to_clean_up() {
    insta::assert_snapshot!(taking(&nested("timeout='120'"), 30_000, &[]), @r"
    step 1
    turn Begin.
    step 1
    turn First. (at most 110 s)
    step 1
    turn Deep. (at most 70 s)
    turn Second. (at most 50 s)
    turn Go on with ok.
    completed
    ");
}

#[test]
fn a_call_without_time_for_another_turn_is_over_and_its_caller_is_unharmed() {
    insta::assert_snapshot!(taking(&nested("timeout='120'"), MINUTE, &["s", "SKIP VALIDATION"]), @r"
    step 1
    turn Begin.
    step 1
    turn First. (at most 110 s)
    step 1
    turn Deep. (at most 40 s)
    ask A call did not work: `Inner` has used the time it may take. What now? [r s a]
    ask To go on without it, type SKIP VALIDATION. What it would have checked stays unchecked. []
    turn Go on with verdict: SKIPPED; error: `Inner` has used the time it may take.
    step end
    completed
    ");
}

#[test]
fn a_call_that_is_tried_again_gets_its_time_again() {
    insta::assert_snapshot!(taking(&nested("timeout='120'"), MINUTE, &["r", "a"]), @r"
    step 1
    turn Begin.
    step 1
    turn First. (at most 110 s)
    step 1
    turn Deep. (at most 40 s)
    ask A call did not work: `Inner` has used the time it may take. What now? [r s a]
    step 1
    turn First. (at most 110 s)
    step 1
    turn Deep. (at most 40 s)
    ask A call did not work: `Inner` has used the time it may take. What now? [r s a]
    failed `Inner` has used the time it may take
    ");
}

#[test]
fn lanes_that_work_at_the_same_time_use_the_time_of_the_longest() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./inner.xml" timeout="120"/></step></workflow>"#,
        ),
        (
            "inner.xml",
            r#"<task name="Inner"><flow><step n="1"><parallel>
            <dispatch agent="a" mode="fresh">One.</dispatch><dispatch agent="b" mode="fresh">Two.</dispatch></parallel>
            <action>Third.</action></step></flow></task>"#,
        ),
    ]);
    insta::assert_snapshot!(taking(&loaded, 50_000, &[]), @r"
    step 1
    step 1
    0.1.1 turn a: One. (at most 110 s)
    0.1.2 turn b: Two. (at most 110 s)
    turn Third. (at most 60 s)
    completed
    ");
}

#[test]
fn lanes_inside_a_short_call_do_not_shorten_the_call_around_it() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./outer.xml" timeout="500"/></step></workflow>"#,
        ),
        (
            "outer.xml",
            r#"<task name="Outer"><flow><step n="1"><invoke-task path="./inner.xml" timeout="100"/>
            <action>Go on.</action></step></flow></task>"#,
        ),
        (
            "inner.xml",
            r#"<task name="Inner"><flow><step n="1"><parallel max="2">
            <dispatch agent="a" mode="fresh">One.</dispatch><dispatch agent="b" mode="fresh">Two.</dispatch>
            <dispatch agent="c" mode="fresh">Three.</dispatch></parallel></step></flow></task>"#,
        ),
    ]);
    insta::assert_snapshot!(taking(&loaded, 30_000, &[]), @r"
    step 1
    step 1
    step 1
    0.1.1 turn a: One. (at most 90 s)
    0.1.2 turn b: Two. (at most 90 s)
    0.1.3 turn c: Three. (at most 60 s)
    turn Go on. (at most 430 s)
    completed
    ");
}

#[test]
fn a_workflow_that_checks_another_may_take_five_minutes_of_its_agents() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./inner.xml"/></step></workflow>"#,
        ),
        (
            "inner.xml",
            r#"<task name="Validate it"><flow><step n="1"><action>Look.</action></step></flow></task>"#,
        ),
    ]);
    insta::assert_snapshot!(taking(&loaded, MINUTE, &[]), @r"
    step 1
    step 1
    turn Look. (at most 290 s)
    completed
    ");
}

#[test]
fn a_called_workflow_knows_who_called_it() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="7" goal="a"><invoke-task path="./inner.xml"/></step></workflow>"#,
        ),
        (
            "inner.xml",
            r#"<task name="Inner"><flow><step n="1"><output>{parent_workflow}, step {parent_step}, depth {nesting_depth}: {call_stack}</output></step></flow></task>"#,
        ),
    ]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 7
    step 1
    show W, step 7, depth 1: W (step 7)
    completed
    ");
}

#[test]
fn a_call_that_hands_over_more_than_an_agent_can_take_in_is_shortened() {
    let options = Options {
        room: 1_000,
        inputs: vec![("long".to_owned(), Value::Text("word ".repeat(4_000)))],
        ..Options::default()
    };
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./inner.xml"><param name="text" value="{long}"/></invoke-task></step></workflow>"#,
        ),
        (
            "inner.xml",
            r#"<task name="Inner"><flow><step n="1"><output>{text}</output></step></flow></task>"#,
        ),
    ]);
    let text = trace(&loaded, "flow.xml", options, &mut willing(&[]));
    assert!(text.contains("[… 18060 characters are left out …]"), "{text}");
    assert!(text.len() < 2_200, "{}", text.len());
}

/// Skips a check that fails and returns what is noted at the end.
fn noted_after_a_skip() -> Checkpoint {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><output file="out/plan.md">A plan.</output>
            <invoke-task path="./gone.xml" into="r"/><output>{r.verdict}</output></step></workflow>"#,
    )]);
    let mut last = None;
    let mut rest = willing(&["s", "SKIP VALIDATION"]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut |issued| {
        if let Effect::Checkpoint(checkpoint) = &issued.effect {
            last = Some(checkpoint.clone());
        }
        rest(issued)
    });
    assert!(text.contains("show SKIPPED"), "{text}");
    *last.unwrap()
}

#[test]
fn what_was_written_before_a_check_was_skipped_is_named_as_unchecked() {
    let checkpoint = noted_after_a_skip();
    assert_eq!(checkpoint.artefacts, ["out/plan.md"]);
    assert_eq!(checkpoint.unvalidated, ["./gone.xml"]);
}
