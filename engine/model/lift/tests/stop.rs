//! Halts, exits, questions and waits.

use super::{conditions, nothing_in, said, words};
use crate::model::lift::LiftKind;

#[test]
fn a_halt_has_its_reason() {
    let halts = [
        ("HALT", "halt"),
        ("HALT: \"No story. Make one.\"", "halt No story. Make one."),
        ("HALT - nothing to do", "halt nothing to do"),
        ("HALT with message: \"wrong status\"", "halt wrong status"),
        ("HALT with status `blocked`", "halt with status `blocked`"),
        ("If it fails, HALT and tell the user why", "halt"),
        ("STOP", "halt"),
        ("If the checkout fails, STOP and report the error.", "halt"),
        ("**STOP** (mend it first)", "halt mend it first"),
        ("If it is done, display: \"All is done.\" Then halt.", "halt"),
    ];
    for (text, expected) in halts {
        assert_eq!(said(text), [expected], "{text}");
    }
}

#[test]
fn a_halt_that_a_person_may_choose_depends_on_what_they_say() {
    for text in [
        "ASK user to clarify or HALT",
        "Confirm it with the operator, or HALT",
        "Ask {user_name} for the key or HALT",
    ] {
        let halts = || {
            conditions(text)
                .into_iter()
                .zip(said(text))
                .rfind(|(_, said)| said == "halt")
        };
        assert_eq!(halts(), Some((Some("HALT"), "halt".to_owned())), "{text}");
    }
}

#[test]
fn a_halt_beside_what_asks_no_person_is_one() {
    for (text, condition) in [
        ("Mend it or HALT", None),
        ("Offer another way or HALT", None),
        (
            "If the config is not present, create it or HALT",
            Some("the config is not present"),
        ),
        ("If it is gone, request one from the vault or HALT", Some("it is gone")),
    ] {
        assert_eq!(said(text), ["halt"], "{text}");
        assert_eq!(conditions(text), [condition], "{text}");
    }
    let text = "If it is unclear, ask the user or HALT";
    assert_eq!(conditions(text), [Some("it is unclear"), Some("it is unclear")]);
}

#[test]
fn a_halt_that_is_spoken_of_is_none() {
    nothing_in(&[
        "Go on UNLESS a HALT condition is met",
        "## HALT CONDITIONS",
        "Only HALT conditions count",
        "HALT immediately when halt-conditions are met",
        "Do not HALT for this",
        "never HALT here",
        "To HALT with a status, write it down",
        "halt the engine",
        "Only halt for blockers",
        "STOP and fix it before you continue",
        "The STOP sign",
        "STOP BEFORE: the last one",
        "the word `HALT` or \"HALT\"",
        "Write HALT into the log.",
        "If it is over, say HALT.",
        "- **Light** = most of them: one round → checkpoint → STOP.",
    ]);
}

#[test]
fn a_stop_to_report_in_small_letters_is_one_right_behind_its_condition() {
    for (text, condition) in [
        ("If the script fails, stop and surface the error.", "the script fails"),
        ("If there is none, then stop and report it.", "there is none"),
        ("**If none is found:** stop and tell the user.", "none is found"),
        (
            "See what they say: if they decline, stop and report — do not begin.",
            "they decline",
        ),
        ("Otherwise, stop and report the error.", "Otherwise"),
        ("If it is empty, stop and report the name and the path.", "it is empty"),
        ("If it breaks, halt and inform the user, with the log.", "it breaks"),
    ] {
        assert_eq!(said(text), ["halt"], "{text}");
        assert_eq!(conditions(text), [Some(condition)], "{text}");
    }
    nothing_in(&[
        "Stop and report the error.",
        "Look at it. If it is empty, say so. Stop and report.",
        "Halt and inform the user.",
        "Stop and tell the user when it breaks.",
        "Stop and tell the user, unless it is late.",
        "If it breaks, stop and report it, then go on.",
        "If it breaks, stop and report it and mend it.",
        "If it breaks, stop and report it; mend it.",
        "If it is long, stop and report after each part.",
        "If terms are new, stop and explain every one.",
        "If they talk, stop and surface what they say as they do.",
        "If it breaks, stop and report it rather than trying again.",
        "In headless mode, stop and report.",
        "A run may stop and report.",
        "Do not stop and report.",
        "Never guess: stop and report.",
        "If it is odd, stop and think.",
        "If it is odd, stop and display the menu.",
        "> If it is odd, stop and report the error to the caller.",
        "If it is odd, shall I stop and report?",
        "The tests stop and report what failed.",
    ]);
}

