//! What an agent was not allowed, in words of its own: it is told, with the command where the agent names it.

use super::Case;

/// Returns what a run of Codex tells that was not allowed, by what it wrote for people.
fn denied(error: &str) -> Vec<String> {
    let mut case = Case::named("codex/05-write-readonly");
    let line = format!("2026-11-15T14:42:50.493883Z ERROR codex_core::tools::router: error={error}\n");
    case.recorded.err = line.into_bytes();
    case.told().call.notes
}

#[test]
fn a_command_that_codex_refuses_is_named() {
    let error = r#"exec_command failed: CreateProcess { message: "Rejected(\"`/bin/bash -lc 'rm -rf x'` rejected: rm -f style commands are not permitted\")" }"#;
    assert_eq!(
        denied(error),
        ["it was not allowed: `/bin/bash -lc 'rm -rf x'` rejected: rm -f style commands are not permitted"]
    );
}

#[test]
fn a_command_that_wants_out_of_the_sandbox_of_codex_is_not_allowed() {
    let error = "approval policy is Never; reject command — you cannot ask for escalated permissions";
    assert_eq!(denied(error), [format!("it was not allowed: {error}")]);
}

#[test]
fn a_tool_of_codex_that_failed_was_allowed() {
    assert_eq!(denied("exec_command failed: no such file"), [""; 0]);
}
