//! Steps, conditions, loops, jumps, menus, lanes.

use super::{project, returned, trace, willing};
use bmad::machine::{Asked, Effect, Envelope, Failure, FailureKind, Image, Machine, Options, Outcome};

pub(super) fn run(workflow: &str, answers: &[&str]) -> String {
    let loaded = project([("flow.xml", workflow)]);
    trace(&loaded, "flow.xml", Options::default(), &mut willing(answers))
}

#[test]
fn steps_run_in_document_order_whatever_their_labels() {
    let text = run(
        r#"<workflow name="W"><step n="2" goal="b"><output>two</output></step><step n="1" goal="a"><output>one {date}</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 2
    show two
    step 1
    show one 2026-11-15
    completed
    ");
}

#[test]
fn a_menu_is_shown_again_and_then_left() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="n" value="0"/>
        <menu name="m" text="Go?"><option key="a" label="Again" again="true"><output>once more</output></option>
        <option key="c" label="Continue" default="true"/></menu><output>after</output></step></workflow>"#,
        &["a", "x", "c"],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    ask Go? [a c]
    show once more
    ask Go? [a c]
    ask Go? [a c]
    show after
    completed
    ");
}

#[test]
fn a_check_and_its_else() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><ask response="x">Which?</ask>
        <check if="x == 1"><output>one</output></check>
        <check if="x == 2"><output>two</output></check>
        <check if="else"><output>other</output></check></step></workflow>"#,
        &["2"],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    ask Which? []
    show two
    completed
    ");
}

#[test]
fn lanes_part_and_their_results_come_back_in_order() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a">
        <parallel max="2" into="r"><dispatch mode="fresh" access="read">A</dispatch><dispatch mode="fresh" access="read">B</dispatch><dispatch mode="fresh" access="read" if="false == true">C</dispatch></parallel>
        <output>{r.length}</output>
        <loop name="l" for="i in {r}" max="5" index="k"><output>{k} {i.status}</output></loop>
        <return value="{r.length}"/></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    0.1.1 turn A
    0.1.2 turn B
    show 2
    show 1 done
    show 2 done
    completed 2
    ");
}

#[test]
fn a_step_that_is_called_end_is_a_step() {
    let flow = |label: &str| {
        format!(
            r#"<workflow name="W"><step n="1" goal="a"><goto step="end"/></step><step n="2" goal="b"/>
            <step n="{label}" goal="c"><output>the last one</output></step></workflow>"#
        )
    };
    insta::assert_snapshot!(run(&flow("end"), &[]), @r"
    step 1
    step end
    show the last one
    completed
    ");
    insta::assert_snapshot!(run(&flow("3"), &[]), @r"
    step 1
    completed
    ");
}

#[test]
fn whatever_says_so_first_ends_a_loop() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="list" value="a, b, c"/>
        <loop name="x" for="item in {list}" until="{item} == 'b'" max="9"><output>until {item}</output></loop>
        <loop name="y" for="item in {list}" while="{item} != 'b'" max="9"><output>while {item}</output></loop><output>left at {item}</output>
        <loop name="z" while="1 == 1" until="{k} == 2" index="k" max="4"><output>both {k}</output></loop>
        <loop name="m" for="item in {list}" max="1"><output>at most {item}</output></loop></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    show until a
    show until b
    show while a
    show left at b
    show both 1
    show both 2
    show at most a
    completed
    ");
}

#[test]
fn a_bound_that_is_no_number_ends_the_run_and_says_so() {
    let bound = |max: &str| {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><set name="limit" value="three"/>
            <loop name="l" max="{max}"><output>never</output></loop></step></workflow>"#
        );
        run(&flow, &[])
    };
    let ended: Vec<String> = ["{limit}", "-1", "many", "{nobody}", "0"].map(bound).into();
    insta::assert_snapshot!(ended.join("\n"), @r"
    step 1
    failed the `max` of a loop is `{limit}`, which is `three`: it has to be a number, 0 or more
    step 1
    failed the `max` of a loop is `-1`: it has to be a number, 0 or more
    step 1
    failed the `max` of a loop is `many`: it has to be a number, 0 or more
    step 1
    failed the `max` of a loop is `{nobody}`: it has to be a number, 0 or more
    step 1
    completed
    ");
}

#[test]
fn prose_is_one_turn_up_to_the_next_thing_the_engine_does() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><action>First.</action><action>Second.</action>
        <check if="the plan is good"><action>Praise.</action></check>
        <action>Third</action><template-output>summary</template-output></step></workflow>"#,
        &["c"],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn First. | Second. | if? the plan is good
    turn Third
    show About summary.
    ask The section summary is saved. What next? [a c p y]
    completed
    ");
}

#[test]
fn a_goto_circle_in_which_nothing_changes_is_left() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><action>Think.</action><goto step="1"/></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Think.
    step 1
    turn Think.
    limit the workflow goes in a circle and nothing changes
    ");
}

#[test]
fn an_agent_that_is_sent_for_may_ask_and_gets_the_turn_again() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><dispatch mode="fresh" access="read" into="r">Greet.</dispatch><output>{r.text}</output></step></workflow>"#,
    )]);
    let mut others = willing(&["2"]);
    let text = trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Dispatch(task) if task.answered.is_empty() => Some(Outcome::Replied(Box::new(Envelope {
                asks: vec![Asked {
                    question: "Whom?".to_owned(),
                    options: vec!["Ada".to_owned(), "Bob".to_owned()],
                }],
                ..Envelope::default()
            }))),
            Effect::Dispatch(task) => Some(Outcome::Replied(Box::new(Envelope {
                text: format!("Hello, {}.", task.answered[0].1),
                ..Envelope::default()
            }))),
            _ => others(issued),
        },
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Greet.
    ask Whom? [1 2]
    turn Greet. | answered Bob
    show Hello, Bob.
    completed
    ");
}

