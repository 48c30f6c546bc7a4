//! Menus that prose offers: where answers lead, and when they are offered.

use super::{project, trace, willing};
use bmad::machine::{Effect, Issued, Options};

/// Runs a step file that a second one follows, with answers; returns the trace and what the agent was told.
pub(super) fn run(first: &str, answers: &[&str]) -> (String, String) {
    let begin = "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let loaded = project([
        ("workflow.md", begin),
        ("steps/step-01-a.md", first),
        ("steps/step-02-b.md", "# Step 2: End\n\nSay goodbye.\n"),
    ]);
    let mut told = String::new();
    let mut rest = willing(answers);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            for order in &task.instructions {
                told.push_str(&order.text);
                told.push('\n');
            }
        }
        rest(issued)
    });
    (text, told)
}

const REFINED: &str = "# Step 1: Draft

Write a draft.

Display: \"**Select:** [A] Refine [C] Continue\"

#### IF A (Refine):

- Refine the text
- Ask user: \"Accept these changes? (y/n)\"
- If yes: Update the text, return to A/C menu
- If no: Keep the text, return to A/C menu

#### IF C (Continue):

- Save the text
- Load `./step-02-b.md`
";

#[test]
fn a_question_in_an_answer_is_put_after_it_and_leads_back_to_the_menu_around() {
    let (text, told) = run(REFINED, &["A", "y", "A", "n", "C"]);
    let asked: Vec<&str> = text
        .lines()
        .filter(|line| line.trim_start().starts_with("ask "))
        .collect();
    assert_eq!(asked.len(), 5, "{text}");
    assert!(text.contains("step 2") && text.contains("completed"), "{text}");
    let places = [
        "Refine the text",
        "Update the text",
        "Keep the text",
        "Save the text",
        "Say goodbye",
    ];
    let found: Vec<usize> = places.iter().map(|words| told.find(words).expect(words)).collect();
    assert!(found.is_sorted(), "{told}");
    // Who goes on at once is asked nothing else.
    let (text, told) = run(REFINED, &["C"]);
    assert!(
        text.contains("completed") && !told.contains("Refine the text"),
        "{text}"
    );
}

#[test]
fn an_answer_that_says_so_goes_on_below_or_leaves() {
    let step = "# Step 1: Start

Look for a draft.

Display: \"[Y] Yes, go on with it [N] No, start anew [X] Exit [L] Look\"

- IF Y: Load `./step-02-b.md`
- IF N: Rename the old draft and proceed to section 2
- IF X: Display a summary and exit
- IF L: Show it

## 2. Begin anew

Write a new draft.
";
    let (text, told) = run(step, &["N"]);
    assert!(
        text.contains("completed") && told.contains("Write a new draft"),
        "{text}"
    );
    let (text, told) = run(step, &["X"]);
    assert!(
        text.contains("completed") && told.contains("Display a summary"),
        "{text}"
    );
    assert!(
        !told.contains("Write a new draft") && !told.contains("Say goodbye"),
        "{told}"
    );
    // Where only one leaves, the others go on.
    let strategy = "# Step 1: Assess

Look at it.

**[R] Restructure** - convert it
**[X] Exit** - decide later

- IF R (Restructure): Note the mode, then load next step
- IF X (Exit): Display a summary, exit

## 5. Document it

Keep the decision.

Read fully and follow: `./step-02-b.md`
";
    let (text, told) = run(strategy, &["R"]);
    assert!(told.contains("Keep the decision") && text.contains("step 2"), "{text}");
    let (text, told) = run(strategy, &["X"]);
    assert!(
        !told.contains("Keep the decision") && text.contains("completed"),
        "{text}"
    );
    // One that says nothing comes back.
    let (text, told) = run(step, &["L", "Y"]);
    assert!(text.contains("step 2") && !told.contains("Write a new draft"), "{text}");
}

#[test]
fn a_menu_has_only_its_own_handlers() {
    let step = "# Step 1: Lesson

\"Which of these is a colour?

A) Green
B) Red
C) Blue

Your answer (A, B, or C):\"

Write the notes.

Display: \"**Select an Option:** [A] Elaborate [C] Continue\"

- IF A: Elaborate, then redisplay the menu
- IF C: Load `./step-02-b.md`
";
    let (text, told) = run(step, &["C", "A", "C"]);
    assert!(told.contains("Write the notes") && text.contains("step 2"), "{text}");
}

#[test]
fn menus_that_offer_the_same_have_the_same_handlers() {
    let step = "# Step 1: Fix

Look at it, then ask the user:

> **How would you like to handle it?**
> 1. **Apply every patch** — all of them
> 2. **Leave them** — as they are
> 3. **Walk through each** — one by one

**HALT** — I am waiting for your numbered choice.

Look at it once more, then ask the user:

> **How would you like to handle the rest?**
> 1. **Apply every patch** — all of them
> 2. **Walk through each** — one by one

**HALT** — I am waiting for your numbered choice.

- **Apply every patch**: Mend it all.
- **Walk through each**: Show one by one.

Then load `./step-02-b.md`
";
    let (text, told) = run(step, &["1", "1"]);
    assert!(text.contains("completed"), "{text}");
    assert_eq!(told.matches("Mend it all").count(), 2, "{told}");
}

