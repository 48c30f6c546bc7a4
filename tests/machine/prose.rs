//! What prose says that the engine does itself, and what is left for the agent.

use super::flow::run;
use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

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
    turn Look around
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

#[test]
fn what_an_answer_leads_to_is_not_told_again_behind_the_menu() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\nRead fully and follow: `./steps/step-01-a.md` to begin.\n",
        ),
        (
            "steps/step-01-a.md",
            "# Step 1: A\n\nPropose three names.\n\nHALT and ask human: `[A] Approve` | `[E] Edit`\n\nHALT and wait for the user's choice.\n\n#### What then\n\n- **A**: Delete the old name.\n- **E**: Apply changes.\n\nWrite the name down.\n",
        ),
    ]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["A"]));
    insta::assert_snapshot!(text, @r"
    step 1
    step 1
    turn # Step 1: A  Propose three names.  HALT and ask human:
    ask HALT and ask human: [A E]
    turn Delete the old name.
    turn Write the name down.
    completed
    ");
}

#[test]
fn a_line_that_only_leads_on_is_the_engines_alone() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\n## 1. Settings\n\nSpeak English.\n\n## 2. Begin\n\nRead fully and follow: `./steps/step-01-a.md` to begin the workflow.\n",
        ),
        (
            "steps/step-01-a.md",
            "# Step 1: A\n\nLook around.\n\nRead fully and follow: `./step-02-b.md`\n",
        ),
        ("steps/step-02-b.md", "# Step 2: B\n\nTidy up.\n"),
    ]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
    assert!(!text.contains("Read fully"), "{text}");
    assert!(text.contains("turn # Step 1: A  Look around.\n"), "{text}");
}

#[test]
fn a_jump_whose_words_the_engine_can_decide_is_put_to_nobody() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="mode" value="fast"/><action>Look around. Skip to step 3 if {mode} == 'fast'.</action></step>
        <step n="2" goal="b"><output>never</output></step>
        <step n="3" goal="c"><action>Look again. Go to step 5 if {mode} == 'slow'.</action></step>
        <step n="4" goal="d"><output>here</output></step><step n="5" goal="e"><output>end</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    turn Look around. Skip to step 3 if fast == 'fast'.
    step 3
    turn Look again. Go to step 5 if fast == 'slow'.
    step 4
    show here
    step 5
    show end
    completed
    ");
}

#[test]
fn otherwise_is_what_happens_where_the_words_before_do_not_hold() {
    let workflow = r#"<workflow name="W"><step n="1" goal="a"><action>If the tests fail, go to step 3, otherwise go to step 4.</action></step>
        <step n="2" goal="b"><output>never</output></step><step n="3" goal="c"><output>three</output></step>
        <step n="4" goal="d"><output>four</output></step></workflow>"#;
    let loaded = project([("flow.xml", workflow)]);
    let mut rest = willing(&[]);
    let mut asked = Vec::new();
    let text = trace(&loaded, "flow.xml", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            asked.extend(task.conditions.clone());
        }
        rest(issued)
    });
    assert_eq!(asked, ["the tests fail"]);
    assert!(text.ends_with("step 4\nshow four\ncompleted"), "{text}");
}

#[test]
fn one_of_two_values_is_set_and_nobody_judges_twice() {
    for (holds, value) in [(true, "one"), (false, "two")] {
        let workflow = r#"<workflow name="W"><step n="1" goal="a"><action>If the tests fail, set mode = one. Otherwise set mode = two.</action><output>{mode}</output></step></workflow>"#;
        let loaded = project([("flow.xml", workflow)]);
        let mut rest = willing(&[]);
        let text = trace(&loaded, "flow.xml", Options::default(), &mut |issued: &Issued| {
            let mut outcome = rest(issued);
            if let Some(Outcome::Replied(envelope)) = &mut outcome {
                envelope
                    .judgements
                    .iter_mut()
                    .for_each(|judgement| judgement.holds = holds);
            }
            outcome
        });
        assert!(text.ends_with(&format!("show {value}\ncompleted")), "{text}");
        assert!(!text.contains("judge"), "{text}");
    }
}

