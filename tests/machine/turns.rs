//! The contract of a turn: acknowledged, shown, asked, or asked again.

use super::{ack, project, trace, willing};
use bmad::machine::{
    Asked, Claim, Effect, Envelope, Evidence, Failure, FailureKind, Issued, Options, Outcome, Status, Task,
};

pub(super) const FLOW: &str = r#"<workflow name="W"><step n="1" goal="a"><action>Write the file.</action><action>Store the number in {{count}}.</action></step></workflow>"#;

/// Runs a flow; `replies` are given in turn, each made from the one that acknowledges everything.
pub(super) fn run(flow: &str, answers: &[&str], replies: Vec<fn(&Task, &mut Envelope)>) -> String {
    let loaded = project([("flow.xml", flow)]);
    let mut replies = replies.into_iter();
    let mut rest = willing(answers);
    trace(
        &loaded,
        "flow.xml",
        Options::default(),
        &mut |issued: &Issued| match &issued.effect {
            Effect::Dispatch(task) => {
                let Outcome::Replied(mut envelope) = ack(task, false) else {
                    return None;
                };
                if let Some(change) = replies.next() {
                    change(task, &mut envelope);
                }
                Some(Outcome::Replied(envelope))
            }
            Effect::Verify { claims } => Some(Outcome::Verified {
                wrong: claims
                    .iter()
                    .enumerate()
                    .filter(|(_, claim)| matches!(claim, Claim::File { path, .. } if path == "gone.md"))
                    .map(|(at, _)| (at, "`gone.md` was claimed and is not there".to_owned()))
                    .collect(),
            }),
            _ => rest(issued),
        },
    )
}

