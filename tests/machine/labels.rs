//! Items with a label: cases of one another, or all to be done.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options, Outcome};

/// Runs a step that may lead to others; of the conditions put to a turn those hold that have some words in them.
fn run(step: &str, holds: &str) -> String {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        ("step-01-a.md", step),
        ("step-02-b.md", "# Step 2: B\n\nPlan it.\n"),
        ("step-03-c.md", "# Step 3: C\n\nMake it.\n"),
        ("notes.md", "# Notes\n\nKeep it short.\n"),
    ]);
    let mut rest = willing(&[]);
    trace(&loaded, "workflow.md", Options::default(), &mut |issued| {
        let (Effect::Dispatch(task) | Effect::Judge(task)) = &issued.effect else {
            return rest(issued);
        };
        let mut said = ack(task, false);
        if let Outcome::Replied(envelope) = &mut said {
            for judgement in &mut envelope.judgements {
                judgement.holds = task.conditions[judgement.n as usize - 1].contains(holds);
            }
        }
        Some(said)
    })
}

const TRIAGE: &str = "# Step 1: A

Sort what was found:

- **gap** — Ask for more. HALT with status `blocked`.
- **bad plan** — Change the plan. Read fully and follow `./step-02-b.md` to make it anew.
- **patch** — Mend it.

## Finish

Write down what was done.

HALT with status `done`.
";

#[test]
fn of_items_that_lead_different_ways_each_is_for_its_own_case() {
    let shown = run(TRIAGE, "nothing");
    assert!(shown.ends_with("\ncompleted"), "{shown}");
    assert!(!shown.contains("judge") && !shown.contains("Plan it."), "{shown}");
    let shown = run(TRIAGE, "bad plan");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
    let shown = run(TRIAGE, "gap");
    assert!(shown.ends_with("halted with status `blocked`"), "{shown}");
}

#[test]
fn items_of_which_only_one_leads_on_are_all_done() {
    let step = "# Step 1: A\n\n- **Write** — Write it down.\n- **Go on** — Read fully and follow `./step-02-b.md`\n";
    let shown = run(step, "nothing");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
}

#[test]
fn a_stop_is_no_last_word_below_a_heading_for_a_case_or_a_colon() {
    for end in [
        "## If it is empty\n\nHALT.\n",
        "Say:\n\nHALT.\n",
        "- Write it.\n- HALT.\n",
    ] {
        let shown = run(&format!("# Step 1: A\n\nLook.\n\n{end}"), "nothing");
        assert!(shown.ends_with("completed"), "{end}: {shown}");
    }
}

#[test]
fn a_labelled_list_is_no_choice_where_one_item_comes_back_or_all_are_done_in_order() {
    let items =
        "- **Keep** — Read fully and follow `./notes.md`.\n- **Begin** — Read fully and follow `./step-02-b.md`.\n";
    let shown = run(&format!("# Step 1: A\n\nOn activation:\n\n{items}"), "nothing");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
    let shown = run(&format!("# Step 1: A\n\nThere is this:\n\n{items}"), "nothing");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
    let items = items.replace("notes.md", "step-03-c.md");
    let shown = run(&format!("# Step 1: A\n\nDo these in order:\n\n{items}"), "nothing");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
}

