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
