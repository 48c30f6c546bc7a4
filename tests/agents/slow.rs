//! The agents that are slow to start, and all of them over the agent client protocol: too slow for every change.

use super::acp;
use super::real::{says, text, writes};
use super::stage::Run;

fn opencode(run: &Run) -> String {
    let end = run.of("step_finish").pop().unwrap_or_default();
    assert_eq!(end["part"]["reason"], "stop", "{run}");
    let said = run.of("text").pop().unwrap_or_default();
    text(&said["part"]["text"])
}

#[test]
#[ignore = "drives real agents"]
fn opencode_says_what_the_model_says() {
    says("opencode", opencode);
}

#[test]
#[ignore = "drives real agents"]
fn opencode_writes_a_file() {
    writes("opencode", opencode);
}

#[test]
#[ignore = "drives real agents"]
fn claude_speaks_and_writes_over_its_protocol() {
    acp::speaks_and_writes("claude-agent-acp");
}

#[test]
#[ignore = "drives real agents"]
fn codex_speaks_and_writes_over_its_protocol() {
    acp::speaks_and_writes("codex-acp");
}

#[test]
#[ignore = "drives real agents"]
fn gemini_speaks_and_writes_over_its_protocol() {
    acp::speaks_and_writes("gemini-cli");
}

#[test]
#[ignore = "drives real agents"]
fn copilot_speaks_and_writes_over_its_protocol() {
    acp::speaks_and_writes("copilot");
}

#[test]
#[ignore = "drives real agents"]
fn opencode_speaks_and_writes_over_its_protocol() {
    acp::speaks_and_writes("opencode");
}
