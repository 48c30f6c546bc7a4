//! What prose says that the engine does itself, and what is left for the agent.

use super::flow::run;
use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options};

#[test]
fn what_the_engine_does_itself_costs_no_turn() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><action>Set mode = fast</action><action>Go to step 3</action></step>
        <step n="2" goal="b"><output>never</output></step>
        <step n="3" goal="c"><output>{mode}</output><action>Look around, then go to step 5.</action></step>
        <step n="4" goal="d"><output>never</output></step>
        <step n="5" goal="e"><action>HALT: "all done"</action></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    step 3
    show fast
    turn Look around, then go to step 5.
    step 5
    halted all done
    ");
}

#[test]
fn what_else_is_to_be_done_at_a_stop_is_no_reason_and_is_done() {
    for said in [
        "HALT, then save the file",
        "HALT and report the error to the person",
        "HALT after saving the file",
    ] {
        let workflow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><action>{said}</action><output>never</output></step></workflow>"#
        );
        assert_eq!(run(&workflow, &[]), format!("step 1\nturn {said}\nhalted"), "{said}");
    }
}

#[test]
fn a_stop_before_a_question_waits_for_its_answer() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><action>HALT</action><ask response="which">Which? [a] A [b] B</ask><output>{which}</output></step></workflow>"#,
        &["a"],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    ask Which? [a b]
    show a
    completed
    ");
}

#[test]
fn a_value_that_somebody_has_to_work_out_is_asked_of_the_agent() {
    for said in [
        "Set y = true if the person agrees",
        "Set y = {{x}} if it is there; otherwise y = 2",
        "Set y = x + 1",
    ] {
        let workflow = format!(r#"<workflow name="W"><step n="1" goal="a"><action>{said}</action></step></workflow>"#);
        let loaded = project([("flow.xml", workflow.as_str())]);
        let mut stores = Vec::new();
        let mut rest = willing(&[]);
        trace(&loaded, "flow.xml", Options::default(), &mut |issued: &Issued| {
            if let Effect::Dispatch(task) = &issued.effect {
                stores.extend(task.wanted.variables.clone());
            }
            rest(issued)
        });
        assert_eq!(stores, ["y"], "{said}");
    }
}

#[test]
fn lines_for_whoever_does_the_work_are_rules_and_so_are_reasons_to_stop() {
    let task = r#"<task id="t" name="T"><llm critical="true"><i>Never translate code.</i><mandate>Keep names.</mandate></llm>
        <halt-conditions><condition>A note cannot be read.</condition></halt-conditions>
        <flow><step n="1" title="A"><action>First.</action></step></flow></task>"#;
    let loaded = project([("task.xml", task)]);
    let mut rules = Vec::new();
    let mut rest = willing(&[]);
    let text = trace(&loaded, "task.xml", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            rules.extend(task.rules.clone());
        }
        rest(issued)
    });
    assert_eq!(text, "step 1\nturn First.\ncompleted");
    let stop = "Do not go on where this holds, but answer `blocked` and name it: A note cannot be read.";
    assert_eq!(rules, ["Never translate code.", "Keep names.", stop]);
}
