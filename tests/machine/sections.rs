//! Step files whose answers and cases lead to their own sections.

use super::{ack, project, trace, willing};
use bmad::machine::{Effect, Issued, Options, Outcome};

/// Runs a workflow with one step file of this text, beside a second one.
fn run(text: &str, say: &mut dyn FnMut(&Issued) -> Option<Outcome>) -> String {
    let loaded = project([
        (
            "workflow.md",
            "---\nname: w\ndescription: d\n---\n\n# W\n\nRead fully and follow `./steps/step-01-a.md`\n",
        ),
        ("steps/step-01-a.md", &format!("# Step 1: A\n\n{text}")),
        ("steps/step-02-b.md", "# Step 2: B\n\nTwo.\n"),
    ]);
    trace(&loaded, "workflow.md", Options::default(), say)
}

/// Judges that everything holds.
fn sure<'a>(answers: &'a [&'a str]) -> impl FnMut(&Issued) -> Option<Outcome> + 'a {
    let mut say = willing(answers);
    move |issued| match &issued.effect {
        Effect::Dispatch(task) | Effect::Judge(task) => Some(ack(task, true)),
        _ => say(issued),
    }
}

const EDITED: &str = "### 3. Load it

Read the file.

### 4. Edit

What do you want to change?

[N]ame - Change its name
[X]Exit - Save it

- IF N: Change the name, then redisplay the menu
- IF X: Proceed to step 6

### 5. By hand

Change it by hand.

### 6. Confirm

Changes: [list them]

[S]ave - Write it
[D]iscard - Leave it
[E]dit more - Back

- IF S: Write the file, then proceed to step 7
- IF D: Drop it and end
- IF E: Return to step 4

### 7. Report

Say what was written.
";

#[test]
fn an_answer_leads_to_a_section_of_its_file_and_back() {
    insta::assert_snapshot!(run(EDITED, &mut willing(&["X", "E", "N", "X", "S"])), @r"
    step 1
    step 1
    turn # Step 1: A  ### 3. Load it  Read the file.  ### 4. Edit  What do you want to change?
    ask What next? [N X]
    turn ### 6. Confirm  Changes: [list them]
    ask What next? [S D E]
    ask What next? [N X]
    turn Change the name, then redisplay the menu
    ask What next? [N X]
    turn ### 6. Confirm  Changes: [list them]
    ask What next? [S D E]
    turn Write the file
    turn ### 7. Report  Say what was written.
    completed
    ");
    insta::assert_snapshot!(run(EDITED, &mut willing(&["X", "D"])), @r"
    step 1
    step 1
    turn # Step 1: A  ### 3. Load it  Read the file.  ### 4. Edit  What do you want to change?
    ask What next? [N X]
    turn ### 6. Confirm  Changes: [list them]
    ask What next? [S D E]
    turn Drop it and end
    completed
    ");
}

#[test]
fn a_case_leads_past_the_menus_between() {
    let text = "### 1. Shortcut

If no finding is left: say so and proceed to section 3 (The end).

### 2. Fix

Show the findings.

[F] Fix [L] Leave

- IF F: Fix them
- IF L: Go on

### 3. The end

Say what was done.
";
    insta::assert_snapshot!(run(text, &mut sure(&["F"])), @r"
    step 1
    step 1
    turn # Step 1: A  ### 1. Shortcut  If no finding is left: say so and proceed to section 3 (The end). | if? no finding is left
    turn ### 3. The end  Say what was done.
    completed
    ");
    insta::assert_snapshot!(run(text, &mut willing(&["F"])), @r"
    step 1
    step 1
    turn # Step 1: A  ### 1. Shortcut  If no finding is left: say so and proceed to section 3 (The end). | if? no finding is left
    turn ### 2. Fix  Show the findings.
    ask What next? [F L]
    turn Fix them
    turn ### 3. The end  Say what was done.
    completed
    ");
}

#[test]
fn sections_may_have_letters() {
    let text = "- If it is small, proceed to Section A
- If it is large, proceed to Section B

## SECTION A: Small

Read it.

[1] Again [2] Done

- IF 1: Read it again. Redisplay the menu.
- IF 2: Save it and proceed to Section C.

## SECTION B: Large

Skim it.

## SECTION C: End

Say so.
";
    insta::assert_snapshot!(run(text, &mut willing(&["2"])), @r"
    step 1
    step 1
    turn # Step 1: A  - If it is small, proceed to Section A - If it is large, proceed to Section B | if? it is large
    turn ## SECTION A: Small  Read it.
    ask What next? [1 2]
    turn Save it
    turn ## SECTION C: End  Say so.
    completed
    ");
}

#[test]
fn what_may_be_a_step_file_or_comes_back_is_told() {
    for (order, answer) in [
        ("Proceed to step 2", "told"),
        ("Proceed to section 4", "told"),
        ("Read step 2", "told"),
        ("Proceed to section 2", "led"),
    ] {
        let text = format!(
            "### 1. Ask\n\n[A] Act [B] Be\n\n- IF A: {order}\n- IF B: Look around\n\nBetween.\n\n### 2. More\n\nMore.\n"
        );
        let happens = run(&text, &mut willing(&["A"]));
        let is_told = happens.contains("Between");
        assert_eq!(is_told, answer == "told", "{order}\n{happens}");
    }
}

#[test]
fn a_case_above_a_list_leads_past_a_menu() {
    let text = "### 1. Look

If all parts are done:

- Skip the menu
- Proceed directly to step 2b (the end)

**Otherwise:** Show the menu in step 2a

### 2a. Menu

[F] Fix [L] Leave

- IF F: Fix them
- IF L: Go on

### 2b. End

Say what was done.
";
    insta::assert_snapshot!(run(text, &mut sure(&["F"])), @r"
    step 1
    step 1
    turn # Step 1: A  ### 1. Look  If all parts are done:  - Skip the menu - Proceed directly to step 2b (the end) | if? all parts are done
    turn ### 2b. End  Say what was done.
    completed
    ");
    let plain = text.replace("If all parts are done:", "Do these:");
    assert!(!run(&plain, &mut sure(&["F"])).contains("if?"));
}

#[test]
fn a_section_is_meant_where_a_step_file_of_its_number_is_not_the_next_one() {
    for (order, title, is_led) in [
        ("Proceed to step 3", "### 3. More", true),
        ("Proceed to Step 3", "### 3. More", false),
        ("Proceed to step 2", "### 2. More", false),
        ("Proceed to step 2 (more of it)", "### 2. Even more", true),
        ("Proceed to step 2 (write)", "### 2. Even more", false),
    ] {
        let text = format!(
            "---\n---\n\n# Step 1: A\n\n### 1. Ask\n\n[A] Act [B] Be\n\n- IF A: {order}\n- IF B: Look around\n\nBetween.\n\n{title}\n\nMore.\n"
        );
        let loaded = project([
            (
                "workflow.md",
                "---\nname: w\ndescription: d\n---\n\nRead fully and follow `./steps/step-01-a.md`\n",
            ),
            ("steps/step-01-a.md", text.as_str()),
            ("steps/step-02-b.md", "# Step 2: B\n\nTwo.\n"),
            ("steps/step-03-c.md", "# Step 3: C\n\nThree.\n"),
        ]);
        let happens = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["A"]));
        assert_eq!(!happens.contains("Between"), is_led, "{order}\n{happens}");
    }
}