#[test]
fn only_step_files_are_steps_of_the_document_where_there_are_some() {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\n## 1. Settings\n\nSpeak English.\n\n## 2. Begin\n\nRead fully and follow: `./steps/step-01-a.md`\n",
        ),
        (
            "steps/step-01-a.md",
            "---\noutputFile: '{project-root}/list.md'\n---\n# Step 1: A\n\nLook.\n\nRead fully and follow: `./step-02-b.md`\n",
        ),
        ("steps/step-02-b.md", "# Step 2: B\n\nTidy up.\n"),
    ]);
    let mut done = Vec::new();
    let mut rest = willing(&[]);
    trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Checkpoint(checkpoint) = &issued.effect {
            done = checkpoint.done.names().to_vec();
        }
        rest(issued)
    });
    assert_eq!(done, ["step-01-a"]);
}

#[test]
fn what_stands_for_a_mark_in_xml_is_that_mark_in_a_value_and_in_words_that_decide() {
    let shown = run(
        r#"<workflow name="W"><step n="1" goal="a"><action>Set a = "x &amp; y"</action><output>[{a}]</output>
        <set name="n" value="3"/><action>Count. Go to step 3 if {n} &gt; 2.</action></step>
        <step n="2" goal="b"><output>never</output></step><step n="3" goal="c"><output>three</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(shown, @r"
    step 1
    show [x & y]
    turn Count. Go to step 3 if 3 > 2.
    step 3
    show three
    completed
    ");
}

#[test]
fn the_end_of_an_action_is_none_of_its_words() {
    let loaded = project([(
        "instructions.md",
        "# W\n\n<workflow>\n<step n=\"1\" goal=\"Sort\">\n<action>Sort the keys:</action>\n- Epics\n- Stories\n</step>\n</workflow>\n",
    )]);
    let text = trace(&loaded, "instructions.md", Options::default(), &mut willing(&[]));
    assert!(text.contains("turn Sort the keys: - Epics - Stories"), "{text}");
}

#[test]
fn what_leads_on_at_the_end_of_a_line_is_cut_from_it() {
    for (said, told) in [
        (
            "Save it, update the list, then read fully and follow: `./step-02-b.md`",
            "Save it, update the list",
        ),
        ("Save it and then load `./step-02-b.md` to begin the work.", "Save it"),
        (
            "Save it to `a.md`. Read fully and follow: `./step-02-b.md`",
            "Save it to `a.md`.",
        ),
        (
            "Save it, then load `./step-02-b.md` to collect names, and tell the person",
            "Save it, then load `./step-02-b.md` to collect names, and tell the person",
        ),
        ("Review it, then read fully and follow: `./step-02-b.md`", "Review it"),
        (
            "Save it (all of it), and only then read fully and follow: `./step-02-b.md`",
            "Save it (all of it)",
        ),
    ] {
        let step = format!("# Step 1: A\n\nLook.\n\nDisplay: \"**Select:** [C] Continue\"\n\n- IF C: {said}\n");
        let loaded = project([
            (
                "workflow.md",
                "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n",
            ),
            ("steps/step-01-a.md", step.as_str()),
            ("steps/step-02-b.md", "# Step 2: B\n\nTidy up.\n"),
        ]);
        let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["C"]));
        assert!(text.contains(&format!("turn {told}\nstep 2\n")), "{said}: {text}");
    }
}

#[test]
fn whether_a_declared_value_is_set_is_decided_in_prose() {
    let file = |declared: &str| {
        format!(
            "---\nname: w\ndescription: d\n{declared}\n---\n\n# W\n\nLook around.\n\nIf `{{spec}}` is **not** set, HALT.\n\nIf `{{gone}}` is set, HALT.\n"
        )
    };
    let run = |declared: &str| {
        let loaded = project([("w/workflow.md", &*file(declared))]);
        let options = Options {
            fills: false,
            ..Options::default()
        };
        trace(&loaded, "w/workflow.md", options, &mut willing(&[]))
    };
    insta::assert_snapshot!(run("spec: ''"), @r"
    step 1
    turn # W  Look around.  If `{spec}` is **not** set, HALT.  If `{gone}` is set, HALT. | if? `{gone}` is set
    halted
    ");
    insta::assert_snapshot!(run("spec: a.md"), @r"
    step 1
    turn # W  Look around.  If `a.md` is **not** set, HALT.  If `{gone}` is set, HALT. | if? `{gone}` is set
    completed
    ");
}
