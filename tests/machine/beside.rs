//! Sections beside each other, and what is meant for one of them alone.

use super::{project, trace, willing};
use bmad::machine::Options;

/// Runs a skill and returns the trace.
fn run(text: &str, answers: &[&str]) -> String {
    let head = "---\nname: w\ndescription: d\n---\n\n# W\n\n";
    let text = format!("{head}{text}");
    let loaded = project([("SKILL.md", text.as_str())]);
    trace(&loaded, "SKILL.md", Options::default(), &mut willing(answers))
}

#[test]
fn what_sections_set_differently_depends_on_their_headings() {
    let modes = "## Step 1: Mode\n\nSay which mode fits.\n\n### Whole Plan\n\nSet `scope` to `all` and `key` to `plan`.\n\n### One Part\n\nSet `scope` to `part`.\n\n## Step 2: Show\n\nShow it.\n";
    let text = run(modes, &[]);
    assert!(text.contains("if? Whole Plan | if? One Part"), "{text}");
    let when = modes.replace("### One Part", "### If it is one part:");
    assert!(run(&when, &[]).contains("if? Whole Plan | if? it is one part\n"));
    for sure in [
        modes.replace("`part`", "`all`"),
        modes
            .replace("### Whole", "### 1. Whole")
            .replace("### One", "### 2. One"),
        modes.replace("### Whole", "#### Whole"),
    ] {
        let text = run(&sure, &[]);
        assert!(!text.contains("if?"), "{text}");
    }
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
