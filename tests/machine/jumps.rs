//! Jumps and what they cannot cross: protocols, lanes, loops.

use super::flow::run;

#[test]
fn a_jump_in_a_protocol_leads_to_its_own_steps() {
    let text = run(
        r#"<task name="T"><flow><step n="1" title="one"><invoke-protocol name="p"/><output>after</output></step>
        <step n="2" title="two"><output>main two</output></step></flow>
        <protocols><protocol name="p"><step n="1" title="a"><goto step="2"/></step>
        <step n="1b" title="b"><output>never</output></step>
        <step n="2" title="c"><output>own two</output></step></protocol></protocols></task>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    show own two
    show after
    step 2
    show main two
    completed
    ");
}

#[test]
fn a_jump_in_a_protocol_to_a_step_it_does_not_have_is_a_question() {
    let text = run(
        r#"<task name="T"><flow><step n="1" title="one"><invoke-protocol name="p"/><output>after</output></step>
        <step n="2" title="two"><output>main two</output></step></flow>
        <protocols><protocol name="p"><step n="a" title="a"><goto step="2"/></step>
        <step n="b" title="b"><output>b</output></step></protocol></protocols></task>"#,
        &["next"],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    ask The workflow says to go to `2`, and there is no such step. Where to? [a b next]
    show b
    show after
    step 2
    show main two
    completed
    ");
}

#[test]
fn no_jump_leaves_a_lane() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><parallel for="i in a, b" into="r"><output>lane {i}</output>
        <goto step="2" if="{i} == 'a'"/></parallel><output>after</output></step>
        <step n="2" goal="b"><output>two</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    0.1.1 show lane a
    0.1.2 show lane b
    failed a jump leads into or out of a lane of `<parallel>`, and lanes meet only where they end; let it lead to a place in the same lane, or jump behind the `<parallel>`
    ");
}

#[test]
fn no_jump_enters_a_lane() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><goto anchor="p"/></step>
        <step n="2" goal="b"><parallel into="r"><output>x</output><anchor id="p"/><output>y</output></parallel></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    failed a jump leads into or out of a lane of `<parallel>`, and lanes meet only where they end; let it lead to a place in the same lane, or jump behind the `<parallel>`
    ");
}

#[test]
fn a_jump_inside_a_lane_is_like_any_other() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><parallel for="i in a, b" into="r"><goto anchor="p" if="{i} == 'a'"/>
        <output>lane {i}</output><anchor id="p"/></parallel><output>after</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    0.1.2 show lane b
    show after
    completed
    ");
}

#[test]
fn a_jump_into_a_loop_begins_its_first_pass_there() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><goto anchor="in"/></step>
        <step n="2" goal="b"><loop for="i in a, b" index="k" max="5"><output>top {i}{k}</output><anchor id="in"/>
        <output>{k} {i}</output></loop><output>after</output></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    step 2
    show 1 a
    show top b2
    show 2 b
    show after
    completed
    ");
}

#[test]
fn a_jump_into_a_loop_without_items_again_and_again_is_a_circle() {
    let text = run(
        r#"<workflow name="W"><step n="1" goal="a"><set name="list" value=""/></step>
        <step n="2" goal="b"><loop for="x in {list}" max="3"><anchor id="in"/><output>{x}</output></loop>
        <goto anchor="in"/></step></workflow>"#,
        &[],
    );
    insta::assert_snapshot!(text, @r"
    step 1
    step 2
    limit the workflow goes in a circle and nothing changes
    ");
}

#[test]
fn a_jump_that_leads_nowhere_offers_each_step_that_is_written_like_its_own_once() {
    let skill = "---\nname: k\ndescription: d\n---\n\n# K\n\n## On Activation\n\n### Step 1: Greet\n\nSay hello.\n\n### Step 2: Load\n\nLoad it.\n\n<workflow>\n<step n=\"1\" goal=\"Find\"><action>GOTO step 2a</action></step>\n<step n=\"2\" goal=\"Write\"><output>Written.</output></step>\n</workflow>\n";
    let loaded = super::project([("SKILL.md", skill)]);
    let text = super::trace(
        &loaded,
        "SKILL.md",
        bmad::machine::Options::default(),
        &mut super::willing(&["2"]),
    );
    let asked =
        "ask The workflow says to go to `2a`, and there is no such step. Where to? [1 2 next]\nstep 2\nshow Written.";
    assert!(text.contains(asked), "{text}");
}

#[test]
fn a_check_that_says_to_return_to_the_decision_asks_again() {
    let page = "<workflow name=\"w\"><step n=\"1\" goal=\"Fix\">
<action>Look.</action>
<ask>What now? [1] Fix it [2] Show details</ask>
<check if=\"user chooses 1\"><action>Fix it all.</action></check>
<check if=\"user chooses 2\"><action>Explain it.</action><action>Return to the fix decision</action></check>
</step><step n=\"2\" goal=\"End\"><action>Say goodbye.</action></step></workflow>";
    let text = run(page, &["2", "2", "1"]);
    let places: Vec<&str> = text
        .lines()
        .filter(|line| ["ask", "turn"].iter().any(|word| line.starts_with(word)))
        .map(|line| line.split_whitespace().nth(1).unwrap_or_default())
        .collect();
    assert_eq!(
        places,
        ["Look.", "What", "Explain", "What", "Explain", "What", "Fix", "Say"],
        "{text}"
    );
}

#[test]
fn a_stage_is_gone_to_and_otherwise_done_ends_the_run() {
    let skill = "---\nname: k\ndescription: d\n---\n\n# K\n\n## Stage 1: Write\n\n1. Write it.\n2. If it is long, proceed to Stage 2. Otherwise, done.\n\n## Stage 2: Check\n\nCheck it.\n";
    let loaded = super::project([("SKILL.md", skill)]);
    let run = |judge: bool| {
        let mut rest = super::willing(&[]);
        super::trace(
            &loaded,
            "SKILL.md",
            bmad::machine::Options::default(),
            &mut |issued: &bmad::machine::Issued| match &issued.effect {
                bmad::machine::Effect::Dispatch(task) => Some(super::ack(task, judge)),
                _ => rest(issued),
            },
        )
    };
    assert!(
        run(true).contains("step 2\nturn ## Stage 2: Check  Check it.\ncompleted"),
        "{}",
        run(true)
    );
    assert!(!run(false).contains("Check it."), "{}", run(false));
}

#[test]
fn a_stop_before_a_question_waits_for_its_answer_whatever_is_shown_between() {
    for stop in ["HALT", "HALT - escalate to the person"] {
        let page = format!(
            "<workflow name=\"w\"><step n=\"1\" goal=\"g\"><action>{stop}</action><output>1. Wait</output><ask>What now?</ask></step><step n=\"2\" goal=\"h\"><action>Go on.</action></step></workflow>"
        );
        let text = run(&page, &["wait"]);
        let rest = text
            .split_once("show 1. Wait\n")
            .map(|(_, rest)| rest)
            .unwrap_or_default();
        assert!(rest.starts_with("ask What now?"), "{text}");
        assert!(rest.contains("Go on.") && rest.ends_with("completed"), "{text}");
    }
    let page = "<workflow name=\"w\"><step n=\"1\" goal=\"g\"><action>HALT</action><action>Look.</action><ask>What now?</ask></step></workflow>";
    let text = run(page, &[]);
    assert!(!text.contains("What now?") && !text.ends_with("completed"), "{text}");
}
