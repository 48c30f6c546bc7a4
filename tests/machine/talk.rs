//! Conversations: whoever is not done says more, and the work goes on with it.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Options, Outcome};

/// Runs a step file that a second one follows, with answers; whoever judges says that all holds, or nothing.
fn run(first: &str, answers: &[&str], holds: bool) -> String {
    run_where(first, answers, |_| holds)
}

/// Runs it where each condition holds that `holds` says so of.
fn run_where(first: &str, answers: &[&str], holds: impl Fn(&str) -> bool) -> String {
    let begin = "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let loaded = project([
        ("workflow.md", begin),
        ("steps/step-01-a.md", first),
        ("notes.md", "# Notes\n\nKeep it short.\n"),
        ("steps/step-02-b.md", "# Step 2: End\n\nSay goodbye.\n"),
        ("steps/step-03-c.md", "# Step 3: More\n\nSay more.\n"),
    ]);
    let mut rest = willing(answers);
    trace(
        &loaded,
        "workflow.md",
        Options::default(),
        &mut |issued| match &issued.effect {
            Effect::Dispatch(task) | Effect::Judge(task) => {
                let mut said = ack(task, false);
                if let Outcome::Replied(envelope) = &mut said {
                    for judgement in &mut envelope.judgements {
                        judgement.holds = holds(&task.conditions[judgement.n as usize - 1]);
                    }
                }
                Some(said)
            }
            _ => rest(issued),
        },
    )
}

const PARTY: &str = "# Step 1: Talk

Answer what the user says.

Show this menu option:

`[E] Exit the party - End it`

## Exit conditions

- The message contains: `*exit`, `goodbye` or `end party`

#### If 'E' (Exit):

- Read fully and follow: `./step-02-b.md`
";

