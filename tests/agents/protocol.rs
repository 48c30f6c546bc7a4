//! Real agents over their protocol, driven by the driver `acp`: too slow for every change.

use super::install::install;
use super::model::{Model, Scenario, Step};
use super::stage::{Stage, point};
use bmad::drivers::{Options, named};
use bmad::host::{AgentSettings, Call, Permission, Turn};
use bmad::machine::{Access, FailureKind, Task};
use bmad::os::Disk;
use serde_json::json;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

const DONE: &str = "```json\n{\"text\": \"it is written\"}\n```";

/// An agent that is ready to take turns.
struct Actor {
    agent: &'static str,
    stage: Stage,
    model: Model,
    settings: AgentSettings,
}

impl Actor {
    /// Prepares an agent; none when it cannot be had.
    fn new(agent: &'static str, scenario: impl FnOnce(&Stage) -> Scenario) -> Option<Self> {
        let program = install(agent)?;
        let stage = Stage::new();
        let model = Model::start(scenario(&stage));
        let mut command = stage.command(&program);
        point(agent, &mut command, &stage, &model);
        match agent {
            "claude-agent-acp" => command.env("CLAUDE_CODE_EXECUTABLE", install("claude-code")?.path()),
            "gemini-cli" => command.args(["--acp", "-m", "gemini-2.5-flash"]),
            "copilot" => command.arg("--acp"),
            // It asks only where it is told to.
            "opencode" => command
                .arg("acp")
                .env("OPENCODE_PERMISSION", r#"{"edit": "ask", "bash": "ask"}"#),
            _ => &mut command,
        };
        Some(Self {
            agent,
            settings: settings(&command),
            stage,
            model,
        })
    }

    fn take(&self, prompt: &str, access: Access, resume: Option<&Call>) -> Call {
        let mut turn = Turn {
            task: Task {
                access,
                timeout: Some(120),
                ..Task::default()
            },
            prompt: prompt.to_owned(),
            root: self.stage.work(),
            token: format!("real-{}-{}", self.agent, std::process::id()),
            ..Turn::default()
        };
        if let Some(before) = resume {
            turn.session.resume.clone_from(&before.session);
            turn.session.counted = before.spent;
        }
        let options = Options {
            agents: vec![(self.agent.to_owned(), self.settings.clone())],
            ..Options::new(Arc::new(Disk), self.stage.work())
        };
        let driver = named(&format!("acp:{}", self.agent), &options).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let start = Instant::now();
        let call = runtime.unwrap().block_on(driver.perform(Arc::new(turn)));
        println!("{} after {:.1} s: {call:?}", self.agent, start.elapsed().as_secs_f64());
        call
    }
}

/// Puts a command into the words of the settings.
fn settings(command: &Command) -> AgentSettings {
    let text = |it: &std::ffi::OsStr| it.to_str().unwrap().to_owned();
    let set = command
        .get_envs()
        .filter_map(|(name, value)| Some((text(name), text(value?))));
    AgentSettings {
        program: Some(text(command.get_program())),
        arguments: command.get_args().map(text).collect(),
        set: set.collect(),
        permission: Permission::All,
        // Whoever may not do everything is asked.
        deny: vec!["git push *".to_owned()],
        ..AgentSettings::default()
    }
}

fn writing(stage: &Stage) -> Scenario {
    let write = Step::write(&stage.path("note.txt"), "hello\n").saying("I will.");
    Scenario::new()
        .on("make", [write, Step::text(DONE)])
        .on("greet", [Step::text(DONE)])
}

/// Lets an agent write after it asked, and go on in another process.
fn asks_and_writes(agent: &'static str) {
    let Some(actor) = Actor::new(agent, writing) else {
        return;
    };
    let first = actor.take("please make a note", Access::Write, None);
    assert_eq!(first.result.as_ref().unwrap().envelope.text, "it is written");
    assert_eq!(actor.stage.text("note.txt").trim_end(), "hello");
    assert_eq!(first.notes, Vec::<String>::new());
    let before = actor.model.requests().last().unwrap().messages;
    let second = actor.take("please greet me", Access::Write, Some(&first));
    assert_eq!(second.result.as_ref().unwrap().envelope.text, "it is written");
    if agent == "gemini-cli" {
        // It says that it can, and does not find its own conversations.
        assert_eq!(second.notes, ["the conversation before was lost; a new one was begun"]);
        return;
    }
    assert_eq!(second.session, first.session);
    assert_eq!(second.notes, Vec::<String>::new());
    if let (Some(first), Some(second)) = (first.spent.cost, second.spent.cost) {
        assert!(0.0 < second && second < first, "{second} after {first}");
    }
    if let (Some(first), Some(second)) = (first.spent.tokens, second.spent.tokens) {
        assert!(second.sum() < first.sum(), "{second:?} after {first:?}");
    }
    let after = actor.model.requests().last().unwrap().messages;
    assert!(after > before, "{after} messages after {before}: it forgot");
}

/// Keeps an agent from writing in a turn that only reads.
fn is_kept_from_writing(agent: &'static str) {
    let Some(actor) = Actor::new(agent, writing) else {
        return;
    };
    let call = actor.take("please make a note", Access::Read, None);
    assert_eq!(actor.stage.text("note.txt"), "");
    match &call.result {
        Ok(reply) => assert_eq!(reply.envelope.text, "it is written"),
        Err(failure) => assert_eq!(failure.kind, FailureKind::Denied, "{failure:?}"),
    }
}

/// Refuses the key of an agent.
fn tells_that_its_key_is_refused(agent: &'static str) {
    // One of them tells nothing but the words.
    let refuse = |_: &Stage| {
        let refusal = Step::fault(401);
        Scenario::new().otherwise([match agent {
            "opencode" => refusal.body(json!({"error": {"message": "Incorrect API key provided: dummy."}})),
            _ => refusal,
        }])
    };
    let Some(actor) = Actor::new(agent, refuse) else { return };
    let call = actor.take("please greet me", Access::Write, None);
    assert_eq!(call.result.unwrap_err().kind, FailureKind::Auth);
}

/// Every agent takes every test.
macro_rules! agents {
    ($($module:ident: $agent:literal),* $(,)?) => {$(
        mod $module {
            #[test]
            #[ignore = "drives real agents"]
            fn asks_and_writes() {
                super::asks_and_writes($agent);
            }

            #[test]
            #[ignore = "drives real agents"]
            fn is_kept_from_writing() {
                super::is_kept_from_writing($agent);
            }

            #[test]
            #[ignore = "drives real agents"]
            fn tells_that_its_key_is_refused() {
                super::tells_that_its_key_is_refused($agent);
            }
        }
    )*};
}

agents! {
    claude: "claude-agent-acp",
    codex: "codex-acp",
    gemini: "gemini-cli",
    opencode: "opencode",
    copilot: "copilot",
}
