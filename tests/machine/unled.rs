//! Workflows whose text leads to step files, or does not.

use super::{project, returned, trace, willing};
use bmad::machine::{Image, Machine, Options};

/// Runs a `workflow.md` with two step files and an agent that judges that nothing holds; returns what happens and what is
/// left open.
fn run(words: &str) -> (String, Vec<String>) {
    let text = format!("---\nname: w\ndescription: d\nfirstStep: './steps/step-01-a.md'\n---\n\n# W\n\n{words}\n");
    let loaded = project([
        ("workflow.md", text.as_str()),
        ("notes.md", "Note it.\n"),
        ("steps/step-01-a.md", "# Step 1: A\n\nOne.\n"),
        ("steps/step-02-b.md", "# Step 2: B\n\nTwo.\n"),
    ]);
    let happens = trace(&loaded, "workflow.md", Options::default(), &mut willing(&["X"; 5]));
    let home = |at: &usize| loaded.library.source(loaded.workflows[*at].home).path().as_str() == "workflow.md";
    let at = (0..loaded.workflows.len()).find(home).unwrap();
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let mut machine = Machine::new(&image, at, Options::default());
    let mut say = willing(&["X"; 5]);
    let mut issued = machine.advance(Vec::new());
    while let Some(next) = (!issued.is_empty()).then(|| issued.remove(0)) {
        let outcome = say(&next).unwrap();
        issued.extend(machine.advance(vec![returned(&next, outcome)]));
    }
    (happens, machine.tally().gaps.clone())
}

#[test]
fn a_workflow_that_no_judgement_leads_into_leaves_a_gap() {
    let (happens, gaps) = run("Look around.\n\nIf there is a plan, read fully and follow `./steps/step-01-a.md`.");
    insta::assert_snapshot!(happens, @r"
    step 1
    turn # W  Look around.  If there is a plan, read fully and follow `./steps/step-01-a.md`. | if? there is a plan
    completed
    ");
    insta::assert_snapshot!(gaps.join("\n"), @"w: none of its step files was begun, because nothing that leads to one was judged to hold (workflow.md:11)");
    let (_, gaps) = run("Carga el archivo y luego ejecuta `./steps/step-01-a.md`.");
    assert_eq!(gaps.len(), 1);
}

#[test]
fn a_workflow_that_ends_by_its_own_words_leaves_no_gap() {
    for words in [
        "Read fully and follow `./steps/step-01-a.md`.",
        "If there is a plan, read fully and follow `./steps/step-01-a.md`.\n\nSay what is missing.\n\nEnd the workflow.",
        "If there is a plan, read fully and follow `./steps/step-01-a.md`.\n\nSay what is missing.\n\nHALT",
        "If there is a plan, read fully and follow `./steps/step-01-a.md`. Otherwise read fully and follow `./steps/step-02-b.md`.",
        "If there is a plan, read fully and follow `./steps/step-01-a.md`.\n\nIf there is a note, read fully and follow `./notes.md`.",
        "**Select:** [A] Begin [X] Leave\n\n- IF A: Read fully and follow `./steps/step-01-a.md`\n- IF X: End the workflow",
    ] {
        let (happens, gaps) = run(words);
        assert!(gaps.is_empty(), "{words}\n{gaps:?}\n{happens}");
    }
}

#[test]
fn words_that_only_say_that_the_workflow_runs_decide_nothing() {
    let (happens, gaps) = run("When user activates this workflow, load `./steps/step-01-a.md`");
    insta::assert_snapshot!(happens, @r"
    step 1
    step 1
    turn # Step 1: A  One.
    completed
    ");
    assert!(gaps.is_empty(), "{gaps:?}");
    for words in [
        "When user activates this workflow again, load `./steps/step-01-a.md`",
        "When user activates this workflow, load `./steps/step-01-a.md`. If there is a plan, load `./steps/step-02-b.md`.",
    ] {
        let (happens, _) = run(words);
        assert!(happens.contains("if? user activates this workflow"), "{happens}");
    }
}

#[test]
fn a_table_of_step_files_beside_an_order_leads_nowhere() {
    let table = "| Step | File | Name |\n|---|---|---|\n| 1 | `step-01-a.md` | A |\n| 2 | `step-02-b.md` | B |\n";
    let (happens, _) = run(&format!(
        "To execute this workflow, load and execute the first step file:\n→ Load `{{firstStep}}` (`./steps/step-01-a.md`), read it completely, then follow its instructions.\n\n## Step files\n\n{table}"
    ));
    insta::assert_snapshot!(happens, @r"
    step 1
    turn # W  To execute this workflow, load and execute the first step file: → Load `./steps/step-01-a.md` (`./steps/step-01-a.md`), read it completely, then follow its instructions.  ## Step files  | Step | File | Name | |---|---|---| | 1 | `step-01-a.md` | A | | 2 | `step-02-b.md` | B |
    step 1
    turn # Step 1: A  One.
    completed
    ");
    let (happens, _) = run(&format!(
        "Find out what it is, and follow the file of its row:\n\n{table}"
    ));
    assert_eq!(happens.matches("if?").count(), 2, "{happens}");
}
