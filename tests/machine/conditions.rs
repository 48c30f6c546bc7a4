//! Conditions: what the engine decides itself, and what somebody else is asked.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options};

/// Runs checks, each of which shows its own condition where it holds; somebody judges as said.
fn judged(conditions: &[&str], holds: bool) -> String {
    let check = |condition: &&str| format!(r#"<check if="{condition}"><output>held</output></check>"#);
    let checks: String = conditions.iter().map(check).collect();
    let flow = format!(r#"<workflow name="W"><step n="1" goal="a">{checks}</step></workflow>"#);
    let loaded = project([("flow.xml", &flow)]);
    let mut others = willing(&[]);
    trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Judge(task) => Some(ack(task, holds)),
            _ => others(issued),
        },
    )
}

#[test]
fn what_is_said_of_a_whole_condition_is_its_end() {
    let conditions = [
        "not ({speed} == 'fast')",
        "{pet} == 'cat' or {pet} == 'dog'",
        "not ({pet} == 'cat' and {speed} == 'fast')",
    ];
    insta::assert_snapshot!(judged(&conditions, false), @r"
    step 1
    judge not ({speed} == 'fast')
    judge {pet} == 'cat' or {pet} == 'dog'
    judge not ({pet} == 'cat' and {speed} == 'fast')
    completed
    ");
    insta::assert_snapshot!(judged(&conditions, true), @r"
    step 1
    judge not ({speed} == 'fast')
    show held
    judge {pet} == 'cat' or {pet} == 'dog'
    show held
    judge not ({pet} == 'cat' and {speed} == 'fast')
    show held
    completed
    ");
}

#[test]
fn whether_a_value_is_provided_has_nothing_to_do_with_files() {
    for value in ["1.2", "N/A", "a.b", "docs/none.md"] {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="x" value="{value}"/>
            <output if="{{x}} is provided">provided</output><output if="{{x}} is not provided">not provided</output>
            <output if="{{x}} is empty">empty</output><output if="{{x}} is not empty">not empty</output></step></workflow>"#
        );
        let loaded = project([("flow.xml", &flow)]);
        let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
        assert_eq!(told, "step 1\nshow provided\nshow not empty\ncompleted", "{value}");
    }
}

#[test]
fn whether_something_exists_is_looked_up_where_the_value_is_a_path() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><set name="x" value="docs/a.md"/><set name="n" value="1.2"/>
        <output if="{x} exists">there</output><output if="{n} exists">one</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    assert_eq!(told, "step 1\nlook docs/a.md\nshow there\nshow one\ncompleted");
}

#[test]
fn the_text_of_a_check_that_the_engine_can_decide_guards_what_follows() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><ask response="d">How many?</ask>
        <check>{d} &gt; 5</check><output>many</output>
        <check>{d} == 2</check><output>two</output>
        <check>{e} is provided</check><output>e</output>
        <check>user chooses 3</check><output>three</output>
        <check>{d} &lt; 5<output>few</output></check>
        <check>Confirm that it is saved</check><output>saved</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&["2"]));
    insta::assert_snapshot!(told, @r"
    step 1
    ask How many? []
    show two
    show few
    turn Confirm that it is saved
    show saved
    completed
    ");
}

#[test]
fn the_name_of_a_file_is_looked_up_where_the_step_says_it_is() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><set name="out" value="docs"/><set name="none" value=""/>
        <output if="index.md exists">at the root</output>
        <action>Check for the state at `{out}/status.yaml`, and {out}/index.md.</action>
        <output if="index.md exists">there</output><output if="status.yaml does not exist">away</output>
        <action>Look for **/notes.md and {none}/log.md.</action>
        <check if="notes.md exists"><output>somewhere</output></check>
        <check if="log.md exists"><output>logged</output></check></step>
        <step n="2" goal="b"><output if="status.yaml exists">at the root</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let told = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(told, @r"
    step 1
    look index.md
    show at the root
    turn Check for the state at `docs/status.yaml`, and docs/index.md.
    look docs/index.md
    show there
    look docs/status.yaml
    turn Look for **/notes.md and /log.md.
    judge notes.md exists
    judge log.md exists
    step 2
    look status.yaml
    show at the root
    completed
    ");
    let before = Options {
        whole: false,
        ..Options::default()
    };
    let told = trace(&loaded, "flow.xml", before, &mut willing(&[]));
    assert!(told.contains("look index.md") && !told.contains("look docs/"), "{told}");
}