#[test]
fn files_that_a_list_says_to_follow_in_order_are_followed_one_after_the_other() {
    let items =
        "- **Make:** read fully and follow `./step-03-c.md`\n- **Plan:** read fully and follow `./step-02-b.md`\n";
    let shown = run(&format!("# Step 1: A\n\nDo these in order:\n\n{items}"), "nothing");
    insta::assert_snapshot!(shown, @r"
    step 1
    step 1
    step 3
    turn # Step 3: C  Make it.
    step 2
    turn # Step 2: B  Plan it.
    completed
    ");
    let shown = run(
        &format!("# Step 1: A\n\nLook.\n\n**Follow them in this order:**\n{items}"),
        "nothing",
    );
    assert!(shown.contains("Look.") && !shown.contains("read fully"), "{shown}");
    let end = "step 3\nturn # Step 3: C  Make it.\nstep 2\nturn # Step 2: B  Plan it.\ncompleted";
    assert!(shown.ends_with(end), "{shown}");
    for step in [
        format!("# Step 1: A\n\nDo these in order:\n\n{items}\nAfterwards write the summary.\n"),
        format!("# Step 1: A\n\nDo not run these in order:\n\n{items}"),
    ] {
        let one = run(&step, "nothing");
        assert!(!one.contains("Make it.") || !one.contains("Plan it."), "{one}");
    }
    let one = run(&format!("# Step 1: A\n\nTry these in order:\n\n{items}"), "nothing");
    assert!(!one.contains("Make it.") || !one.contains("Plan it."), "{one}");
}

#[test]
fn a_file_of_a_list_that_leads_on_or_ends_by_itself_is_led_nowhere_else() {
    for gate in [
        "If all is well, read fully and follow `./step-03-c.md`. Otherwise say what failed.",
        "If nothing is to be done, end the workflow.",
    ] {
        let loaded = project([
            (
                "workflow.md",
                "---\nname: w\ndescription: d\n---\n\nDo these in order:\n\n1. **Check:** read fully and follow `./step-02-b.md`\n2. **Make:** read fully and follow `./step-03-c.md`\n",
            ),
            ("step-02-b.md", &format!("# Step 2: B\n\nLook.\n\n{gate}\n")),
            ("step-03-c.md", "# Step 3: C\n\nMake it.\n"),
        ]);
        let shown = trace(&loaded, "workflow.md", Options::default(), &mut willing(&[]));
        assert!(!shown.contains("Look.") || !shown.contains("Make it."), "{shown}");
    }
}

#[test]
fn a_stop_to_report_in_small_letters_stops_for_its_case() {
    let step = "# Step 1: A\n\nBuild it. If the build breaks, stop and report the error.\n\nRead fully and follow `./step-02-b.md`\n";
    let shown = run(step, "the build breaks");
    assert!(shown.ends_with("halted"), "{shown}");
    let shown = run(step, "nothing");
    assert!(shown.ends_with("turn # Step 2: B  Plan it.\ncompleted"), "{shown}");
}

#[test]
fn a_stop_to_report_in_small_letters_is_one_where_it_is_all_that_a_check_does() {
    let run = |action: &str| {
        let text = format!(
            r#"<workflow name="W"><step n="1" goal="a"><ask response="x">Which?</ask>{action}<output>more</output></step></workflow>"#
        );
        let loaded = project([("workflow.xml", &text)]);
        trace(&loaded, "workflow.xml", Options::default(), &mut willing(&["1"]))
    };
    let check = |action: &str| run(&format!(r#"<check if="x == 1">{action}</check>"#));
    let stop = "<action>Stop and tell the user what is missing.</action>";
    let tests = "<action>Run the tests.</action>";
    for shown in [
        check(stop),
        check(&format!("<output>no</output>{stop}")),
        run(&stop.replace("action>S", r#"action if="x == 1">S"#)),
    ] {
        assert!(shown.ends_with("halted"), "{shown}");
    }
    for shown in [
        run(stop),
        check(&format!("{tests}{stop}")),
        check("<action>Stop and report after each test.</action>"),
        check("<action>Stop and tell the user which it is, then go on.</action>"),
        check("<action>Run the tests. Stop and report what fails.</action>"),
    ] {
        assert!(shown.ends_with("show more\ncompleted"), "{shown}");
    }
}

#[test]
fn the_last_paragraph_on_trouble_is_for_who_has_it() {
    for end in [
        "## Troubleshooting\n\nTell why.\n\nHALT.\n",
        "Should it break, tell why.\n\nHALT.\n",
        "## End\n\nTell why.\n\nHALT with the error.\n",
    ] {
        let shown = run(&format!("# Step 1: A\n\nLook.\n\n{end}"), "nothing");
        assert!(shown.ends_with("completed"), "{end}: {shown}");
    }
}

const STATUS: &str = "# Step 1: A

If the request names a plan, set `plan`, then go to the step for its status:
- `draft` → `./step-02-b.md`
- `ready` or `begun` → `./step-03-c.md`
- `blocked` → HALT with status `blocked`.
- `done` → set `again` to `true`, then load `./step-03-c.md`.

Otherwise write down what is asked for.
";

#[test]
fn a_case_is_put_with_the_words_above_its_list_and_once() {
    let lead = "If the request names a plan, set `plan`, then go to the step for its status";
    for (holds, end) in [
        ("“`draft`” is the case", "turn # Step 2: B  Plan it.\ncompleted"),
        (
            "“`ready` or `begun`” is the case",
            "turn # Step 3: C  Make it.\ncompleted",
        ),
        ("“`blocked`” is the case", "halted with status `blocked`"),
        ("“`done`” is the case", "turn # Step 3: C  Make it.\ncompleted"),
    ] {
        let shown = run(STATUS, holds);
        assert!(shown.ends_with(end), "{holds}: {shown}");
        assert!(!shown.contains("judge"), "{holds}: {shown}");
        assert!(
            shown.contains(&format!("{holds}, of those below this: {lead}")),
            "{shown}"
        );
    }
}

#[test]
fn otherwise_speaks_of_the_words_right_before_it() {
    let step = "# Step 1: A\n\nIf there is no repository, say so, then HALT with status `bare`.\n\n1. Save it.\n2. Verify that all is clean. Otherwise HALT with status `dirty`.\n\nHALT with status `over`.\n";
    let shown = run(step, "nothing");
    assert!(shown.ends_with("halted with status `over`"), "{shown}");
    let shown = run(step, "dirty");
    assert!(shown.ends_with("halted with status `dirty`"), "{shown}");
    let step = "# Step 1: A\n\n- If there is a plan, HALT with status `there`.\n- Otherwise, HALT with status `gone`.\n\nMore.\n";
    assert!(
        run(step, "nothing").ends_with("halted with status `gone`"),
        "{}",
        run(step, "nothing")
    );
    assert!(run(step, "a plan").ends_with("halted with status `there`"));
}

#[test]
fn a_value_that_one_labelled_paragraph_gives_is_for_its_case() {
    let step = "# Step 1: A\n\n1. Name it:\n\n   **By id:** Set `file` = `out/id.md`.\n\n   **Otherwise:** Think of a name for `file`.\n\nHALT with `{file}`.\n";
    let shown = run(step, "nothing");
    assert!(shown.ends_with("halted with `{file}`"), "{shown}");
    let shown = run(step, "By id");
    assert!(shown.ends_with("halted with `out/id.md`"), "{shown}");
    let step = "# Step 1: A\n\n**Name:** Set `file` = `out/id.md`.\n\n**Then:** Write it.\n\nHALT with `{file}`.\n";
    assert!(run(step, "nothing").ends_with("halted with `out/id.md`"));
}
