//! Scripts of trusted hooks that change while a run goes on.

use super::{FLOW, Kitchen};

#[test]
fn a_script_that_changes_while_a_run_goes_on_is_not_trusted_any_more() {
    let kitchen = Kitchen::new("[[hooks.before-step]]\ncommand = \"sh check.sh\"\n");
    kitchen.write("check.sh", "echo \"good $STEP\" >> log\n");
    let flow = FLOW.replace("tea.md\">Hot.", "check.sh\">echo bad >> log");
    kitchen.write("workflow.xml", &flow);
    kitchen.trust();
    let ended = kitchen.exec();
    assert_eq!(ended.code, 0, "{}", ended.errors);
    assert_eq!(kitchen.read("log"), "good 1\n");
    let told = "a script that it starts is not what somebody trusted; `bmad trust bmad.toml";
    assert!(ended.errors.contains(told), "{}", ended.errors);
}

#[test]
fn hooks_run_around_a_file_that_is_written_again_because_of_an_edit() {
    let flow = r#"<workflow name="Tea"><step n="1" goal="Boil">
      <output file="{project-root}/tea.md">one</output><run command="echo a"/>
      <output file="{project-root}/tea.md">two</output><ask response="q">Go?</ask>
    </step></workflow>"#;
    let log = r#"[[hooks.PreToolUse]]
command = "echo before $(cat tea.md) >> log; test ! -e no"
matcher = "Write"
critical = true
[[hooks.PostToolUse]]
command = "echo after $(cat tea.md) >> log"
matcher = "Write"
"#;
    let kitchen = Kitchen::new(log);
    kitchen.write("workflow.xml", flow);
    kitchen.trust();
    let allowed = ["--non-interactive", "--allow", "echo a", "--allow", "echo b"];
    assert_eq!(
        kitchen.call(&[&["exec", "workflow.xml"], &allowed[..]].concat()).code,
        3
    );
    kitchen.write("workflow.xml", &flow.replace("echo a", "echo b"));
    kitchen.write("no", "");
    kitchen.write("log", "");
    // A critical hook keeps the file as it is, and stops the run.
    let stopped = kitchen.resume();
    assert_eq!(stopped.code, 1, "{}", stopped.errors);
    assert!(!stopped.errors.contains("runs `echo b`"), "{}", stopped.errors);
    assert_eq!(
        (kitchen.read("tea.md"), kitchen.read("log")),
        ("two\n".to_owned(), "before two\n".to_owned())
    );
    std::fs::remove_file(kitchen.path("no")).unwrap();
    kitchen.write("log", "");
    let resumed = kitchen.resume();
    assert_eq!(resumed.code, 3, "{}", resumed.errors);
    assert_eq!(kitchen.read("log"), "before two\nafter one\nbefore one\nafter two\n");
}
