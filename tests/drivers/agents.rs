//! How each agent with a command line is called: a stand-in for its program notes everything it is given.

use super::{Yard, task, texts, wait};
use bmad::drivers::{DRIVERS, Options, named};
use bmad::host::{AgentSettings, Call, Permission, Session, Turn};
use bmad::machine::Task;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

/// Notes its arguments, the files among them, its environment and its input, and answers with a recorded run.
const STAND_IN: &str = r#"#!/bin/sh
here=$(dirname "$0")
: > "$here/argv"
: > "$here/given"
for each in "$@"; do
  printf '%s\n' "$each" >> "$here/argv"
  if [ -f "$each" ]; then cat "$each" >> "$here/given"; fi
done
env > "$here/env"
cat > "$here/stdin"
cat "$here/out"
exit "$(cat "$here/code")"
"#;

/// The variables that a call sets by itself.
const OWN: &[&str] = &["CLAUDE_", "DISABLE_", "OPENCODE_", "GEMINI_", "COPILOT_"];

/// An agent's program, and a project for it.
pub(super) struct Stage {
    pub(super) yard: Yard,
    scratch: tempfile::TempDir,
    pub(super) settings: AgentSettings,
}

impl Stage {
    pub(super) fn new(out: &str, code: i32) -> Self {
        let yard = Yard::new(&[
            ("bin/agent", STAND_IN),
            ("bin/out", out),
            ("bin/code", &code.to_string()),
        ]);
        let program = yard.root().join("bin/agent");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self {
            settings: AgentSettings {
                program: Some(program.to_string_lossy().into_owned()),
                ..AgentSettings::default()
            },
            yard,
            scratch: tempfile::tempdir().unwrap(),
        }
    }

    pub(super) fn call(&self, agent: &str, turn: Turn) -> Call {
        let options = Options {
            agents: vec![(agent.to_owned(), self.settings.clone())],
            scratch: self.scratch.path().to_path_buf(),
            ..self.yard.options()
        };
        let driver = named(agent, &options).unwrap();
        wait(driver.perform(Arc::new(turn)))
    }

    pub(super) fn turn(&self, task: Task) -> Turn {
        Turn {
            session: Session {
                choose: "chosen-id".to_owned(),
                ..Session::default()
            },
            ..self.yard.turn(task)
        }
    }

    /// Returns what the stand-in was given, with names that are the same everywhere.
    fn given(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        for word in self.yard.text("bin/argv").lines() {
            let scratch = self.scratch.path().to_string_lossy();
            words.push(match word {
                word if word.starts_with("{\"additionalProperties\"") => "SCHEMA".to_owned(),
                word if word.starts_with(&*scratch) => {
                    format!("FILE{}", &word[word.rfind('-').unwrap_or(0)..])
                }
                word => word.to_owned(),
            });
        }
        let mut own: Vec<String> = Vec::new();
        for line in self.yard.text("bin/env").lines() {
            if OWN.iter().any(|prefix| line.starts_with(prefix)) {
                own.push(format!("  with {line}\n"));
            }
        }
        own.sort();
        let policy = self.yard.text("bin/given");
        let policy = policy.lines().filter(|line| line.starts_with("toolName"));
        let policy: String = policy.map(|line| format!("  file {line}\n")).collect();
        format!("{}\n{}{policy}", words.join(" "), own.concat())
    }
}

fn agents() -> impl Iterator<Item = &'static str> {
    // An agent without a program of its own speaks another way.
    let named = DRIVERS
        .iter()
        .filter_map(|kind| kind.card)
        .filter(|card| !card.program.is_empty());
    named.map(|card| card.name)
}

fn judging() -> Task {
    Task {
        conditions: texts(&["it rains"]),
        ..task(&[])
    }
}

fn resuming(stage: &Stage, id: &str) -> Turn {
    let mut turn = stage.turn(task(&["Go on"]));
    turn.session.resume = Some(id.to_owned());
    turn
}

