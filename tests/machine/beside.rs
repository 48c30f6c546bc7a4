//! Sections beside each other, and what is meant for one of them alone.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options};

/// Runs a skill and returns the trace.
fn run(text: &str, answers: &[&str]) -> String {
    let head = "---\nname: w\ndescription: d\n---\n\n# W\n\n";
    let text = format!("{head}{text}");
    let loaded = project([("SKILL.md", text.as_str())]);
    trace(&loaded, "SKILL.md", Options::default(), &mut willing(answers))
}

#[test]
fn what_sections_set_differently_depends_on_their_headings() {
    let modes = "## Step 1: Mode\n\nSay which mode fits.\n\n### Whole-Plan Mode\n\nSet `scope` to `all` and `key` to `plan`.\n\n### One-Part Mode\n\nSet `scope` to `part`.\n\n## Step 2: Show\n\nShow it.\n";
    let text = run(modes, &[]);
    assert!(text.contains("if? Whole-Plan Mode | if? One-Part Mode"), "{text}");
    let when = modes.replace("### One-Part Mode", "### If it is one part:");
    assert!(run(&when, &[]).contains("if? Whole-Plan Mode | if? it is one part\n"));
    for sure in [
        modes.replace("`part`", "`all`"),
        modes
            .replace("### Whole", "### 1. Whole")
            .replace("### One", "### 2. One"),
        modes.replace("### Whole", "#### Whole"),
        modes
            .replace("Whole-Plan Mode", "Start")
            .replace("One-Part Mode", "Finish"),
    ] {
        let text = run(&sure, &[]);
        assert!(!text.contains("if?"), "{text}");
    }
}

#[test]
fn what_any_other_answer_leads_to_belongs_to_the_menu_of_its_section() {
    let quiz = "Ask:\n\n\"Which one?\n\nA) Oak\nB) Elm\"\n\n**Wait for response.**\n\n### 10. Present OPTIONS\n\nDisplay: **Select:** [A] Again [C] Continue\n\nHALT and wait.\n\n- IF A: Explain more, then redisplay the menu\n- IF C: Write it down\n- IF Any other: help the user, then redisplay the menu\n";
    let loaded = project([(
        "SKILL.md",
        &format!("---\nname: w\ndescription: d\n---\n\n# W\n\n{quiz}"),
    )]);
    let mut open = Vec::new();
    let mut rest = willing(&["B", "C"]);
    trace(&loaded, "SKILL.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Ask(question) = &issued.effect {
            open.push(question.open);
        }
        rest(issued)
    });
    assert_eq!(open, [false, true]);
}

#[test]
fn answers_in_numbered_items_leave_no_empty_order() {
    let text = run(
        "For the file:\n\n1. Load it\n2. Ask: \"Apply it? [Y/N]\"\n3. If Y: Make the edit\n4. If N: Skip it\n5. Confirm it\n",
        &["N"],
    );
    insta::assert_snapshot!(text, @r#"
    step 1
    turn # W  For the file:  1. Load it 2. Ask: "Apply it?
    ask Apply it? [Y N]
    turn Skip it
    turn 5. Confirm it
    completed
    "#);
}
