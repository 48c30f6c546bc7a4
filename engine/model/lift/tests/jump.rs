//! Jumps to steps and back to the caller.

use super::{conditions, nothing_in, read, said, words};
use crate::model::lift::{LiftKind, Verb, lifts_to};
use crate::source::{SourceId, Span};

#[test]
fn a_jump_names_its_step() {
    let jumps = [
        ("GOTO step 2a", "2a"),
        ("Go to step 3", "3"),
        ("Go to Step 2B (global)", "2B"),
        ("Skip to step 1-B", "1-B"),
        ("Continue to step 3.8.5", "3.8.5"),
        ("Go back to Step 7.", "7"),
        ("Jump to Step 20", "20"),
        ("Continue to Step 0.5", "0.5"),
        ("continue with Step 4", "4"),
        ("Return to Step 11 menu", "11"),
        ("Loop back to the beginning of Step 11", "11"),
        ("Skip to Step 8", "8"),
        ("Skip directly to step -1", "-1"),
        ("Proceed to Step 12 completion", "12"),
        ("Once the child is through, continue to Step 4", "4"),
        ("Move on to step 6", "6"),
        ("Back to step 1 with everybody", "1"),
        ("GOTO step FINAL", "FINAL"),
        ("The run will then continue to step 9", "9"),
    ];
    for (text, label) in jumps {
        assert_eq!(said(text), [format!("goto {label}")], "{text}");
    }
}

#[test]
fn a_stage_is_a_step_where_headings_number_it() {
    let text = "If it is long, proceed to Stage 4. Otherwise, route to stage 2, never go to phase 3. Skip to stage 9.";
    let place = Span::new(SourceId(2), 0, text.len());
    let to = |noun: &str, label: &str| noun == "phase" || label != "9" && noun.eq_ignore_ascii_case("stage");
    let found = lifts_to(text, place, to);
    let labels = found.iter().filter_map(|lift| match &lift.kind {
        LiftKind::Goto { label, .. } => Some(label.as_str()),
        _ => None,
    });
    assert_eq!(labels.collect::<Vec<_>>(), ["4", "2"]);
    nothing_in(&[text]);
    assert_eq!(said("Route to step 3"), ["goto 3"]);
    nothing_in(&["The route to step 3 is short"]);
}

#[test]
fn otherwise_done_ends_what_a_jump_in_a_case_leaves() {
    let text = "If it is long, go to step 4. Otherwise, done.";
    assert_eq!(said(text), ["goto 4", "exit"]);
    assert_eq!(conditions(text), [Some("it is long"), Some("Otherwise")]);
    assert_eq!(
        said("When asked to, route to `b.md`. Else done."),
        ["follow b.md", "exit"]
    );
    nothing_in(&["If it is long, shorten it. Otherwise, done.", "Otherwise, done."]);
    for rest in [
        "Otherwise, workflow complete.",
        "otherwise the workflow is done.",
        "Else, the workflow is completed.",
    ] {
        assert_eq!(said(&format!("If it is long, go to step 4. {rest}")).len(), 2, "{rest}");
    }
    assert_eq!(said("If so, go to step 4. Otherwise, complete."), ["goto 4"]);
    assert_eq!(
        said("If so, go to step 4. Otherwise, the page is complete."),
        ["goto 4"]
    );
    assert_eq!(said("Go to step 4. Otherwise, done."), ["goto 4"]);
    assert_eq!(said("If so, go to step 4. Otherwise, done with it."), ["goto 4"]);
    assert_eq!(said("If so, go to step 4.\n\nOtherwise, done."), ["goto 4"]);
}

#[test]
fn a_step_of_another_file_is_no_target() {
    for text in [
        "Go to step 3 of the onboarding workflow",
        "Continue with step 2 in `plan.md`",
        "Return to step 4 of create-plan task",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "Go to step 3 of this workflow",
        "Go to step 3 of the workflow",
        "Go to step 3 in order to finish",
        "Go to step 3 from here",
    ] {
        assert_eq!(said(text), ["goto 3"], "{text}");
    }
}