#[test]
fn a_turn_that_nobody_took_is_a_gap() {
    let loaded = project([(
        "flow.xml",
        r#"<workflow name="W"><step n="1" goal="a"><dispatch agent="clerk" mode="fresh" access="read" into="r">Count.</dispatch><output>{r.status}</output></step></workflow>"#,
    )]);
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let at = (0..loaded.workflows.len())
        .find(|at| loaded.workflows[*at].name == "W")
        .unwrap();
    let mut machine = Machine::new(&image, at, Options::default());
    let mut others = willing(&[]);
    let mut issued = machine.advance(Vec::new());
    while let Some(next) = issued.pop() {
        let outcome = match &next.effect {
            Effect::Dispatch(_) => Outcome::Failed(Failure {
                kind: FailureKind::Denied,
                message: "not today".to_owned(),
            }),
            _ => others(&next).unwrap(),
        };
        issued.extend(machine.advance(vec![returned(&next, outcome)]));
    }
    assert_eq!(machine.tally().gaps, ["W step 1: the turn of clerk (not today)"]);
}

#[test]
fn a_document_is_told_that_the_last_step_is_done() {
    let loaded = project([
        (
            "workflow.yaml",
            "name: w\ninstalled_path: \".\"\ninstructions: \"{installed_path}/i.xml\"\ndefault_output_file: \"{project-root}/d.md\"\n",
        ),
        (
            "i.xml",
            r#"<workflow><step n="1" goal="a"><action>Think.</action><template-output>one</template-output></step></workflow>"#,
        ),
    ]);
    let mut others = willing(&["c"]);
    let mut last = None;
    let text = trace(&loaded, "workflow.yaml", Options::default(), &mut |issued| {
        if let Effect::Checkpoint(checkpoint) = &issued.effect {
            last = Some(checkpoint.done.clone());
        }
        others(issued)
    });
    assert!(text.ends_with("\nstep end\ncompleted"), "{text}");
    assert_eq!(last.map(|done| done.names().to_vec()), Some(vec!["1".to_owned()]));
}

#[test]
fn a_variable_that_is_called_like_an_answer_keeps_its_own_value() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><loop name="l" index="n" max="3" until="{choice} != 'i'">
        <menu name="m" text="Draft {n}?" into="choice"><option key="s" label="Save" default="true"/>
        <option key="i" label="Improve"><ask response="wish">How?</ask></option></menu></loop>
        <output if="{choice} == 's'">saved</output></step></workflow>"#,
        &["i", "shorter", "s"],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    ask Draft 1? [s i]
    ask How? []
    ask Draft 2? [s i]
    show saved
    completed
    ");
}

#[test]
fn a_handler_of_prose_that_ends_with_an_exit_leaves_without_asking_anybody() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "steps/step-01-a.md",
            "# Step 1: A\n\nThink.\n\nDisplay: \"**Select:** [M] More [F] Finish\"\n\nHALT and wait for the answer.\n\n- IF M: Think again, then redisplay the menu\n- IF F: Write it down. End the workflow.\n",
        ),
    ]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["F"]));
    assert!(text.contains("ask Select: [M F]\n"), "{text}");
    assert!(text.ends_with("turn Write it down.\ncompleted"), "{text}");
}

#[test]
fn what_is_set_to_nothing_is_nothing_whatever_it_is_called() {
    for word in ["null", "empty", "nothing"] {
        let flow = format!(
            r#"<workflow name="W"><step n="1" goal="a"><action>Set {{{{k}}}} = {word}</action>
            <output>[{{{{k}}}}]</output><check if="{{{{k}}}} == {word}"><output>same</output></check>
            <check if="{{{{k}}}} != {word}"><output>other</output></check>
            <check if="{{{{k}}}} == tea"><output>tea</output></check></step></workflow>"#
        );
        let loaded = project([("flow.xml", flow.as_str())]);
        let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
        assert!(
            text.contains("show []\nshow same") && !text.contains("show other"),
            "{word}: {text}"
        );
        assert!(!text.contains("show tea"), "{word}: {text}");
    }
}

#[test]
fn a_file_below_a_folder_that_was_left_out_is_nothing() {
    let flow = r#"<workflow name="W"><inputs><input name="folder"/></inputs><step n="1" goal="a"><set name="x" file="{folder}/notes.md"/>
        <set name="y" glob="{folder}/*.md"/><output>[{x}{y}]</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    show []
    completed
    ");
}

#[test]
fn an_anchor_that_is_called_end_is_an_anchor() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><goto anchor="end"/><output>never</output><anchor id="end"/><output>here</output></step></workflow>"#;
    let loaded = project([("flow.xml", flow)]);
    let text = trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]));
    insta::assert_snapshot!(text, @r"
    step 1
    show here
    completed
    ");
}

#[test]
fn a_step_that_is_named_by_its_id_is_entered_like_any_other() {
    for target in ["named", "3"] {
        let workflow = format!(
            r#"<workflow name="W"><step n="1" goal="first"><goto step="{target}"/></step><step n="2" goal="x"><output>never</output></step>
            <step n="3" id="named" goal="third" if="1 == 2"><output>never</output></step><step n="4" goal="last"><output>here</output></step></workflow>"#
        );
        insta::allow_duplicates! {
            insta::assert_snapshot!(run(&workflow, &[]), @r"
            step 1
            step 4
            show here
            completed
            ");
        }
    }
}
