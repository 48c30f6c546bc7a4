//! Cases that lead away: they are settled before the rest of a text is told.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options};

/// Runs a step that may lead to another one; whoever judges says that a case with some words in it holds.
fn led(step: &str, holds: &str) -> String {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./step-01-a.md`\n",
        ),
        ("step-01-a.md", step),
        ("step-01b-c.md", "# Step 1b: C\n\nWelcome back.\n"),
        ("step-02-b.md", "# Step 2: B\n\nOn.\n"),
    ]);
    let mut rest = willing(&[]);
    trace(&loaded, "workflow.md", Options::default(), &mut |issued| {
        let Effect::Dispatch(task) = &issued.effect else {
            return rest(issued);
        };
        let is_held = task.conditions.iter().any(|condition| condition.contains(holds));
        Some(ack(task, is_held))
    })
}

#[test]
fn a_case_that_leads_away_is_settled_before_the_rest_is_told() {
    let step = "# Step 1: A\n\n## 1. Look\n\nLook for `out.md`.\n\n## 2. Go on (If Document Exists)\n\nIf the document exists and is not done:\n\n- **STOP here** and load `./step-01b-c.md`\n- It does the rest\n\n## 3. Begin\n\nCreate `out.md`.\n\n## SUCCESS METRICS:\n\nIt is there.\n";
    let first = "turn # Step 1: A  ## 1. Look  Look for `out.md`.  ## 2. Go on (If Document Exists)  If the document exists and is not done:  - **STOP here** and load `./step-01b-c.md` - It does the rest | if? If the document exists and is not done";
    let there = format!("step 1\nstep 1\n{first}\nstep 1b\nturn # Step 1b: C  Welcome back.\ncompleted");
    assert_eq!(led(step, "exists"), there);
    let begun = "turn ## 3. Begin  Create `out.md`.  ## SUCCESS METRICS:  It is there.";
    assert_eq!(
        led(step, "nothing"),
        format!("step 1\nstep 1\n{first}\n{begun}\ncompleted")
    );
}

#[test]
fn a_case_at_the_end_of_a_text_costs_no_turn_of_its_own() {
    for step in [
        "# Step 1: A\n\nLook for `out.md`.\n\nIf it already exists, load `./step-01b-c.md`.\n\n## FAILURE MODES:\n\nNot looking.\n",
        "# Step 1: A\n\nWrite the page.\n\nIf it is good, load `./step-01b-c.md`.\n\nTell what is in it.\n",
    ] {
        let shown = led(step, "nothing");
        assert_eq!(shown.matches("\nturn").count(), 1, "{shown}");
    }
}

#[test]
fn cases_with_an_order_between_them_are_settled_one_after_the_other() {
    let step = "# Step 1: A\n\n- If `plan.md` already exists: HALT.\n- Write `plan.md`.\n- If `draft.md` already exists: HALT.\n- Write `draft.md`.\n";
    let shown = led(step, "nothing");
    let turns: Vec<&str> = shown.lines().filter(|line| line.starts_with("turn")).collect();
    assert_eq!(turns.len(), 3, "{shown}");
    assert!(!turns[0].contains("Write `plan.md`"), "{shown}");
    assert!(!turns[1].contains("Write `draft.md`"), "{shown}");
}

#[test]
fn a_page_that_one_mode_of_several_leads_to_is_not_the_way_of_all() {
    let step = "# Step 1: A\n\n**Guided mode:**\n- Talk it over.\n- Read fully and follow `./step-02-b.md`\n\n**Quick mode:**\n- Read fully and follow `./step-01b-c.md`\n";
    let shown = led(step, "nothing");
    assert!(!shown.contains("Welcome back.") && !shown.contains("On."), "{shown}");
    let shown = led(step, "step-01b-c.md");
    assert!(shown.contains("Welcome back.") || shown.contains("On."), "{shown}");
}
