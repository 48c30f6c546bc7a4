//! Where answers lead that a later line says more of, and menus for what is left over or for what their heading says.

use super::choices::run;
use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

const ANSWERED_TWICE: &str = "# Step 1: Plan

Make a plan and show it.

Ready to execute? (y/n/adjust)

- **y:** Proceed to execution
- **n:** Gather more context
- **adjust:** Modify the plan

## NEXT STEP DIRECTIVE

- **y:** \"**NEXT:** Read fully and follow: `step-02-b.md`\"
- **n/adjust:** Continue gathering, then re-present plan
";

#[test]
fn an_answer_leads_where_a_later_line_says_if_the_first_does_not() {
    let (text, told) = run(ANSWERED_TWICE, &["n", "adjust", "y"]);
    assert_eq!(text.matches("\nask ").count(), 3, "{text}");
    assert!(text.contains("step 2") && text.ends_with("completed"), "{text}");
    let places = [
        "Gather more context",
        "Continue gathering",
        "Modify the plan",
        "Proceed to execution",
        "Say goodbye",
    ];
    let found: Vec<usize> = places.iter().map(|words| told.find(words).expect(words)).collect();
    assert!(found.is_sorted(), "{told}");
    // What leads somewhere itself is left as it is.
    let led = ANSWERED_TWICE.replace("Proceed to execution", "END workflow");
    let (text, _) = run(&led, &["y"]);
    assert!(!text.contains("step 2"), "{text}");
    // What stands behind another question, or in another part, is for that.
    for heading in ["## Shall the result be kept?", "## 2. NEXT", "Ask whether it is kept."] {
        let other = ANSWERED_TWICE.replace("## NEXT STEP DIRECTIVE", heading);
        let (text, _) = run(&other, &["y"]);
        let first = text.split("\nask ").nth(1).unwrap_or_default();
        assert!(!first.contains("step 2"), "{heading}: {text}");
    }
}

/// Runs a step file; somebody judges that what holds some words is so. Returns the trace and what was judged.
fn judged(step: &str, holds: &str, answers: &[&str]) -> (String, Vec<String>) {
    let begin = "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let loaded = project([
        ("workflow.md", begin),
        ("steps/step-01-a.md", step),
        ("steps/step-02-b.md", "# Step 2: End\n\nSay goodbye.\n"),
        ("steps/step-03-c.md", "# Step 3: Other\n\nSay hello.\n"),
    ]);
    let mut conditions = Vec::new();
    let mut rest = willing(answers);
    let text = trace(
        &loaded,
        "workflow.md",
        Options::default(),
        &mut |issued: &Issued| match &issued.effect {
            Effect::Dispatch(task) | Effect::Judge(task) if !task.conditions.is_empty() => {
                conditions.extend(task.conditions.clone());
                let mut outcome = ack(task, false);
                if let Outcome::Replied(envelope) = &mut outcome {
                    let said = envelope.judgements.iter_mut().zip(&task.conditions);
                    said.for_each(|(judgement, words)| judgement.holds = words.contains(holds));
                }
                Some(outcome)
            }
            _ => rest(issued),
        },
    );
    (text, conditions)
}

#[test]
fn a_menu_for_what_is_left_over_is_offered_where_no_case_above_it_holds() {
    for rest in ["Otherwise:", "Else (neither of them is there):", "**Otherwise**,"] {
        let step = format!(
            "# Step 1: Gather\n\n1. Write the diff.\n\n2. Set the spec.\n   - If the request says there is none: set `{{mode}}` = \
             `\"none\"`.\n   - Else if a spec was named: keep it.\n   - {rest} ask the user to choose:\n     1. Provide a spec file \
             path; or\n     2. Continue without a spec.\n\n3. Sum up.\n\nRead fully and follow `./step-02-b.md`\n"
        );
        let (text, conditions) = judged(&step, "nothing", &["2"]);
        assert!(text.contains("\nask ") && text.contains("step 2"), "{text}");
        let cases = ["the request says there is none", "a spec was named"];
        assert!(
            cases.iter().all(|case| conditions.iter().any(|words| words == case)),
            "{conditions:?}"
        );
        let (text, _) = judged(&step, "none", &["2"]);
        assert!(!text.contains("\nask ") && text.contains("step 2"), "{text}");
    }
}