#[test]
fn the_condition_of_a_halt_is_not_its_reason() {
    let text = "HALT if the list is empty";
    assert_eq!(said(text), ["halt"]);
    assert_eq!(words(text), ["HALT"]);
    assert_eq!(conditions(text), [Some("the list is empty")]);
    assert_eq!(conditions("**If none is found:** HALT"), [Some("none is found")]);
}

#[test]
fn a_halt_for_a_person_is_a_wait() {
    assert_eq!(said("HALT and wait for user selection."), ["wait"]);
    assert_eq!(said("**HALT — wait for user response before proceeding.**"), ["wait"]);
    assert_eq!(said("HALT and ask the human: which one?"), ["wait", "ask"]);
    assert_eq!(said("HALT. Ask the user: which one?"), ["wait", "ask"]);
    assert_eq!(said("CRITICAL HALT. AWAIT user input."), ["wait"]);
    assert_eq!(said("HALT and give the user a choice:"), ["wait"]);
    assert_eq!(said("HALT — do not proceed until the user chooses."), ["wait"]);
    assert_eq!(said("HALT - do not continue unless the user asks."), ["wait"]);
    assert_eq!(said("HALT: Ask user which story"), ["wait", "ask"]);
    assert_eq!(
        said("HALT — ask {user_name} for the key, then continue"),
        ["wait", "ask"]
    );
    assert_eq!(conditions("HALT: ask the user which story"), [None, None]);
    assert_eq!(
        said("HALT: \"Ask the user for a key.\""),
        ["halt Ask the user for a key."]
    );
    assert_eq!(
        said("HALT: request a key from the vault"),
        ["halt request a key from the vault"]
    );
    assert_eq!(said("HALT for the human's answers"), ["wait"]);
    assert_eq!(said("ALWAYS halt and wait for user input"), ["wait"]);
    assert_eq!(said("STOP and WAIT for user input"), ["wait"]);
}

#[test]
fn a_workflow_is_left() {
    for text in [
        "Exit workflow",
        "exit the workflow - nothing to do",
        "- IF D: End workflow",
        "Stop execution",
        "Show it, then end the workflow gracefully",
        "**EXIT Quick Run.**",
    ] {
        assert_eq!(said(text), ["exit"], "{text}");
    }
}

#[test]
fn an_exit_that_is_offered_is_none() {
    nothing_in(&[
        "4. Exit workflow",
        "[D] Done - exit workflow",
        "> 3. **Done** — end the workflow",
        "Do not exit the workflow",
        "Shall we exit the workflow?",
        "## EXIT CONDITIONS",
        "EXIT LOOP",
        "EXIT code 1",
    ]);
}

#[test]
fn a_question_is_asked() {
    for text in [
        "Ask the user which one they want",
        "If unsure, ask the human.",
        "Ask: \"Which one?\"",
        "Ask for the title of the game",
        "Ask {user_name} about it",
        "prompt the user for a path",
        "List them and ask user",
    ] {
        assert_eq!(said(text), ["ask"], "{text}");
    }
    assert_eq!(words("Ask the user: which? Then go on."), ["Ask the user: which"]);
}

#[test]
fn a_question_may_depend_on_what_is_said_behind_it() {
    for (text, condition) in [
        (
            "Ask the user which to take when there are two, and never guess.",
            Some("there are two"),
        ),
        ("Ask the user for the path if it is not given", Some("it is not given")),
        (
            "Ask the user which one unless one is named",
            Some("unless one is named"),
        ),
        ("Ask the user if they agree", None),
        ("Ask the user whether to stop when it fails", None),
        ("Ask the user when it is due", None),
        ("Ask the user what should happen when a payment fails", None),
        ("Ask the user how the app should behave if it is offline", None),
        ("Ask the user: what if it fails?", None),
        ("Ask for a name if there is none", Some("there is none")),
        ("Ask if there is a name", None),
        ("Ask what they want, unless it is clear", Some("unless it is clear")),
    ] {
        assert_eq!(conditions(text), [condition], "{text}");
    }
}

