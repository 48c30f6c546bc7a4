//! Options of menus in step files: which of them leave, and what is written under headings, as code or as a range.

use super::choices;

/// Runs a step file that a second one follows, with answers; returns the trace and what the agent was told.
fn run(first: &str, answers: &[&str]) -> (String, String) {
    let (text, told) = choices::run(first, answers);
    (text.trim_end().to_owned(), told)
}

/// A menu whose answers stand under headings that bear their keys, and the way on behind them.
fn headed(all: &str, abort: &str) -> String {
    format!(
        "# Step 1: Decide\n\n### 1. Menu\n\n```\n[A] ALL — Delete all of it\n[X] ABORT — Do nothing\n```\n\n### 2. \
         Handle it\n\n#### {all}\n\nNote what goes.\n- Proceed to step 2\n\n#### {abort}\n\n- **END the \
         workflow**\n\n### 3. Route\n\nLoad, read completely, then execute `./step-02-b.md`.\n"
    )
}

#[test]
fn a_section_under_the_key_of_an_option_is_for_that_answer_alone() {
    for (all, abort) in [
        ("Option [A] — Delete all", "Option [X] — Abort"),
        ("[A] Delete all", "[X] Abort"),
        ("If 'A'", "If 'X'"),
    ] {
        let (text, told) = run(&headed(all, abort), &["X"]);
        assert!(
            text.ends_with("completed") && !told.contains("Route"),
            "{abort}: {text}"
        );
        assert!(
            !told.contains("Note what goes") && !told.contains("Say goodbye"),
            "{told}"
        );
        let (text, told) = run(&headed(all, abort), &["A"]);
        assert!(
            told.contains("Note what goes") && !told.contains("END"),
            "{all}: {told}"
        );
        assert!(told.contains("3. Route"), "{all}: {text}");
    }
}

#[test]
fn an_option_that_calls_it_off_leaves_where_all_that_is_done_is_to_say_so() {
    let step = |handler: &str| {
        format!(
            "# Step 1: Load\n\nRead the page.\n\n**Select an Option:**\n- **[C]** Continue\n- **[X]** Cancel\n\n- IF C: \
             Load `./step-02-b.md`\n- IF X: {handler}\n"
        )
    };
    let (text, told) = run(&step("\"Review cancelled. No report.\""), &["X"]);
    assert!(
        told.contains("Review cancelled") && !told.contains("Say goodbye"),
        "{told}"
    );
    assert!(text.ends_with("completed"), "{text}");
    for back in ["Drop the last change.", "Say \"Cancelled.\" and go back to the list."] {
        let (text, _) = run(&step(back), &["X", "C"]);
        assert!(text.contains("step 2"), "{back}: {text}");
    }
}

#[test]
fn the_menu_of_an_agent_is_not_that_of_the_workflow() {
    let step = |handler: &str| {
        format!(
            "# Step 1: Load\n\nRead the page.\n\nDisplay: \"**Select:** [C] Continue [R] Return\"\n\n- IF C: Load \
             `./step-02-b.md`\n- IF R: {handler}\n"
        )
    };
    let (text, told) = run(&step("Save it. Return to Mary's main menu."), &["R"]);
    assert!(text.ends_with("completed") && told.contains("Save it"), "{text}");
    let (text, _) = run(&step("Save it. Return to the main menu."), &["R", "C"]);
    assert!(text.contains("step 2"), "{text}");
}