#[test]
fn where_the_only_option_leaves_anything_else_goes_on_with_the_talk() {
    let text = run(PARTY, &["Why tests?", "And how?", "goodbye"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 3, "{text}");
    assert!(
        text.ends_with("step 2\nturn # Step 2: End  Say goodbye.\ncompleted"),
        "{text}"
    );
    let text = run(PARTY, &["E"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 1, "{text}");
}

#[test]
fn steps_for_each_message_of_the_person_come_again_with_what_they_say() {
    let page = |lead: &str| {
        let steps = "### 1. Choose\n\nChoose who answers.\n\n### 2. Show\n\nShow the answers.\n\n## Exit\n\nWhen they are done, sum up.\n";
        format!(
            "---\nname: w\ndescription: d\n---\n\n# Talk\n\n## Begin\n\nWelcome them.\n\n## The loop\n\n{lead}\n\n{steps}"
        )
    };
    let talk = |lead: &str, answers: &[&str]| {
        let loaded = project([("workflow.md", &page(lead))]);
        trace(&loaded, "workflow.md", Options::default(), &mut willing(answers))
    };
    let text = talk("For each user message:", &["Why tests?", "And how?", "done"]);
    assert_eq!(text.matches("turn ### 1. Choose").count(), 3, "{text}");
    assert_eq!(text.matches("ask For each user message: [1]").count(), 3, "{text}");
    assert!(
        text.ends_with("[1]\nturn ## Exit  When they are done, sum up.\ncompleted"),
        "{text}"
    );
    assert_eq!(text.matches("sum up").count(), 1, "{text}");
    for lead in [
        "For each page:",
        "Read the messages that were sent.\n\nFor each user message:",
    ] {
        let text = talk(lead, &[]);
        assert_eq!(text.matches("turn ### 1. Choose").count(), 1, "{text}");
        assert!(!text.contains("ask "), "{text}");
    }
}

#[test]
fn a_list_that_names_no_words_to_leave_with_ends_no_talk() {
    let step = PARTY.replace("## Exit conditions", "## Exit codes of the front end");
    let text = run(&step, &["goodbye", "E"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 2, "{text}");
}

#[test]
fn an_option_that_does_not_leave_is_the_only_answer() {
    let step = PARTY.replace("Exit the party - End it", "Edit the page");
    let text = run(&step, &["Why tests?", "E"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 1, "{text}");
}

#[test]
fn work_that_is_not_done_yet_goes_on_with_what_the_person_says() {
    let step = "# Step 1: Draft\n\nFind out what it is for.\n\n**When you have enough for a headline**, route to `./step-02-b.md`.\n\n| # | File |\n|---|---|\n| 2 | `./step-02-b.md` |\n| 3 | `./step-03-c.md` |\n";
    let text = run(step, &["It is for cooks", "go on"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 2, "{text}");
    assert!(
        text.ends_with("step 2\nturn # Step 2: End  Say goodbye.\ncompleted"),
        "{text}"
    );
    let text = run(step, &[], true);
    assert_eq!(text.matches("turn").count(), 2, "{text}");
    // The table only lists the files.
    assert!(!text.contains("comes next"), "{text}");
}

#[test]
fn a_table_that_the_text_goes_by_is_settled_before_the_work_goes_on() {
    let step = "# Step 1: Draft\n\nIf there is a page, route directly to that stage's file.\n\nFind out what it is for.\n\n**When you have enough for a headline**, route to `./step-02-b.md`.\n\n| # | File |\n|---|---|\n| 2 | `./step-02-b.md` |\n| 3 | `./step-03-c.md` |\n";
    let text = run_where(step, &[], |condition| condition.contains("step-03"));
    assert!(
        text.ends_with("step 3\nturn # Step 3: More  Say more.\ncompleted"),
        "{text}"
    );
    let text = run(step, &["It is for cooks", "go on"], false);
    assert_eq!(text.matches("turn # Step 1").count(), 2, "{text}");
    assert!(
        text.ends_with("step 2\nturn # Step 2: End  Say goodbye.\ncompleted"),
        "{text}"
    );
}

#[test]
fn a_row_with_an_order_is_a_case_beside_any_other_order() {
    let table = "| Wants | Then |\n|---|---|\n| an end | Read fully and follow `./step-02-b.md` |\n| more | Read fully and follow `./step-03-c.md` |\n";
    for step in [
        format!(
            "# Step 1: Look\n\nSee what they want:\n\n{table}\nIf none fits, read fully and follow `./step-03-c.md`.\n"
        ),
        format!("# Step 1: Look\n\nRead fully and follow `../notes.md`.\n\nSee what they want:\n\n{table}"),
    ] {
        let text = run_where(&step, &[], |condition| condition.contains("an end"));
        assert!(
            text.ends_with("step 2\nturn # Step 2: End  Say goodbye.\ncompleted"),
            "{text}"
        );
    }
}

#[test]
fn the_last_row_of_a_table_is_not_sure_where_another_case_stands_behind_it() {
    let step = "# Step 1: Look\n\nSee what they want:\n\n| Wants | Then |\n|---|---|\n| an end | Read fully and follow `./step-02-b.md` |\n\nIf none of these fits, read fully and follow `./step-03-c.md`.\n";
    let text = run_where(step, &[], |condition| condition.contains("none of these"));
    assert!(
        text.ends_with("step 3\nturn # Step 3: More  Say more.\ncompleted"),
        "{text}"
    );
}

#[test]
fn yes_and_no_are_judged_with_their_question() {
    let step = "# Step 1: Look\n\n- If there is a plan, read it.\n- Otherwise, ask the user: **Is there a plan?**\n  - If yes: set `{mode}` = `\"full\"`.\n  - If no: set `{mode}` = `\"short\"`.\n\nThen write the page.\n";
    let text = run(step, &[], false);
    assert!(text.contains("the answer to “Is there a plan?” is yes"), "{text}");
    assert!(text.contains("the answer to “Is there a plan?” is no"), "{text}");
}