#[test]
fn a_question_of_somebody_else_is_none() {
    nothing_in(&[
        "An agent asks the user a question",
        "Do not ask the user",
        "without asking the user",
        "Ask yourself what matters",
        "Ask the reviewer",
        "when the user asks for more",
        "never guess or ask the user",
    ]);
}

#[test]
fn a_person_is_waited_for() {
    for text in [
        "Wait for user input",
        "wait for the user's answer",
        "AWAIT ANSWER",
        "I am waiting for your numbered choice",
        "WAIT for {user_name} to respond",
        "Wait until the user confirms",
    ] {
        assert_eq!(said(text), ["wait"], "{text}");
    }
    nothing_in(&[
        "Do not wait for user input",
        "Wait for the build",
        "wait for them",
        "without waiting for input",
        "no waiting",
    ]);
}

#[test]
fn a_stop_behind_a_sentence_with_a_condition_depends_on_it() {
    let gaps = "If gaps exist, do not guess. HALT with status `blocked`, and list them.";
    assert_eq!(conditions(gaps), [Some("gaps exist")]);
    let stops = [
        (
            "5. When it is empty, tell the user. STOP and report it.",
            Some("it is empty"),
        ),
        (
            "- **Verify.** Look at it. If it fails, say why. HALT.",
            Some("it fails"),
        ),
        (
            "If there is none, look further. Say so. HALT and ask the user.",
            Some("there is none"),
        ),
        (
            "Look. If there is none, write it. It is short. Then HALT. Ask the user for one.",
            Some("there is none"),
        ),
        (
            "If it is long, show how long. HALT if it is too long.",
            Some("it is too long"),
        ),
        ("If it is long, show how long.\n\nHALT.", None),
        ("If it is long, show how long.\n- HALT.", None),
        ("Look at it. If it is long, cut it. Save it. HALT.", None),
        ("If you like tea, drink it. Ask the user for a cup.", None),
    ];
    for (text, expected) in stops {
        let found = conditions(text);
        assert_eq!(found.last(), Some(&expected), "{text}: {found:?}");
    }
}

#[test]
fn what_is_asked_again_and_again_or_instead_depends_on_itself() {
    for (text, words) in [
        ("For each cup, ask the user for a colour.", "ask the user for a colour"),
        (
            "Take the largest one (or ask the user to choose)",
            "ask the user to choose)",
        ),
    ] {
        assert_eq!(conditions(text), [Some(words)], "{text}");
    }
    assert_eq!(conditions("For the cup, ask the user for a colour."), [None]);
}

#[test]
fn the_list_below_a_stop_names_its_cases() {
    let list = "- it failed three times\n- the fix is not obvious";
    for head in [
        "**HALT if:**",
        "HALT and request guidance if:",
        "**HALT and ask the user if:**",
    ] {
        let text = format!("{head}\n\n{list}\n\nGo on.");
        let found = conditions(&text);
        assert!(
            !found.is_empty() && found.iter().all(|cases| *cases == Some(list)),
            "{text}: {found:?}"
        );
    }
    let any = "HALT if any of these holds:\n- it is late\n- it is dark\n";
    assert_eq!(
        conditions(any),
        [Some("any of these holds:\n- it is late\n- it is dark")]
    );
    nothing_in(&["**HALT if:**", "HALT when:\n\nIt is late."]);
}

#[test]
fn a_stop_whose_status_says_so_ends_well() {
    for (reason, well) in [
        ("with status `done`", true),
        ("with a final status of done", false),
        ("with status: ready-for-dev", true),
        (
            "with status `blocked` and blocking condition `done spec supplied`",
            false,
        ),
        ("with the final status `Completed`, and say so", true),
        ("with status `completed with failures`", false),
        ("with status done not reached", false),
        ("No story with status ready-for-dev was found", false),
        ("The work is done", false),
        ("", false),
    ] {
        let reason = reason.to_owned();
        assert_eq!(LiftKind::Halt { reason }.ends_well(), well);
    }
}
