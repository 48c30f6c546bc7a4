//! Real agents answer the scripted model: the words of the script come out of the agent, and files are written by its
//! own tool. Slow and large to fetch, so only run when asked for.

#[cfg(target_os = "linux")]
mod bounds;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod review;
#[cfg(target_os = "linux")]
mod shop;
#[cfg(target_os = "linux")]
mod stop_hook;
#[cfg(target_os = "linux")]
mod work;

use super::model::{Model, Scenario, Step};
use super::stage::{Run, Stage, prompt};
use serde_json::Value;

/// Makes a test of every scene with every agent. The scene comes first in its name, so that tests that run beside each
/// other are those of different agents.
macro_rules! with_each_agent {
    ($($scene:ident),+) => {$(
        mod $scene {
            use crate::agents::real::shop::Who;

            #[test]
            #[ignore = "drives real agents"]
            fn by_claude() {
                super::$scene(Who::Claude);
            }

            #[test]
            #[ignore = "drives real agents"]
            fn by_codex() {
                super::$scene(Who::Codex);
            }

            #[test]
            #[ignore = "drives real agents"]
            fn by_copilot() {
                super::$scene(Who::Copilot);
            }

            #[test]
            #[ignore = "drives real agents"]
            fn by_gemini() {
                super::$scene(Who::Gemini);
            }
        }
    )+};
}
use with_each_agent;

/// Lets an agent say something; the words of the script have to be its last.
pub(super) fn says(agent: &str, last: fn(&Run) -> String) {
    let stage = Stage::new();
    let model = Model::start(Scenario::new().on("greet", [Step::text("good morning")]));
    let Some(run) = prompt(agent, &stage, &model, "please greet me") else {
        return;
    };
    assert_eq!((run.code, last(&run).as_str()), (Some(0), "good morning"), "{run}");
    let requests = model.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.prompt.contains("please greet me"))
    );
    assert!(
        requests
            .iter()
            .any(|request| !request.tools.is_empty() && request.results == 0)
    );
}

/// Lets an agent write a file with its own tool.
pub(super) fn writes(agent: &str, last: fn(&Run) -> String) {
    let stage = Stage::new();
    let write = Step::write(&stage.path("note.txt"), "hello\n").saying("I write it");
    let model = Model::start(Scenario::new().on("make", [write, Step::text("it is written")]));
    let Some(run) = prompt(agent, &stage, &model, "please make a note") else {
        return;
    };
    assert_eq!((run.code, last(&run).as_str()), (Some(0), "it is written"), "{run}");
    assert_eq!(stage.text("note.txt"), "hello\n", "{run}");
    assert!(model.requests().iter().any(|request| request.results == 1));
}

fn claude(run: &Run) -> String {
    let result = run.of("result").pop().unwrap_or_default();
    assert_eq!(result["is_error"], false, "{run}");
    text(&result["result"])
}

fn codex(run: &Run) -> String {
    assert_eq!(run.of("turn.completed").len(), 1, "{run}");
    let mut done = run
        .of("item.completed")
        .into_iter()
        .map(|mut event| event["item"].take());
    let said = done.rfind(|item| item["type"] == "agent_message");
    text(&said.unwrap_or_default()["text"])
}

fn gemini(run: &Run) -> String {
    let result = run.of("result").pop().unwrap_or_default();
    assert_eq!(result["status"], "success", "{run}");
    let events = run.events();
    let after = events.iter().rposition(|event| event["type"] == "tool_result");
    let said = events[after.unwrap_or(0)..].iter();
    let said = said.filter(|event| event["role"] == "assistant");
    said.map(|event| text(&event["content"])).collect()
}

fn copilot(run: &Run) -> String {
    assert_eq!(run.of("result").len(), 1, "{run}");
    let said = run.of("assistant.message").pop().unwrap_or_default();
    text(&said["data"]["content"])
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
#[ignore = "drives real agents"]
fn claude_says_what_the_model_says() {
    says("claude-code", claude);
}

#[test]
#[ignore = "drives real agents"]
fn claude_writes_a_file() {
    writes("claude-code", claude);
}

#[test]
#[ignore = "drives real agents"]
fn codex_says_what_the_model_says() {
    says("codex", codex);
}

#[test]
#[ignore = "drives real agents"]
fn codex_writes_a_file() {
    writes("codex", codex);
}

#[test]
#[ignore = "drives real agents"]
fn gemini_says_what_the_model_says() {
    says("gemini-cli", gemini);
}

#[test]
#[ignore = "drives real agents"]
fn gemini_writes_a_file() {
    writes("gemini-cli", gemini);
}

#[test]
#[ignore = "drives real agents"]
fn copilot_says_what_the_model_says() {
    says("copilot", copilot);
}

#[test]
#[ignore = "drives real agents"]
fn copilot_writes_a_file() {
    writes("copilot", copilot);
}
