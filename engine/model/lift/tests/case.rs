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