#[test]
fn options_as_code_beside_others_in_a_quotation_are_offered_and_a_range_is_each_of_its_numbers() {
    let ticked = "# Step 1: A\n\nDisplay:\n\n> **Review this:**\n>\n> - `R [value]` — Rank it\n> - `K` — Keep it\n>\n> **[A] \
                  Advice** — Ask for it\n> **[C] Continue** — On\n\nHALT and wait for the answer.\n\n- IF `R [value]`: Set \
                  the rank. Redisplay the menu.\n- IF K: Mark it. Redisplay the menu.\n- IF A: Advise, then redisplay the \
                  menu.\n- IF C: Load `./step-02-b.md`\n";
    let (text, told) = run(ticked, &["R", "K", "C"]);
    assert!(text.contains("[R K A C]"), "{text}");
    assert!(told.contains("Set the rank") && told.contains("Mark it"), "{told}");
    let ranged = "# Step 1: A\n\nPresent:\n\n[1] Causes\n[2] Compare\n[3] Finish\n\nWait for user input.\n\n- IF 1-2: Look at \
                  it that way, then re-present the menu.\n- IF 3: Load `./step-02-b.md`\n";
    let (text, told) = run(ranged, &["1", "2", "3"]);
    assert_eq!(told.matches("Look at it that way").count(), 2, "{told}");
    assert!(text.contains("step 2"), "{text}");
}

#[test]
fn a_name_before_another_in_a_form_is_no_option() {
    let step = "# Step 1: A\n\nShow it like this:\n\n> **[ID]: [Description]** — Score: [score]\n\nAnd a short one:\n\n> \
                **[ID]: [Description]**\n\nLoad `./step-02-b.md`.\n";
    let (text, _) = run(step, &[]);
    assert!(!text.contains("ask") && text.contains("step 2"), "{text}");
}

#[test]
fn an_answer_that_asks_for_a_word_goes_on_with_it_alone() {
    let step = "# Step 1: Decide\n\n```\n[A] ALL — Delete all of it\n[X] ABORT — Do nothing\n```\n\n#### Option [A] — Delete \
                all\n\nSay what goes.\n\n**IF user types \"DELETE\":**\n- Note it down\n- Proceed to step 2\n\n**IF user types \
                anything else:**\n- Return to the menu\n\n#### Option [X] — Abort\n\n- **END the workflow**\n\n### 3. \
                Route\n\nLoad, read completely, then execute `./step-02-b.md`.\n";
    let (text, told) = run(step, &["A", "no", "X"]);
    assert!(!told.contains("Note it down") && !told.contains("Route"), "{text}");
    let (text, told) = run(step, &["A", "DELETE"]);
    assert!(told.contains("Note it down") && told.contains("Route"), "{text}");
}

#[test]
fn an_answer_under_a_heading_counts_although_a_later_menu_has_its_key() {
    let later = "### 3. Report\n\nWrite the report.\n\n**Select:** [C] Continue [X] Exit\n\n- IF C: Say goodbye\n- IF X: Say that it is over\n";
    let step = headed("Option [A] — Delete all", "Option [X] — Abort");
    let (step, _) = step.split_once("### 3. Route").unwrap();
    let (text, told) = run(&format!("{step}{later}"), &["X"]);
    assert!(
        text.ends_with("completed") && !told.contains("Write the report"),
        "{told}"
    );
}

#[test]
fn sections_that_are_work_are_no_answers() {
    let step = "# Step 1: Show\n\n### 1. Choose\n\nAsk which findings to show:\n\n[H] High only\n[L] Low and high\n\n\
        ### 2. Write the report\n\nWrite the report with these sections.\n\n#### [H] High\n\nList what breaks.\n\n\
        #### [L] Low\n\nList the rest.\n";
    let (_, told) = run(step, &["L"]);
    assert!(
        told.contains("List what breaks.") && told.contains("List the rest."),
        "{told}"
    );
}

#[test]
fn what_is_cancelled_may_be_one_thing_and_a_menu_may_be_of_this_workflow() {
    let step = |x: &str| {
        format!(
            "# Step 1: Edit\n\n### 1. Menu\n\n**Select an Option:** [E] Edit it [X] Cancel\n\n- IF E: Edit the file.\n\
             - IF X: {x}\n\n### 2. Report\n\nWrite the report.\n"
        )
    };
    let (_, told) = run(&step("Display \"Edit cancelled. The file stays.\""), &["X"]);
    assert!(told.contains("Write the report."), "{told}");
    let (_, told) = run(&step("Undo it. Return to the Editor's menu"), &["X", "E"]);
    assert!(told.contains("Edit the file."), "{told}");
}
