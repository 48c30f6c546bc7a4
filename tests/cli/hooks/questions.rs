//! Hooks at questions.

use super::{Kitchen, folder_with};

const FLOW: &str = r#"<workflow name="Tea">
  <step n="1" goal="Pour">
    <menu name="milk" text="Milk?" into="milk"><option key="y" label="Yes" default="true"/><option key="n" label="No"/></menu>
    <output>{milk}</output>
  </step>
</workflow>
"#;

fn kitchen() -> Kitchen {
    let hooks = "[[hooks.on-question]]\ncommand = '''echo asked >> log'''\n";
    let files = [
        ("workflow.xml", FLOW),
        ("bmad.toml", hooks),
        ("answers.yaml", "milk: n\n"),
        ("log", ""),
    ];
    let kitchen = Kitchen {
        folder: folder_with(&files),
        state: tempfile::tempdir().unwrap(),
    };
    kitchen.trust();
    kitchen
}

#[test]
fn no_hook_tells_of_a_question_that_nobody_is_asked() {
    for by in [&["--defaults"][..], &["--answers", "answers.yaml"]] {
        let kitchen = kitchen();
        let ended = kitchen.call(&[&["exec", "workflow.xml", "--non-interactive"], by].concat());
        assert_eq!(
            (ended.code, kitchen.read("log")),
            (0, String::new()),
            "{}",
            ended.errors
        );
    }
}

#[test]
fn a_question_that_a_run_waits_with_is_told_once() {
    let kitchen = kitchen();
    let stopped = kitchen.call(&["exec", "workflow.xml", "--non-interactive"]);
    assert_eq!(
        (stopped.code, kitchen.read("log").as_str()),
        (3, "asked\n"),
        "{}",
        stopped.errors
    );
    let resumed = kitchen.call(&["resume", "--non-interactive", "--answers", "answers.yaml"]);
    assert_eq!(
        (resumed.code, kitchen.read("log").as_str()),
        (0, "asked\n"),
        "{}",
        resumed.errors
    );
}
