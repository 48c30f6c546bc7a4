//! Questions that a label puts under a case.

use super::{conditions, said};

#[test]
fn a_question_behind_a_label_depends_on_the_case_that_it_names() {
    for (text, case) in [
        ("Interactive: ask the user to paste it. Headless: go on.", "Interactive"),
        ("Empty list: show it, ask whether there are others.", "Empty list"),
        (
            "- **Going in circles**: sum up and ask the user what to look at next.",
            "Going in circles",
        ),
        (
            "- **There with `at: 'noon'`:** it was left. Show it, then ask: which?",
            "There with `at: 'noon'`",
        ),
        (
            "On a collision with a file, ask whether to rename it.",
            "a collision with a file",
        ),
        ("- Otherwise, ask the user for one.", "Otherwise"),
        (
            "Send it. If nobody is there, write it down and HALT. Ask the user to read it.",
            "nobody is there",
        ),
        (
            "- Drafts (`a`, `b`) in `{out}`? → List them and HALT. Ask the user which to take (or `[N]` for none).",
            "Drafts (`a`, `b`) in `{out}`",
        ),
    ] {
        assert_eq!(conditions(text).last(), Some(&Some(case)), "{text}");
    }
}

#[test]
fn a_label_that_names_numbers_or_stresses_makes_no_case() {
    for text in [
        "**Step two:** ask the user for a cup.",
        "PRIORITY 2: Ask the user directly",
        "First: ask the user for a cup. Then: ask the user for tea.",
        "**CRITICAL:** Do it well. Ask the user for a cup.",
        "**Mandatory, both ways, before work:** ask whether there is tea.",
        "User: ask for a cup",
        "1. **Ask about tea:** Ask the user whether there is some.",
        "2. **Tea** - pour it. Ask the user for a cup.",
        "3. **Tea:** ask the user for a cup.",
        "On activation, ask the user for a cup.",
        "Things to know: tea, cups. Ask for more of them.",
        "Ask: which cup?",
        "Is there tea? Pour it. Ask the user for a cup.",
        "Is there tea?\n\n→ Ask the user for a cup.",
        "**Tea:** there is some.\nAsk the user for a cup.",
    ] {
        let asks = said(text).iter().all(|said| said == "ask");
        assert!(
            asks && conditions(text).iter().all(Option::is_none),
            "{text}: {:?}",
            conditions(text)
        );
    }
}

#[test]
fn a_question_depends_on_what_is_not_there_or_not_clear() {
    for (text, words) in [
        ("Ask the user if not provided.", "not provided"),
        ("Ask the user if missing", "missing"),
        ("Ask if unclear, then go on", "unclear"),
    ] {
        assert_eq!(conditions(text), [Some(words)], "{text}");
    }
    for text in [
        "Ask the user if they agree",
        "Ask the user if ready",
        "Ask the user if missing pages may stay out",
        "Ask the user if not all pages are needed",
        "Ask the user if not, then go on",
    ] {
        assert_eq!(conditions(text), [None], "{text}");
    }
}

#[test]
fn what_is_done_then_depends_on_the_line_above_that_leads_to_it() {
    for (text, words) in [
        (
            "**If `{a}` does not exist**, display:\n\n\"None.\"\n\n**THEN:** Halt.",
            "`{a}` does not exist",
        ),
        (
            "**IF there is one:**\n\nDisplay:\n\n\"Hi.\n\nLook.\"\n\n**THEN:** Halt. Go no further.",
            "there is one",
        ),
        (
            "**If it is there:**\n\nDisplay:\n\n\"Hi.\nIf you want to change it, here is how:\nLook.\"\n\n**THEN:** Halt.",
            "it is there",
        ),
    ] {
        assert_eq!(conditions(text), [Some(words)], "{text}");
    }
    for text in [
        "**If there is one:** Show it.\n\n**THEN:** Halt.",
        "**If there is one:**\n\nShow it.\n\n## Next\n\n**THEN:** Halt.",
        "**If there is one:**\n\nShow it.\n\n---\n\n**THEN:** Halt.",
        "**If there is one:**\n\nShow it.\n\nOtherwise look for one here:\n\n**THEN:** Halt.",
        "**If there is one:**\n\nShow it.\n\nHalt.",
    ] {
        assert_eq!(conditions(text), [None], "{text}");
    }
}

#[test]
fn a_list_of_cases_before_an_arrow_is_one_condition() {
    assert_eq!(
        conditions("If it is \"skip\", \"none\", or similar → HALT"),
        [Some("it is \"skip\", \"none\", or similar")]
    );
    for (text, words) in [
        ("If it is there, look → HALT", "it is there"),
        ("If it is low, tell them, and offer more → HALT", "it is low"),
        ("If it is low, ask once more, or go back → HALT", "it is low"),
    ] {
        assert_eq!(conditions(text), [Some(words)], "{text}");
    }
}
