//! Text around the tags of a Markdown file: what stands before them is told first, what stands behind them always.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options};

/// Runs a `workflow.md`; returns what happens and the rules of its last turn.
fn run(words: &str) -> (String, Vec<String>) {
    let text = format!("---\nname: w\ndescription: d\n---\n\n{words}");
    let loaded = project([("workflow.md", text.as_str())]);
    let mut rules = Vec::new();
    let mut rest = willing(&[]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            rules.clone_from(&task.rules);
        }
        rest(issued)
    });
    (text, rules)
}

const TAGS: &str =
    r#"<workflow><critical>Be kind.</critical><step n="1" goal="a"><action>Look.</action></step></workflow>"#;

#[test]
fn what_stands_before_the_tags_is_told_first() {
    let (text, rules) = run(&format!(
        "# W\n\nYou keep the list. HALT if it cannot be found.\n\n<critical>Be brief.</critical>\n\n## Input\n\nRead it all.\n\n## Execution\n\n{TAGS}\n"
    ));
    insta::assert_snapshot!(text, @r"
    step start
    turn # W  You keep the list. HALT if it cannot be found. | if? it cannot be found
    turn ## Input  Read it all.  ## Execution
    step 1
    turn Look.
    completed
    ");
    assert_eq!(rules, ["Be brief.", "Be kind."]);
}

#[test]
fn numbered_headings_before_the_tags_are_steps_without_the_tags() {
    let (text, _) = run(&format!(
        "# W\n\n## Step 1: Load\n\nLoad it.\n\n## Step 2: Greet\n\nSay hello.\n\n{TAGS}\n"
    ));
    insta::assert_snapshot!(text, @r"
    step 1
    turn ## Step 1: Load  Load it.
    step 2
    turn ## Step 2: Greet  Say hello.
    step 1
    turn Look.
    completed
    ");
}

#[test]
fn what_stands_behind_the_tags_is_a_rule() {
    let (text, rules) = run(&format!(
        "# W\n\n## Execution\n\n{TAGS}\n\n<hints>\n<hint>Name nobody.</hint>\n</hints>\n"
    ));
    insta::assert_snapshot!(text, @r"
    step 1
    turn Look.
    completed
    ");
    assert_eq!(rules, ["Be kind.", "<hint>Name nobody.</hint>"]);
}

#[test]
fn text_before_the_tags_that_orders_nothing_holds_for_every_turn() {
    let flow = |before: &str| {
        let text = format!(
            "---\nname: w\ndescription: d\n---\n\n{before}\n\n<workflow>\n<step n=\"1\" goal=\"a\"><action>Work.</action></step>\n</workflow>\n"
        );
        let loaded = project([("w/workflow.md", &text)]);
        let mut rest = willing(&[]);
        let mut rules = Vec::new();
        let shown = trace(&loaded, "w/workflow.md", Options::default(), &mut |issued: &Issued| {
            if let Effect::Dispatch(task) = &issued.effect {
                rules.extend(task.rules.clone());
            }
            rest(issued)
        });
        (shown.contains("step start"), rules.join("|"))
    };
    assert_eq!(flow("# Paths\n\n- `a` = `b`"), (false, String::new()));
    let (starts, rules) = flow("# Role\n\nYou are the keeper of the list.");
    assert!(!starts && rules.contains("You are the keeper"), "{rules}");
    assert!(flow("# Before\n\nYou are the keeper.\n\n- Load the list.").0);
}

#[test]
fn a_list_of_stops_behind_numbered_headings_holds_for_all_of_them() {
    let stages = "# W\n\n## Stage 1: Read\n\nRead it.\n\n## Stage 2: Write\n\nWrite it.\n\n";
    let stops = "## HALT Conditions\n\n- **HALT** if there is no question.\n- **HALT** on missing data:\n  say what is missing.\n";
    let (text, rules) = run(&format!("{stages}{stops}\n## Notes\n\nBe kind.\n"));
    insta::assert_snapshot!(text, @r"
    step 1
    turn ## Stage 1: Read  Read it.
    step 2
    turn ## Stage 2: Write  Write it. | ## Notes  Be kind.
    completed
    ");
    insta::assert_snapshot!(rules.join("\n"), @r"
    Do not go on where this holds, but answer `blocked` and name it: **HALT** if there is no question.
    Do not go on where this holds, but answer `blocked` and name it: **HALT** on missing data:
      say what is missing.
    ");
    for other in [
        "### HALT Conditions\n\n- **HALT** if there is no question.\n",
        "## HALT Conditions\n\n- **HALT** if there is no question.\n- Send the report.\n",
        "## HALT Conditions\n\nHALT if there is no question.\n",
        "## HALT Conditions\n\n- HALT if there is no question. Otherwise go to step 1.\n",
        "## Last checks\n\n- **HALT** if there is no question.\n",
    ] {
        let (text, rules) = run(&format!("{stages}{other}"));
        assert!(rules.is_empty() && text.contains("if? there is no question"), "{text}");
    }
    let before = "# W\n\n## HALT Conditions\n\n- **HALT** if there is no question.\n\n";
    let (text, rules) = run(&format!("{before}## 1. Read\n\nRead it.\n\n## 2. Write\n\nWrite it.\n"));
    assert!(rules.is_empty() && text.contains("if? there is no question"), "{text}");
}
