//! Answers that fit no key of a question: where they are asked for again, and where they are taken as they are.

use super::{Options, project, trace, willing};

/// Returns how often a question is asked that is answered with other words first; what follows it is given.
fn asked(question: &str, after: &str) -> usize {
    let flow = format!("<workflow name=\"W\"><step n=\"1\" goal=\"g\">{question}{after}</step></workflow>",);
    let loaded = project([("w.xml", &flow)]);
    let told = trace(&loaded, "w.xml", Options::default(), &mut willing(&["perhaps", "y"]));
    assert!(told.ends_with("completed"), "{told}");
    told.lines().filter(|line| line.starts_with("ask ")).count()
}

const NAMED: &str = "<ask response=\"kept\">Keep it? [y] Yes [n] No</ask>";
const UNNAMED: &str = "<ask>Keep it? [y] Yes [n] No</ask>";

fn check(condition: &str) -> String {
    format!("<check if=\"{condition}\"><output>Then.</output></check>")
}

#[test]
fn a_step_that_goes_by_keys_asks_again() {
    assert_eq!(asked(NAMED, &check("{kept} == 'y'")), 2);
    assert_eq!(asked(NAMED, &check("kept in ['y', 'n']")), 2);
    let numbered = "<ask response=\"kept\">Which one? [1] The old [2] The new [y] Both</ask>";
    assert_eq!(asked(numbered, &check("{kept} == 2")), 2);
    assert_eq!(asked(UNNAMED, &check("user says yes")), 2);
    assert_eq!(asked(UNNAMED, &check("user chooses n")), 2);
}

#[test]
fn agents_that_only_work_in_branches_do_not_matter() {
    let branch = "<check if=\"{kept} == 'y'\"><action>Frame it.</action></check>";
    assert_eq!(asked(NAMED, branch), 2);
    let all = format!("{branch}{}<action>Look at it.</action>", check("{kept} == 'n'"));
    assert_eq!(asked(NAMED, &all), 2);
}

#[test]
fn other_words_are_taken_where_something_may_come_of_them() {
    assert_eq!(asked(NAMED, ""), 1);
    assert_eq!(asked(NAMED, &check("{kept} != 'n'")), 1);
    assert_eq!(asked(NAMED, &check("{kept} == 'maybe'")), 1);
    assert_eq!(
        asked(NAMED, &format!("{}<output>{{kept}}</output>", check("{kept} == 'y'"))),
        1
    );
    assert_eq!(
        asked(
            NAMED,
            &format!("{}<action>Do as they say.</action>", check("{kept} == 'y'"))
        ),
        1
    );
    assert_eq!(
        asked(
            UNNAMED,
            &format!("{}{}", check("user says yes"), check("the user wants changes"))
        ),
        1
    );
    let inviting = "<ask>Keep it? [y] Yes [n] No, or tell me what to change</ask>";
    assert_eq!(asked(inviting, &check("user says yes")), 1);
}

/// Runs two steps, the first of which asks.
fn run(question: &str, after: &str, answer: &str) -> String {
    let flow = format!(
        "<workflow name=\"W\"><step n=\"1\" goal=\"g\">{question}{after}</step><step n=\"2\" goal=\"h\"><output>Work.</output></step></workflow>"
    );
    let loaded = project([("w.xml", &flow)]);
    trace(&loaded, "w.xml", Options::default(), &mut willing(&[answer]))
}

#[test]
fn the_whole_label_of_an_option_is_decided_by_the_engine() {
    let question = "<ask>Choose:\n[S] Save\n[V] View Full - all of it\n[+] Add a page</ask>";
    let full = check("user selects View Full");
    let told = run(question, &full, "v");
    assert!(told.contains("ask Choose: [S V +]\nshow Then."), "{told}");
    let told = run(question, &full, "s");
    assert!(!told.contains("judge") && !told.contains("Then."), "{told}");
    let told = run(question, &check("user selects Add"), "+");
    assert!(told.contains("show Then."), "{told}");
    // The words are a part of what two options are called, or of none.
    let two = question.replace("[S] Save", "[S] View Full Screen");
    assert!(run(&two, &full, "s").contains("judge"));
    assert!(run(question, &check("user selects a story number"), "s").contains("judge"));
}

#[test]
fn words_between_options_are_shown() {
    let told = run("<ask>Choose [1], give a path, or [q] to quit:</ask>", "", "a.md");
    assert!(
        told.contains("ask Choose [1], give a path, or [q] to quit: [1 q]"),
        "{told}"
    );
    let told = run("<ask>Keep it? [y] Yes, or [n] No</ask>", "", "y");
    assert!(told.contains("ask Keep it? [y n]"), "{told}");
}