const HEADED: &str = "# Step 1: Route

Look at the request.

### If the request is simple

Display: \"**Select:** [P] Plan first [E] Execute\"

- IF P: Say goodbye. **EXIT.**
- IF E: Read fully and follow: `./step-02-b.md`

### A big one

Display: \"**Select:** [W] Start the big flow [E] Execute\"

- IF W: Read fully and follow: `./step-03-c.md`
- IF E: Read fully and follow: `./step-02-b.md`
";

#[test]
fn a_menu_under_a_heading_that_says_when_is_offered_then_and_the_next_one_otherwise() {
    for heading in [
        "### If the request is simple",
        "### 2. Ask (only if the request is simple)",
    ] {
        let step = HEADED.replace("### If the request is simple", heading);
        let (text, conditions) = judged(&step, "simple", &["E"]);
        assert!(text.contains("[P E]") && text.contains("step 2"), "{text}");
        assert_eq!(conditions, ["the request is simple"], "{text}");
        let (text, _) = judged(&step, "nothing", &["W"]);
        assert!(
            !text.contains("[P E]") && text.contains("[W E]") && text.contains("step 3"),
            "{text}"
        );
    }
}

#[test]
fn nobody_goes_past_a_menu_for_the_next_one_that_is_not_offered_either() {
    let step = HEADED.replace("### A big one", "### Others\n\nIf the request is big:");
    for (holds, offered) in [("simple", "[P E]"), ("big", "[W E]"), ("nothing", "[P E]")] {
        let (text, _) = judged(&step, holds, &["E"]);
        assert!(text.contains(offered) && text.contains("step 2"), "{holds}: {text}");
    }
}

#[test]
fn the_only_menu_of_a_step_is_offered_whatever_its_heading_says() {
    let (step, _) = HEADED.split_once("### A big one").unwrap();
    let (text, conditions) = judged(step, "nothing", &["E"]);
    assert!(conditions.is_empty() && text.contains("step 2"), "{text}");
}

#[test]
fn an_answer_that_loads_the_next_step_leads_to_the_only_file_that_is_called_so() {
    let step = |matter: &str, answer: &str| {
        format!(
            "---\n{matter}---\n\n# Step 1: A\n\n[C] Convert\n[E] Edit\n\n- IF C: Read fully and follow: {{altFile}}\n- IF E: {answer}\n\
             - IF Any other: help, then redisplay menu\n"
        )
    };
    let one = "nextStepFile: ./step-02-b.md\naltFile: ./step-03-c.md\n";
    let (text, _) = run(&step(one, "Say \"Go\", then load next step"), &["E"]);
    assert!(text.contains("step 2") && text.ends_with("completed"), "{text}");
    let two = format!("{one}nextStepFileB: ./step-03-c.md\n");
    for (matter, answer) in [
        (two.as_str(), "Say \"Go\", then load next step"),
        (one, "Talk about it; do not load the next step"),
        (one, "If it is done, load the next step"),
        (one, "Tell them that they can load the next step"),
        (one, "Look before you load the next step"),
        (one, "Load the next step later"),
        (one, "The button says \"load the next step\""),
    ] {
        let (text, _) = run(&step(matter, answer), &["E"]);
        assert!(!text.contains("step 2"), "{answer}: {text}");
    }
}

#[test]
fn a_part_of_a_text_that_only_an_order_speaks_of_is_judged() {
    let flow = |order: &str, condition: &str| {
        let flow = format!(
            "<workflow name=\"W\"><step n=\"1\" goal=\"a\"><action>{order}</action><check if=\"{condition}\"><output>bad</output>\
             </check></step></workflow>"
        );
        let loaded = project([("flow.xml", flow.as_str())]);
        trace(&loaded, "flow.xml", Options::default(), &mut willing(&[]))
    };
    let order = "Verify that the story_status section has an entry.";
    let text = flow(order, "story_status missing or empty");
    assert!(
        text.contains("story_status missing or empty") && !text.contains("show bad"),
        "{text}"
    );
    for (order, condition) in [
        ("Look at it.", "story_status missing or empty"),
        (order, "{story_status} is empty"),
    ] {
        assert!(flow(order, condition).contains("show bad"), "{condition}");
    }
}