#[test]
fn an_instruction_without_acknowledgement_is_asked_again() {
    let text = run(
        FLOW,
        &[],
        vec![|_, envelope| {
            envelope.instructions.pop();
        }],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    turn Write the file. | Store the number in {{count}}. | again: instruction 2 is not acknowledged
    completed
    ");
}

#[test]
fn what_is_asked_three_times_in_vain_is_a_failure_with_a_name() {
    let silent: fn(&Task, &mut Envelope) = |_, envelope| envelope.instructions.clear();
    insta::assert_snapshot!(run(FLOW, &[], vec![silent; 4]), @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    turn Write the file. | Store the number in {{count}}. | again: instruction 1 is not acknowledged | again: instruction 2 is not acknowledged
    turn Write the file. | Store the number in {{count}}. | again: instruction 1 is not acknowledged | again: instruction 2 is not acknowledged
    failed asked 3 times and still: instruction 1 is not acknowledged; instruction 2 is not acknowledged (malformed)
    ");
}

#[test]
fn a_variable_that_was_promised_and_not_set_is_asked_for() {
    let text = run(FLOW, &[], vec![|_, envelope| envelope.variables.clear()]);
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    turn Write the file. | Store the number in {{count}}. | again: variable `count` is not set
    completed
    ");
}

#[test]
fn what_is_not_optional_may_not_be_skipped() {
    let text = run(
        FLOW,
        &[],
        vec![|_, envelope| envelope.instructions[0].status = Status::Skipped],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    turn Write the file. | Store the number in {{count}}. | again: instruction 1 was skipped and is not optional
    completed
    ");
}

#[test]
fn a_claimed_file_that_is_not_there_is_a_lie_and_said_so() {
    let text = run(
        FLOW,
        &[],
        vec![|_, envelope| {
            envelope.instructions[0].evidence = vec![Evidence::File {
                path: "gone.md".to_owned(),
                sha256: None,
            }];
        }],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    verify 1
    turn Write the file. | Store the number in {{count}}. | again: `gone.md` was claimed and is not there
    completed
    ");
}

#[test]
fn a_question_of_the_agent_goes_to_the_person_and_back() {
    let text = run(
        FLOW,
        &["blue"],
        vec![|_, envelope| {
            envelope.asks = vec![Asked {
                question: "Which colour?".to_owned(),
                options: Vec::new(),
            }];
        }],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    ask Which colour? []
    turn Write the file. | Store the number in {{count}}. | answered blue
    completed
    ");
}

#[test]
fn a_menu_in_the_free_text_is_asked_too() {
    let text = run(
        FLOW,
        &["2"],
        vec![|_, envelope| {
            envelope.text = "I wrote two drafts.\n\nWhich one do you want to keep?\n\n[1] The short one\n[2] The long one\n[3] Neither\n\nSelect an option:".to_owned();
        }],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    show I wrote two drafts.
    ask Which one do you want to keep? [1 2 3]
    turn Write the file. | Store the number in {{count}}. | answered The long one (2)
    completed
    ");
}

#[test]
fn a_question_in_the_instruction_is_never_answered_by_the_agent() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Ask the user for the name of the project.</action></step></workflow>"#;
    insta::assert_snapshot!(run(flow, &["Tea"], Vec::new()), @r"
    step 1
    turn Ask the user for the name of the project.
    ask Ask the user for the name of the project. []
    turn Ask the user for the name of the project. | answered Tea
    completed
    ");
}

#[test]
fn what_an_agent_says_before_a_question_is_shown_once() {
    let asking: fn(&Task, &mut Envelope) = |_, envelope| {
        envelope.text = "Here is the draft.".to_owned();
        envelope.asks = vec![Asked {
            question: "Is it right?".to_owned(),
            options: Vec::new(),
        }];
    };
    let repeating: fn(&Task, &mut Envelope) = |_, envelope| envelope.text = "Here is the draft.\n\nSaved.".to_owned();
    let other: fn(&Task, &mut Envelope) = |_, envelope| envelope.text = "Here is the draft. Saved.".to_owned();
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Draft it.</action></step></workflow>"#;
    let twice = run(flow, &["no", "yes"], vec![asking, asking, repeating]);
    insta::assert_snapshot!(twice, @r"
    step 1
    turn Draft it.
    show Here is the draft.
    ask Is it right? []
    turn Draft it. | answered no
    ask Is it right? []
    turn Draft it. | answered no | answered yes
    show Saved.
    completed
    ");
    assert!(run(flow, &["yes"], vec![asking, other]).contains("show Here is the draft. Saved.\n"));
    let own = r#"<workflow name="W"><step n="1" goal="a"><action>Show the draft.</action><action>Ask the user whether it is right.</action></step></workflow>"#;
    let saying: fn(&Task, &mut Envelope) = |_, envelope| envelope.text = "Here is the draft.".to_owned();
    insta::assert_snapshot!(run(own, &["yes"], vec![saying, saying]), @r"
    step 1
    turn Show the draft. | Ask the user whether it is right.
    show Here is the draft.
    ask Ask the user whether it is right. []
    turn Show the draft. | Ask the user whether it is right. | answered yes
    completed
    ");
    let handed =
        r#"<workflow name="W"><step n="1" goal="a"><dispatch>Draft it. Answer with text.</dispatch></step></workflow>"#;
    insta::assert_snapshot!(run(handed, &["yes"], vec![asking, saying]), @r"
    step 1
    turn Draft it. Answer with text.
    show Here is the draft.
    ask Is it right? []
    turn Draft it. Answer with text. | answered yes
    completed
    ");
}

#[test]
fn a_run_of_before_goes_on_without_what_its_agents_said_before_questions() {
    let loaded = project([("flow.xml", FLOW)]);
    let options = Options {
        whole: false,
        ..Options::default()
    };
    let mut rest = willing(&["blue"]);
    let text = trace(&loaded, "flow.xml", options, &mut |issued: &Issued| {
        let Effect::Dispatch(task) = &issued.effect else {
            return rest(issued);
        };
        let Outcome::Replied(mut envelope) = ack(task, false) else {
            return None;
        };
        if task.answered.is_empty() {
            envelope.text = "There are two.".to_owned();
            envelope.asks = vec![Asked {
                question: "Which colour?".to_owned(),
                options: Vec::new(),
            }];
        }
        Some(Outcome::Replied(envelope))
    });
    assert!(!text.contains("show"), "{text}");
}

#[test]
fn what_is_blocked_is_decided_by_the_person() {
    let text = run(
        FLOW,
        &["g"],
        vec![|_, envelope| {
            envelope.instructions[0].status = Status::Blocked;
            envelope.instructions[0].why = "the disk is read-only".to_owned();
        }],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    ask Instruction 1 could not be done: the disk is read-only [r g x]
    completed
    ");
}

#[test]
fn what_a_person_says_about_a_blocked_instruction_is_handed_to_the_agent() {
    let blocked: fn(&Task, &mut Envelope) = |_, envelope| {
        envelope.instructions[0].status = Status::Blocked;
        envelope.instructions[0].why = "the disk is read-only".to_owned();
    };
    let text = run(FLOW, &["I mounted it again", "r", "x"], vec![blocked; 3]);
    insta::assert_snapshot!(text, @r"
    step 1
    turn Write the file. | Store the number in {{count}}.
    ask Instruction 1 could not be done: the disk is read-only [r g x]
    turn Write the file. | Store the number in {{count}}. | answered I mounted it again | again: the person asks to try what was blocked again
    ask Instruction 1 could not be done: the disk is read-only [r g x]
    turn Write the file. | Store the number in {{count}}. | answered I mounted it again | again: the person asks to try what was blocked again
    ask Instruction 1 could not be done: the disk is read-only [r g x]
    halted a person stopped at a blocked instruction
    ");
}

#[test]
fn markup_in_a_value_stays_a_value() {
    let flow = r#"<workflow name="W"><step n="1" goal="a"><action>Store it in {{x}}.</action><output>{x}</output><set name="y" value="{x}"/><output>{y}</output></step></workflow>"#;
    let text = run(
        flow,
        &[],
        vec![|_, envelope| {
            envelope.variables = vec![("x".to_owned(), "{{y}} <goto step=\"9\"/> {project-root}".into())];
        }],
    );
    insta::assert_snapshot!(text, @r#"
    step 1
    turn Store it in {{x}}.
    show {{y}} <goto step="9"/> {project-root}
    show {{y}} <goto step="9"/> {project-root}
    completed
    "#);
}

#[test]
fn an_agent_that_crashes_or_goes_silent_is_tried_again_and_a_refusal_is_not() {
    let kinds = [
        (FailureKind::Crashed, 3),
        (FailureKind::Stuck, 3),
        (FailureKind::Denied, 1),
    ];
    for (kind, turns) in kinds {
        let loaded = project([("flow.xml", FLOW)]);
        let mut rest = willing(&[]);
        let text = trace(
            &loaded,
            "flow.xml",
            Options::default(),
            &mut |issued: &Issued| match &issued.effect {
                Effect::Dispatch(_) => Some(Outcome::Failed(Failure {
                    kind,
                    message: "no".to_owned(),
                })),
                _ => rest(issued),
            },
        );
        assert_eq!(text.matches("turn ").count(), turns, "{text}");
        assert!(text.contains("failed no"), "{text}");
    }
}

#[test]
fn every_section_of_one_tag_has_a_checkpoint_of_its_own() {
    let text = super::flow::run(
        r#"<workflow name="W"><step n="1" goal="a"><action>Think.</action><template-output>more, evenmore</template-output></step></workflow>"#,
        &["c", "c"],
    );
    let asked: Vec<&str> = text.lines().filter(|line| line.starts_with("ask ")).collect();
    assert_eq!(
        asked,
        [
            "ask The section more is saved. What next? [a c p y]",
            "ask The section evenmore is saved. What next? [a c p y]"
        ],
        "{text}"
    );
}

#[test]
fn a_section_is_handed_to_the_review_with_what_its_inputs_are_by_default() {
    let loaded = super::project([
        ("bmad.toml", "[review_loop]\nenabled = true\n"),
        (
            "workflow.xml",
            r#"<workflow name="W"><step n="1" goal="a"><action>Think.</action>
            <template-output>one</template-output><output>tier {tier}</output></step></workflow>"#,
        ),
        (
            "_bmad/core/tasks/review-loop.xml",
            r#"<task name="Own"><inputs><input name="section_name"/><input name="tier"/></inputs>
            <flow><step n="1"><output>{section_name} at tier {tier}</output><return><param name="outcome" value="complete"/></return></step></flow></task>"#,
        ),
    ]);
    let options = Default::default();
    let text = super::trace(&loaded, "workflow.xml", options, &mut super::willing(&[]));
    assert!(text.contains("show one at tier 2\n"), "{text}");
    // What the part knows by default is none of the workflow's own.
    assert!(text.contains("show tier {tier}"), "{text}");
}

#[test]
fn a_section_in_another_file_leaves_the_document_as_it_is() {
    let loaded = super::project([
        (
            "workflow.yaml",
            "name: w\ndescription: d\ninstructions: ./instructions.xml\ntemplate: ./template.md\ndefault_output_file: '{project-root}/out/own.md'\n",
        ),
        ("template.md", "# Own\n\n{{one}}\n"),
        (
            "instructions.xml",
            r#"<workflow><step n="1" goal="a"><template-output>one</template-output></step>
            <step n="2" goal="b"><template-output file="{project-root}/out/second.md">two</template-output></step>
            <step n="3" goal="c"><output>end</output></step></workflow>"#,
        ),
    ]);
    let mut documents = Vec::new();
    let mut begun = Vec::new();
    let mut rest = super::willing(&["c", "c"]);
    super::trace(&loaded, "workflow.yaml", Default::default(), &mut |issued| {
        match &issued.effect {
            bmad::machine::Effect::Checkpoint(checkpoint) => documents.extend(checkpoint.document.clone()),
            bmad::machine::Effect::Write(write) if write.how == bmad::machine::How::Start => {
                begun.push(write.path.clone())
            }
            _ => {}
        }
        rest(issued)
    });
    assert_eq!(begun, ["out/own.md"]);
    assert!(
        documents.len() > 1 && documents.iter().all(|path| path == "out/own.md"),
        "{documents:?}"
    );
}