#[test]
fn the_words_of_a_jump_are_exact() {
    assert_eq!(
        words("First this; then **jump to Step 3** (fast path)."),
        ["jump to Step 3"]
    );
    assert_eq!(words("Naïve – geh zu: go to step 2a."), ["go to step 2a"]);
}

#[test]
fn a_jump_keeps_its_verb() {
    let verbs = [
        ("goto step 1", Verb::Jump),
        ("continue to step 1", Verb::Continue),
        ("return to step 1", Verb::Return),
        ("loop back to step 1", Verb::Loop),
        ("skip to step 1", Verb::Skip),
        ("proceed to step 1", Verb::Proceed),
    ];
    for (text, expected) in verbs {
        let lifts = read(text);
        assert!(
            matches!(&lifts[0].kind, LiftKind::Goto { verb, .. } if *verb == expected),
            "{text}"
        );
    }
}

#[test]
fn a_step_that_is_only_mentioned_is_no_jump() {
    nothing_in(&[
        "Same as Step 2",
        "Only Step 6 decides whether this is complete",
        "Repeat step 2 for every part",
        "Steps 1-3 are quick",
        "Proceed with the interview from step 1",
        "Continue to the next step",
        "Continue to Success Criteria (Step 3 of 13)",
        "proceed to Step 3 of 5",
        "Skip step 5",
        "Go to step-02",
        "Continue from step {{current_step}}",
        "Continue to step {n}",
        "Go to step FINAL",
        "Proceed to step-07 when you are told to",
        "Before proceeding to Step 5, read everything",
    ]);
}

#[test]
fn a_jump_that_is_denied_asked_or_wished_is_none() {
    nothing_in(&[
        "Do NOT proceed to Step 4",
        "never skip to step 5",
        "You must not go to step 3 yet",
        "Do not guess or jump to step 9",
        "Ready to proceed to step 3?",
        "Ready to proceed to step 2",
        "Shall we continue to step 4?",
        "The person may want to return to step 1",
        "[C] Continue to Step 3",
        "Explain how to go to step 3.",
        "Mention that they can return to step 3 later.",
        "Go to step 4 of the installation guide and copy the command.",
    ]);
    assert_eq!(said("Ask whether to go to step 3."), ["ask"]);
}

#[test]
fn a_denial_in_another_clause_changes_nothing() {
    assert_eq!(said("If it does not compile, go to step 3"), ["goto 3"]);
    assert_eq!(said("This is not done, so: return to step 2"), ["goto 2"]);
}

#[test]
fn a_jump_inside_quotes_or_code_is_shown_not_done() {
    nothing_in(&[
        "Say \"now go to step 3\" and smile",
        "Use the words `go to step 3` there",
        "Print: \"Done.\n\n[C] Continue to Step 2\"",
    ]);
}

#[test]
fn a_text_that_is_one_quote_is_read() {
    assert_eq!(said(" \"Go to step 3\" "), ["goto 3"]);
    assert_eq!(words("\"Go to step 3\""), ["Go to step 3"]);
}

#[test]
fn the_condition_of_a_jump_is_kept() {
    assert_eq!(conditions("If all is clear, skip to step 5"), [Some("all is clear")]);
    assert_eq!(conditions("Skip to step 5 when all is clear."), [Some("all is clear")]);
    assert_eq!(conditions("Skip to step 5 unless asked"), [Some("unless asked")]);
    assert_eq!(
        conditions("If x, go to step 2; otherwise go to step 3"),
        [Some("x"), Some("otherwise")]
    );
    assert_eq!(conditions("- IF C: save it. Then go to step 4"), [Some("C")]);
    assert_eq!(conditions("one match → go to step 2"), [Some("one match")]);
    assert_eq!(conditions("Ask if it fits, then go to step 2"), [None, None]);
    assert_eq!(
        conditions("When a thing (such as this, or that) is there, go to step 2"),
        [Some("a thing (such as this, or that) is there")]
    );
}

#[test]
fn a_workflow_returns_to_its_caller() {
    for text in [
        "Return to caller",
        "Return",
        "return to the calling workflow",
        "Then return control to the caller.",
    ] {
        assert_eq!(said(text), ["return"], "{text}");
    }
    nothing_in(&[
        "Return here later",
        "Return to the approach",
        "Return the value",
        "It returns to caller",
    ]);
}
