//! Calls: what goes in, what comes back, how deep, and what is done when one fails.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Failure, FailureKind, Issued, Options, Outcome};

const DEEP: [(&str, &str); 5] = [
    (
        "flow.xml",
        r#"<workflow name="zero"><step n="1" goal="a"><invoke-task path="./one.xml"/><output>back</output></step></workflow>"#,
    ),
    (
        "one.xml",
        r#"<task name="one"><flow><step n="1"><invoke-task path="./two.xml"/></step></flow></task>"#,
    ),
    (
        "two.xml",
        r#"<task name="two"><flow><step n="1"><invoke-task path="./three.xml"/></step></flow></task>"#,
    ),
    (
        "three.xml",
        r#"<task name="three"><flow><step n="1"><output>as deep as may be</output></step></flow></task>"#,
    ),
    (
        "four.xml",
        r#"<task name="four"><flow><step n="1"><output>too deep</output></step></flow></task>"#,
    ),
];

#[test]
fn a_call_gets_its_parameters_and_hands_a_value_back() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><set name="secret" value="mine"/>
            <invoke-task path="./task.xml" into="r"><param name="word" value="tea"/></invoke-task>
            <output>{r} and {secret}</output></step></workflow>"#,
        ),
        (
            "task.xml",
            r#"<task name="T"><inputs><input name="word" required="true"/></inputs><flow>
            <step n="1"><output>{word}, {secret}</output><set name="secret" value="other"/><return value="{word}!"/></step></flow></task>"#,
        ),
    ]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    step 1
    show tea,
    show tea! and mine
    completed
    ");
}

#[test]
fn a_protocol_is_found_by_a_value_and_in_the_task_that_runs_workflows() {
    let flow = |name: &str| {
        format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="how" value="{name}"/><invoke-protocol name="{{how}}"/></step>
            <protocols><protocol name="own"><output>mine</output></protocol></protocols></workflow>"#
        )
    };
    let core = r#"<task name="T"><flow><step n="1"><action>Run the workflow.</action></step></flow>
        <protocols><protocol name="shared"><output>of all</output></protocol></protocols></task>"#;
    let ends = ["own", "shared", "nobody's"].map(|name| {
        let loaded = project([("tasks/flow.xml", flow(name).as_str()), ("tasks/workflow.xml", core)]);
        trace(&loaded, "tasks/flow.xml", Options::default(), &mut willing(&[]))
    });
    insta::assert_snapshot!(ends.join("\n"), @r"
    step 1
    show mine
    completed
    step 1
    show of all
    completed
    step 1
    failed no protocol is named `nobody's`
    ");
}

#[test]
fn three_levels_below_the_first_run() {
    let text = trace(&project(DEEP), "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    step 1
    step 1
    step 1
    show as deep as may be
    show back
    completed
    ");
}

#[test]
fn a_fourth_level_is_refused_with_the_whole_stack() {
    let mut files = DEEP;
    files[3].1 = r#"<task name="three"><flow><step n="1"><invoke-task path="./four.xml"/></step></flow></task>"#;
    let text = trace(&project(files), "flow.xml", Options::default(), &mut willing(&["a"]));
    insta::assert_snapshot!(text, @r"
    step 1
    step 1
    step 1
    step 1
    ask A call did not work: calls nest deeper than 3: zero (step 1) → one (step 1) → two (step 1) → three (step 1) → four. What now? [r s a]
    failed calls nest deeper than 3: zero (step 1) → one (step 1) → two (step 1) → three (step 1) → four
    ");
}

#[test]
fn a_workflow_that_calls_itself_is_stopped_by_the_depth() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><invoke-workflow path="./flow.xml"/></step></workflow>"#,
    )]);
    let text = trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut willing(&["a", "a", "a", "a"]),
    );
    insta::assert_snapshot!(text, @r"
    step 1
    step 1
    step 1
    step 1
    ask A call did not work: calls nest deeper than 3: W (step 1) → W (step 1) → W (step 1) → W (step 1) → W. What now? [r s a]
    failed calls nest deeper than 3: W (step 1) → W (step 1) → W (step 1) → W (step 1) → W
    ");
}