#[test]
fn every_agent_is_called_as_its_manual_says() {
    let mut table = String::new();
    for agent in agents() {
        let mut stage = Stage::new("", 0);
        let mut line = |what: &str, stage: &Stage, turn: Turn| {
            stage.call(agent, turn);
            write!(table, "{agent}, {what}: {}", stage.given()).unwrap();
        };
        line("to judge", &stage, stage.turn(judging()));
        line("to work", &stage, stage.turn(task(&["Work"])));
        line("to go on", &stage, resuming(&stage, "an-old-id"));
        stage.settings.permission = Permission::All;
        stage.settings.model = Some("a-model".to_owned());
        stage.settings.arguments = texts(&["--own", "argument"]);
        line("with everything allowed", &stage, stage.turn(task(&["Work"])));
        stage.settings.permission = Permission::Edit;
        stage.settings.arguments = Vec::new();
        stage.settings.allow = texts(&["git status *"]);
        stage.settings.deny = texts(&["rm *"]);
        line("with lists", &stage, stage.turn(task(&["Work"])));
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/commands.txt");
    if std::env::var_os("BMAD_BLESS").is_some() {
        fs::write(&path, &table).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        table == written,
        "{table}\nis not what it was; BMAD_BLESS=1 writes it anew"
    );
}

#[test]
fn a_prompt_that_is_too_long_for_a_command_line_reaches_every_agent() {
    for agent in agents() {
        let stage = Stage::new("", 0);
        let turn = Turn {
            prompt: "long ".repeat(60_000),
            ..stage.turn(task(&["Work"]))
        };
        stage.call(agent, turn.clone());
        assert_eq!(stage.yard.text("bin/stdin"), turn.prompt, "{agent}");
    }
}

#[test]
fn files_of_a_call_are_gone_after_it() {
    for agent in agents() {
        let stage = Stage::new("", 0);
        let who = Task {
            persona: "Somebody".to_owned(),
            ..task(&["Work"])
        };
        stage.call(agent, stage.turn(who));
        assert_eq!(fs::read_dir(stage.scratch.path()).unwrap().count(), 0, "{agent}");
    }
}

#[test]
fn who_the_agent_is_reaches_the_system_prompt_where_there_is_one() {
    for (agent, place) in [
        ("claude-code", "bin/argv"),
        ("codex", "bin/argv"),
        ("opencode", "bin/env"),
    ] {
        let stage = Stage::new("", 0);
        let who = Task {
            persona: "You are \"Mary\"".to_owned(),
            ..task(&["Work"])
        };
        stage.call(agent, stage.turn(who));
        let text = stage.yard.text(place);
        assert!(text.contains("Mary") || text.contains("-who.md"), "{agent}: {text}");
    }
}

#[test]
fn a_reply_in_an_envelope_comes_through_every_ear() {
    let reply = r#"{\"text\": \"hello\"}"#;
    for (agent, out) in [
        (
            "claude-code",
            format!(r#"{{"type":"result","is_error":false,"result":"{reply}","session_id":"s"}}"#),
        ),
        (
            "codex",
            format!(
                "{}\n{{\"type\":\"item.completed\",\"item\":{{\"type\":\"agent_message\",\"text\":\"{reply}\"}}}}\n{}",
                r#"{"type":"thread.started","thread_id":"s"}"#, r#"{"type":"turn.completed"}"#
            ),
        ),
        (
            "opencode",
            format!(
                "{{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{{\"text\":\"{reply}\"}}}}\n{}",
                r#"{"type":"step_finish","part":{"reason":"stop"}}"#
            ),
        ),
        (
            "gemini",
            format!(
                "{{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"{reply}\",\"session_id\":\"s\"}}\n{}",
                r#"{"type":"result","status":"success"}"#
            ),
        ),
        (
            "copilot",
            format!(
                "{{\"type\":\"assistant.message\",\"data\":{{\"content\":\"{reply}\"}}}}\n{}",
                r#"{"type":"result","sessionId":"s","exitCode":0}"#
            ),
        ),
        (
            "cursor",
            format!(r#"{{"type":"result","subtype":"success","is_error":false,"result":"{reply}","session_id":"s"}}"#),
        ),
    ] {
        let stage = Stage::new(&out, 0);
        let call = stage.call(agent, stage.turn(task(&["Work"])));
        assert_eq!(call.result.unwrap().envelope.text, "hello", "{agent}");
        assert_eq!(call.session.as_deref(), Some("s"), "{agent}");
    }
}

#[test]
fn a_conversation_that_is_gone_is_begun_anew_and_said_so() {
    let gone = r#"{"type":"result","is_error":true,"subtype":"error_during_execution","errors":["No conversation found with session ID: x"]}"#;
    let stage = Stage::new(gone, 1);
    let call = stage.call("claude-code", resuming(&stage, "x"));
    assert!(!stage.yard.text("bin/argv").contains("--resume"));
    assert_eq!(call.notes, ["the conversation before was lost; a new one was begun"]);
}

#[test]
fn lists_of_tools_that_an_agent_does_not_take_are_said_to_be_left_out() {
    for agent in agents() {
        let mut stage = Stage::new("", 0);
        stage.settings.deny = texts(&["rm *"]);
        let notes = stage.call(agent, stage.turn(task(&["Work"]))).notes;
        let is_said = notes.iter().any(|note| note.contains("takes no list of tools"));
        assert_eq!(is_said, matches!(agent, "codex" | "cursor"), "{agent}: {notes:?}");
    }
}
