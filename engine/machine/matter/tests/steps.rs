//! Completed steps: numbers or names, each once.

use super::{named, numbers};
use crate::machine::matter::{complete, complete_all, steps_completed};

#[test]
fn completed_steps_are_numbers_or_names() {
    assert_eq!(
        steps_completed("---\nstepsCompleted: [1, 2]\n---\n"),
        numbers(&["1", "2"])
    );
    assert_eq!(
        steps_completed("---\nx: 'it\\'s'\nstepsCompleted:\n  - step-01-init\n  - \"step-02.md\"\n---\n"),
        named(&["step-01-init", "step-02.md"])
    );
    for document in [
        "",
        "# x",
        "---\na: 1\n---\n",
        "---\nstepsCompleted:\n---\n",
        "---\nstepsCompleted: 3\n---\n",
    ] {
        assert_eq!(steps_completed(document), [], "{document}");
    }
}

fn completed(list: &str, label: &str, stem: Option<&str>) -> String {
    let done = complete(&format!("---\nstepsCompleted: {list}\n---\n"), label, stem).unwrap();
    done["---\nstepsCompleted: ".len()..done.len() - "\n---\n".len()].to_owned()
}

#[test]
fn a_completed_step_is_added_in_the_type_of_the_list() {
    assert_eq!(completed("[1]", "2", Some("step-02-users")), "[1, 2]");
    assert_eq!(completed("[1]", "step-03-users", Some("step-03-users")), "[1, 3]");
    assert_eq!(
        completed("['step-01-init']", "2", Some("step-02-users")),
        "['step-01-init', 'step-02-users']"
    );
    assert_eq!(
        completed("[\"step-01-init.md\"]", "2", Some("step-02")),
        "[\"step-01-init.md\", \"step-02.md\"]"
    );
    assert_eq!(completed("[init]", "users", None), "[init, users]");
}

#[test]
fn the_first_completed_step_decides_the_type() {
    assert_eq!(completed("[]", "1", None), "[1]");
    assert_eq!(completed("[]", "0.5", None), "[0.5]");
    assert_eq!(completed("[]", "1", Some("step-01-init")), "[step-01-init]");
    assert_eq!(completed("[]", "2a", None), "[\"2a\"]");
    assert_eq!(completed("[]", "FINAL", None), "[FINAL]");
    assert_eq!(
        complete("# T\n", "1", None).unwrap(),
        "---\nstepsCompleted: [1]\n---\n\n# T\n"
    );
}

#[test]
fn a_step_is_completed_once() {
    assert_eq!(completed("[1, 2]", "1", None), "[1, 2]");
    assert_eq!(
        completed("[\"a.md\", \"b.md\"]", "1", Some("a")),
        "[\"a.md\", \"b.md\"]"
    );
    assert_eq!(completed("['1']", "1", None), "['1']");
}

#[test]
fn a_list_of_numbers_stays_one() {
    let steps = [
        ("step-01-init", Some("step-01-init")),
        ("step-01b-continue", Some("step-01b-continue")),
        ("step-02-vision", Some("step-02-vision")),
    ];
    let text = complete_all("---\nstepsCompleted: [1]\n---\n", steps).unwrap();
    assert_eq!(text, "---\nstepsCompleted: [1, 2]\n---\n");
}