fn with_a_failing_task(answers: &[&str]) -> String {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./task.xml" into="r"/><output>after</output></step><step n="2" goal="b"><output>end</output></step></workflow>"#,
        ),
        (
            "task.xml",
            r#"<task name="Check"><flow><step n="1"><action>Check it.</action></step></flow></task>"#,
        ),
    ]);
    let mut failures = 1;
    let mut rest = willing(answers);
    trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Dispatch(_) if failures > 0 => {
                failures -= 1;
                Some(Outcome::Failed(Failure {
                    kind: FailureKind::Timeout,
                    message: "it took too long".to_owned(),
                }))
            }
            _ => rest(issued),
        },
    )
}

#[test]
fn a_call_that_fails_leaves_its_caller_unharmed_and_can_be_tried_again() {
    insta::assert_snapshot!(with_a_failing_task(&["r"]), @r"
    step 1
    step 1
    turn Check it. (at most 290 s)
    ask A call did not work: it took too long. What now? [r s a]
    step 1
    turn Check it. (at most 290 s)
    show after
    step 2
    show end
    completed
    ");
}

#[test]
fn a_call_is_skipped_only_with_the_exact_words() {
    insta::assert_snapshot!(with_a_failing_task(&["s", "skip validation", "s", "SKIP VALIDATION"]), @r"
    step 1
    step 1
    turn Check it. (at most 290 s)
    ask A call did not work: it took too long. What now? [r s a]
    ask To go on without it, type SKIP VALIDATION. What it would have checked stays unchecked. []
    ask A call did not work: it took too long. What now? [r s a]
    ask To go on without it, type SKIP VALIDATION. What it would have checked stays unchecked. []
    show after
    step 2
    show end
    step end
    completed
    ");
}

#[test]
fn a_call_that_is_given_up_ends_the_run() {
    insta::assert_snapshot!(with_a_failing_task(&["a"]), @r"
    step 1
    step 1
    turn Check it. (at most 290 s)
    ask A call did not work: it took too long. What now? [r s a]
    failed it took too long
    ");
}

#[test]
fn a_target_that_is_not_there_is_a_question() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><invoke-task path="./gone.xml"/></step></workflow>"#,
    )]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["a"]));
    insta::assert_snapshot!(text, @r"
    step 1
    ask A call did not work: the workflow calls `./gone.xml`, which is not there. What now? [r s a]
    failed the workflow calls `./gone.xml`, which is not there
    ");
}

#[test]
fn a_path_that_leads_out_of_the_project_is_refused() {
    for path in ["../../etc/passwd", "/etc/passwd", "{x}/../../up.md", "a\u{1}b.md"] {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="x" value=".."/><output file="{path}">x</output></step></workflow>"#
        );
        let text = trace(
            &project([("flow.xml", &flow)]),
            "flow.xml",
            Options::default(),
            &mut willing(&[]),
        );
        assert!(text.contains("failed") && !text.contains("write"), "{path}: {text}");
    }
}

/// Runs a workflow that calls a task which needs a word and takes a note.
fn called_with(params: &str, answers: &[&str]) -> String {
    let flow = format!(
        r#"<workflow name="W"><step n="1" goal="a"><call path="./task.xml" into="r">{params}</call><output>on: {{r}}</output></step></workflow>"#
    );
    let task = r#"<task name="T"><inputs><input name="word" required="true" desc="what to say"/><input name="note"/></inputs>
        <flow><step n="1"><output>{word}[{note}]</output><return value="{word}!"/></step></flow></task>"#;
    let loaded = project([("flow.xml", flow.as_str()), ("task.xml", task)]);
    trace(&loaded, "flow.xml", Options::default(), &mut willing(answers))
}