#[test]
fn a_menu_below_a_condition_is_offered_where_it_holds() {
    let step = "# Step 1: Start

Look for an old draft.

**If an old draft is found:**

\"I found an old draft.

**Options:**

1. **Continue** - go on with it
2. **Start Fresh** - begin a new one

Which would you like to do?\"

**Handle selection:**

- If **Continue**: Read the draft
- If **Start Fresh**: Delete the draft

Load `./step-02-b.md`
";
    // An agent that finds none judges so.
    let (text, told) = run(step, &[]);
    assert!(text.contains("completed") && !text.contains("ask "), "{text}");
    assert!(
        !told.contains("Delete the draft") && !told.contains("Which would you"),
        "{told}"
    );
}

#[test]
fn keys_that_are_only_dealt_with_are_offered() {
    let step = "# Step 1: Hub

Display: \"**[1-2]** Start a session **[X]** Leave it\"

- IF 1: Load `./step-02-b.md`
- IF 2: Load `./step-02-b.md`
- IF X: END workflow
- IF Any other: say so, then redisplay the menu
";
    let (text, _) = run(step, &["2"]);
    assert!(text.contains("step 2") && text.contains("completed"), "{text}");
}

#[test]
fn what_is_to_be_filled_in_behind_the_menu_is_told_before_it() {
    let step = "# Step 1: Draft

Write the text by the structure below.

Display: \"**Select:** [A] Again [C] Continue\"

- IF A: Write it again, then redisplay the menu
- IF C: Load `./step-02-b.md`

## APPEND TO DOCUMENT

```markdown
## Vision

{vision_content}
```

## SUCCESS METRICS

- The text is short.
";
    let (_, told) = run(step, &["C"]);
    assert!(
        told.contains("{vision_content}") && !told.contains("SUCCESS METRICS"),
        "{told}"
    );
    // Who goes on behind the menu is told it there, and once.
    let onward = step.replace("then redisplay the menu", "then proceed to section 2");
    let (_, told) = run(&onward, &["A"]);
    assert_eq!(told.matches("{vision_content}").count(), 1, "{told}");
}

#[test]
fn one_key_in_a_sentence_that_asks_takes_any_other_answer() {
    let free = "# Step 1: Folder\n\nAsk user for the folder (`[y]` to use the default, else enter a new path).\n\nLoad \
        `./step-02-b.md`\n";
    let (text, _) = run(free, &["docs"]);
    let asked = "ask Ask user for the folder (`[y]` to use the default, else enter a new path). []\n";
    assert!(text.contains(asked), "{text}");
    assert!(text.ends_with("completed"), "{text}");
    let handled = "# Step 1: Draft\n\nAsk which draft to take (or `[N]` for a new one).\n\n- IF N: Begin.\n\nLoad \
        `./step-02-b.md`\n";
    for (answer, begins) in [("the second", false), ("N", true)] {
        let (text, told) = run(handled, &[answer]);
        assert!(
            text.contains("ask Ask which draft to take (or [N] for a new one). [N]\n"),
            "{text}"
        );
        assert_eq!(told.contains("Begin."), begins, "{told}");
        assert!(text.ends_with("completed"), "{text}");
    }
}

#[test]
fn a_stop_for_a_case_in_an_answer_says_nothing_of_where_the_menu_leads() {
    let step = "# Step 1: Plan\n\nDraft the plan.\n\n### CHECKPOINT\n\nHALT and ask human: `[A] Approve` | `[E] Edit`\n\n\
        - **A**: Re-read the plan.\n  - **If the file is missing:** HALT. Tell the user and STOP — write \
        nothing.\n  - **If the file exists:** Set its status. → Step 2.\n- **E**: Apply changes, then return to CHECKPOINT.\n\n## NEXT\n\nRead fully and follow \
        `./step-02-b.md`\n";
    let (text, told) = run(step, &["E", "A"]);
    assert!(!told.contains("Read fully and follow"), "{told}");
    assert!(!text.contains("comes next") && !text.contains("judge"), "{text}");
    assert_eq!(text.matches("\nask ").count(), 2, "{text}");
    assert!(text.contains("step 2") && text.ends_with("completed"), "{text}");
}

