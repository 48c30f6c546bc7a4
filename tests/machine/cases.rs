//! Cases of a step: one of them is carried out.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options, Outcome};

/// Runs a task of one step; somebody judges that a case applies where it is the one that is named.
fn run(step: &str, answers: &[&str], applies: &str) -> String {
    let flow = format!(r#"<task name="T"><flow><step n="1" title="a">{step}</step></flow></task>"#);
    let loaded = project([("tasks/t.xml", &flow)]);
    let mut others = willing(answers);
    trace(
        &loaded,
        "tasks/t.xml",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Judge(task) => Some(ack(task, task.conditions[0].contains(&format!("`{applies}`")))),
            _ => others(issued),
        },
    )
}

const CASES: &str = "<case n=\"k\"><output>kept</output></case>\n<case n=\"d\"><output>dropped</output></case>
    <case n=\"x\"><output>left</output></case>";

#[test]
fn of_cases_that_nothing_decides_the_first_that_applies_is_carried_out() {
    insta::assert_snapshot!(run(CASES, &[], "d"), @r"
    step 1
    judge the case `k` applies: kept
    judge the case `d` applies: dropped
    show dropped
    completed
    ");
    insta::assert_snapshot!(run(CASES, &[], "none"), @r"
    step 1
    judge the case `k` applies: kept
    judge the case `d` applies: dropped
    judge the case `x` applies: left
    completed
    ");
}

#[test]
fn the_answer_to_the_question_before_them_chooses_a_case() {
    let step = format!("<ask>What? [k] Keep [d] Drop [x] Leave</ask>{CASES}<output>after</output>");
    insta::assert_snapshot!(run(&step, &["d"], ""), @r"
    step 1
    ask What? [k d x]
    show dropped
    show after
    completed
    ");
}

#[test]
fn text_that_offers_the_keys_of_cases_is_a_menu() {
    let step = "<format>\nChoose a number (1-2), [r] to Reshuffle or [x] to Proceed:\n1. One\n2. Two\nr. Reshuffle\nx. Proceed\n</format>
        <response-handling>
        <case n=\"1-2\"><i>Use method.</i><i>Re-present the prompt.</i></case>
        <case n=\"r\"><i>Shuffle and re-present the list.</i></case>
        <case n=\"x\"><i>Go on.</i></case>
        <case n=\"direct-feedback\"><i>Apply the feedback.</i></case>
        <case n=\"multiple-numbers\"><i>Use several, re-present the list.</i></case>
        </response-handling>
        <output>after</output>";
    insta::assert_snapshot!(run(step, &["2", "r", "x"], ""), @r"
    step 1
    turn Choose a number (1-2), [r] to Reshuffle or [x] to Proceed: 1. One 2. Two r. Reshuffle x. Proceed
    ask Choose a number (1-2), [1 2 r x]
    turn Use method. | Re-present the prompt.
    ask Choose a number (1-2), [1 2 r x]
    turn Shuffle and re-present the list.
    ask Choose a number (1-2), [1 2 r x]
    turn Go on.
    show after
    completed
    ");
    insta::assert_snapshot!(run(step, &["make it shorter"], "direct-feedback"), @r"
    step 1
    turn Choose a number (1-2), [r] to Reshuffle or [x] to Proceed: 1. One 2. Two r. Reshuffle x. Proceed
    ask Choose a number (1-2), [1 2 r x]
    judge the case `direct-feedback` applies: Apply the feedback.
    turn Apply the feedback.
    show after
    completed
    ");
}

#[test]
fn a_tag_nobody_knows_is_nothing_to_do() {
    insta::assert_snapshot!(run("<action>Think.</action><output>x</output>\n<wrapped>\n<output>y</output>\n</wrapped>\n<output>z</output>", &[], ""), @r"
    step 1
    turn Think.
    show x
    show y
    show z
    completed
    ");
}

#[test]
fn a_menu_that_the_reply_shows_is_asked_once() {
    let step =
        "<format>\nChoose: [r] Reshuffle [x] Proceed\n</format>\n<case n=\"r\"><i>Shuffle.</i></case><case n=\"x\"/>";
    let flow = format!(r#"<task name="T"><flow><step n="1" title="a">{step}</step></flow></task>"#);
    let loaded = project([("tasks/t.xml", &flow)]);
    let mut others = willing(&["x"]);
    let told = trace(
        &loaded,
        "tasks/t.xml",
        Options::default(),
        &mut |issued| match others(issued) {
            Some(Outcome::Replied(mut envelope)) => {
                envelope.text = "Choose one:\n[r] Reshuffle\n[x] Proceed".to_owned();
                Some(Outcome::Replied(envelope))
            }
            outcome => outcome,
        },
    );
    insta::assert_snapshot!(told, @r"
    step 1
    turn Choose: [r] Reshuffle [x] Proceed
    show Choose one:
    [r] Reshuffle
    [x] Proceed
    ask Choose: [r x]
    completed
    ");
}

#[test]
fn of_very_many_cases_none_is_left_out() {
    let cases: String = (0..40)
        .map(|at| format!("<case n=\"case {at}\"><output>number {at}</output></case>\n"))
        .collect();
    assert!(run(&cases, &[], "case 39").ends_with("show number 39\ncompleted"));
    let many: String = (0..20_000)
        .map(|_| "<case n=\"x\"><output>a</output></case>b\n")
        .collect();
    assert!(run(&many, &[], "none").starts_with("step 1\n"));
}

#[test]
fn what_stands_behind_the_arrow_of_a_check_is_done() {
    let step =
        "<set name=\"x\" value=\"1\"/><check>If {x} == 1 → Tell the person it is one. <action>Go on.</action></check>";
    assert!(run(step, &[], "").contains("Tell the person it is one."));
}

#[test]
fn a_case_beside_one_that_comes_back_leaves_the_choice_only_where_it_says_so() {
    let task = r#"<task name="T" methods="m.csv"><flow><step n="1" title="Choose"><action>Read {{methods}}</action>
        <format>Choose [1] One, [r] to Reshuffle, or [x] to Proceed:</format>
        <case n="1"><i>Do it</i><i>Re-present the prompt</i></case>
        <case n="r"><i>Take others and give a new list</i></case>
        <case n="x"><i>Complete it and proceed</i></case></step></flow></task>"#;
    let loaded = project([("task.xml", task)]);
    let text = trace(&loaded, "task.xml", Options::default(), &mut willing(&["r", "1", "x"]));
    assert_eq!(text.matches("\nask ").count(), 3, "{text}");
    assert!(text.contains("turn Read m.csv"), "{text}");
}