#[test]
fn what_a_call_lacks_is_the_question_of_whoever_calls() {
    insta::assert_snapshot!(called_with("", &["s", "SKIP VALIDATION"]), @r"
    step 1
    ask A call did not work: `word` of task.xml needs a value: what to say. What now? [r s a]
    ask To go on without it, type SKIP VALIDATION. What it would have checked stays unchecked. []
    show on: verdict: SKIPPED; error: `word` of task.xml needs a value: what to say
    step end
    completed
    ");
}

#[test]
fn a_name_that_nothing_defines_is_asked_for_before_the_call() {
    insta::assert_snapshot!(called_with(r#"<param name="word" value="{nobody}"/>"#, &["tea"]), @r"
    step 1
    ask `nobody` has no value and is needed for a call. What is it? []
    step 1
    show tea[]
    show on: tea!
    completed
    ");
}

#[test]
fn an_input_that_is_not_given_is_nothing() {
    insta::assert_snapshot!(called_with(r#"<param name="word" value="tea"/>"#, &[]), @r"
    step 1
    step 1
    show tea[]
    show on: tea!
    completed
    ");
}

#[test]
fn an_agent_that_nothing_names_is_asked_for_before_the_turn() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><dispatch agents="{nobody}" into="r">Hello</dispatch></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["ada"]));
    insta::assert_snapshot!(text, @r"
    step 1
    ask `nobody` has no value and is needed for an agent's name. What is it? []
    0.1.1 turn ada: Hello
    completed
    ");
}

#[test]
fn what_is_filled_otherwise_is_not_asked_for() {
    for value in [
        "{{#each items}}{this} {{/each}}",
        "{{#if maybe}}{maybe}{{/if}}tea",
        "{{nobody}}",
        "{items.length}",
        "{note.depth}",
        "{later.outcome}",
    ] {
        let flow = format!(
            r#"<workflow name="W"><inputs><input name="note"/></inputs><step n="1" goal="a"><set name="items" value="a, b"/>
            <call path="./task.xml"><param name="word" value="{value}"/></call></step></workflow>"#
        );
        let task = r#"<task name="T"><inputs><input name="word" required="true"/></inputs>
            <flow><step n="1"><output>{word}</output></step></flow></task>"#;
        let loaded = project([("flow.xml", flow.as_str()), ("task.xml", task)]);
        let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
        assert!(text.ends_with("completed"), "{value}: {text}");
        assert!(!text.contains("{note.depth}"), "{text}");
    }
}

#[test]
fn a_built_in_asks_nobody() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><call builtin="slug" into="s"><param name="text" value="{nobody}"/></call><output>{s}</output></step></workflow>"#;
    let text = trace(
        &project([("flow.xml", flow)]),
        "flow.xml",
        Options::default(),
        &mut willing(&[]),
    );
    assert!(text.ends_with("completed"), "{text}");
}

#[test]
fn an_item_that_only_the_agent_knows_is_another_in_every_pass() {
    let loaded = project([
        (
            "flow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><loop for="story in the open stories" max="2"><call path="./task.xml"><param name="word" value="{story}"/></call></loop></step></workflow>"#,
        ),
        (
            "task.xml",
            r#"<task name="T"><inputs><input name="word"/></inputs><flow><step n="1"><output>{word}</output></step></flow></task>"#,
        ),
    ]);
    let mut rest = willing(&["one", "two"]);
    let mut yes = |issued: &Issued| match &issued.effect {
        Effect::Judge(task) => Some(ack(task, true)),
        _ => rest(issued),
    };
    insta::assert_snapshot!(trace(&loaded, "flow.xml", Options::default(), &mut yes), @r"
    step 1
    judge there is another `story` of `the open stories` that was not dealt with yet
    ask `story` has no value and is needed for a call. What is it? []
    step 1
    show one
    judge there is another `story` of `the open stories` that was not dealt with yet
    ask `story` has no value and is needed for a call. What is it? []
    step 1
    show two
    completed
    ");
}

#[test]
fn a_checklist_that_its_own_workflow_follows_is_read_by_the_agent() {
    let loaded = project([
        (
            "workflow.yaml",
            "name: course\ninstalled_path: \".\"\ninstructions: \"{installed_path}/instructions.md\"\nchecklist: \"{installed_path}/checklist.md\"\n",
        ),
        (
            "instructions.md",
            "<workflow>\n<step n=\"1\" goal=\"a\"><action>Look.</action></step>\n<step n=\"2\" goal=\"b\"><action>Read fully and follow the analysis from: {checklist}</action></step>\n</workflow>\n",
        ),
        ("checklist.md", "# Checklist\n\n- [ ] It is there\n"),
    ]);
    let text = trace(&loaded, "workflow.yaml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    turn Look.
    step 2
    turn Read `checklist.md` fully and do what it says.
    completed
    ");
}