#[test]
fn an_answer_is_dealt_with_behind_on_and_its_key() {
    let step = "# Step 1: Plan\n\n1. Draft the plan.\n2. If the plan is long:\n   - HALT and ask human: `[S] Split it` | \
        `[K] Keep it`\n   - On **S**: Cut it in two.\n   - On **K**: Leave it whole.\n3. Save it.\n\n## NEXT\n\nRead fully \
        and follow `./step-02-b.md`\n";
    // Nobody says that the plan is long, so that nothing is asked and no answer is dealt with.
    let (text, told) = run(step, &[]);
    assert!(!told.contains("Cut it") && !told.contains("Leave it"), "{told}");
    assert!(told.contains("Save it.") && text.ends_with("completed"), "{text}");
    let (_, told) = run(&step.replace("If the plan is long:", "Look at it:"), &["K"]);
    assert!(!told.contains("Cut it") && told.contains("Leave it whole."), "{told}");
}

#[test]
fn an_option_that_nothing_deals_with_leads_where_its_own_words_say() {
    let step = "# Step 1: Plan\n\nDraft the plan.\n\nHALT and give the user a choice:\n\n- **Approve and continue** — approve \
        the plan and go on.\n- **Approve and stop** — approve the plan, leave it ready, and stop so that another session can \
        go on.\n- **Review** — look through it with the user until it is good, then either stop or continue.\n\nBefore acting \
        on approval, read the plan again.\n\n## NEXT\n\nRead fully and follow `./step-02-b.md`\n";
    let (text, told) = run(step, &["Approve and stop"]);
    assert!(text.ends_with("completed") && !told.contains("Say goodbye"), "{text}");
    let places = ["read the plan again", "leave it ready"].map(|words| told.find(words).expect(words));
    assert!(places.is_sorted(), "{told}");
    let (text, told) = run(step, &["Review", "Approve and continue"]);
    assert!(
        told.contains("look through it") && told.contains("Say goodbye"),
        "{told}"
    );
    assert_eq!(text.matches("\nask ").count(), 2, "{text}");
}

#[test]
fn an_answer_that_returns_to_a_step_goes_back_and_the_others_go_on() {
    let begin = "---\nname: w\ndescription: d\n---\n\nRead fully and follow: `./steps/step-01-a.md`\n";
    let second = "# Step 2: Choose\n\nPropose a plan.\n\n**Options:**\n[C] Continue - Take it\n[Details] - Tell me more\n[Back] \
        - Return to the selection\n\n**HALT — wait for user selection before proceeding.**\n\n#### If [C] Continue:\n\n- Note \
        it\n\n#### If [Details]:\n\n- Say more\n- Re-confirm the plan\n\n#### If [Back]:\n\n- Return to plan selection in \
        step-01-a.md\n\n### Save\n\nLoad `./step-03-c.md`\n";
    let loaded = project([
        ("workflow.md", begin),
        (
            "steps/step-01-a.md",
            "# Step 1: Begin\n\nList the plans.\n\nLoad `./step-02-b.md`\n",
        ),
        ("steps/step-02-b.md", second),
        ("steps/step-03-c.md", "# Step 3: End\n\nSay goodbye.\n"),
    ]);
    let mut told = Vec::new();
    let mut rest = willing(&["Details", "Back", "C"]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut |issued: &Issued| {
        if let Effect::Dispatch(task) = &issued.effect {
            told.extend(task.instructions.iter().map(|order| order.text.clone()));
        }
        rest(issued)
    });
    let count = |words: &str| told.iter().filter(|order| order.contains(words)).count();
    let counts = ["List the plans", "Say more", "Note it", "Say goodbye", "HALT"].map(count);
    assert_eq!(counts, [2, 1, 1, 1, 0], "{told:#?}");
    assert!(text.ends_with("completed"), "{text}");
}

#[test]
fn an_option_that_skips_the_step_leads_past_the_rest_of_it() {
    let menu = "Would you like to:\n- [K] Skip this step and go on\n- [D] Do it anyway\n\nHALT.\n";
    let step = format!("# Step 1: Look\n\n{menu}\n## Dig\n\nDig deep.\n\nRead fully and follow: `./step-02-b.md`\n");
    let (text, told) = run(&step, &["K"]);
    assert!(text.contains("step 2") && text.contains("completed"), "{text}");
    assert!(!told.contains("Dig deep") && told.contains("Say goodbye"), "{told}");
    let (text, told) = run(&step, &["D"]);
    assert!(text.contains("completed") && told.contains("Dig deep"), "{text}{told}");
}

#[test]
fn a_section_that_is_skipped_leads_to_the_next_one() {
    let menu = "Would you like to:\n- [K] Skip this step\n- [D] Do it anyway\n\nHALT.\n";
    let page = format!(
        "---\nname: w\ndescription: d\n---\n\n## Step 1: Dig\n\n{menu}\nDig deep.\n\n## Step 2: End\n\nSay goodbye.\n"
    );
    let loaded = project([("workflow.md", page.as_str())]);
    let text = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["K"]));
    assert!(text.contains("Say goodbye") && !text.contains("Dig deep"), "{text}");
}
