//! A client of the agent client protocol as small as can be: prompts in, what the agent said out. It allows once what
//! the agent asks to be allowed, and can do nothing itself.

use super::install::install;
use super::model::{Model, Scenario, Step};
use super::stage::{Stage, point};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than any agent is silent on a slow machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// An agent that was started, and the lines it writes.
struct Client {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Value>,
    said: String,
    last: u64,
}

impl Client {
    fn start(mut command: Command, stage: &Stage) -> Self {
        let errors = File::create(stage.home().join("errors")).unwrap();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Ok(message) = serde_json::from_str(&line)
                    && sender.send(message).is_err()
                {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take().unwrap(),
            child,
            lines,
            said: String::new(),
            last: 0,
        }
    }

    /// Asks for something; answers what the agent asks until it answers.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut message = match self.lines.recv_timeout(PATIENCE) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => panic!("the agent is silent after {method}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the agent went away after {method}"),
            };
            if message["method"].is_string() {
                self.hear(&message);
            } else if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    /// Takes what an agent tells or asks.
    fn hear(&mut self, message: &Value) {
        let update = &message["params"]["update"];
        if update["sessionUpdate"] == "agent_message_chunk" {
            self.said
                .push_str(update["content"]["text"].as_str().unwrap_or_default());
        }
        if message["id"].is_null() {
            return;
        }
        let mut answer = json!({"jsonrpc": "2.0", "id": message["id"]});
        if message["method"] == "session/request_permission" {
            let options = message["params"]["options"].as_array().unwrap();
            let once = options.iter().find(|option| option["kind"] == "allow_once").unwrap();
            let outcome = json!({"outcome": "selected", "optionId": once["optionId"]});
            answer["result"] = json!({"outcome": outcome});
        } else {
            answer["error"] = json!({"code": -32601, "message": "this client cannot do that"});
        }
        self.send(&answer);
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
        self.input.flush().unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Not every agent goes when its input ends; one that has gone cannot be ended.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Lets an agent speak, and write a file, in one session.
pub(super) fn speaks_and_writes(agent: &str) {
    let Some(program) = install(agent) else { return };
    let stage = Stage::new();
    let write = Step::write(&stage.path("note.txt"), "hello\n");
    let scenario = Scenario::new()
        .on("greet", [Step::text("good morning")])
        .on("make", [write, Step::text("it is written")]);
    let model = Model::start(scenario);
    let mut command = stage.command(&program);
    point(agent, &mut command, &stage, &model);
    match agent {
        "claude-agent-acp" => {
            let Some(claude) = install("claude-code") else { return };
            command.env("CLAUDE_CODE_EXECUTABLE", claude.path())
        }
        "gemini-cli" => command.args(["--acp", "-m", "gemini-2.5-flash"]),
        "copilot" => command.arg("--acp"),
        "opencode" => command.arg("acp"),
        _ => &mut command,
    };
    let start = Instant::now();
    let mut client = Client::start(command, &stage);
    let abilities = json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
    let hello = json!({"protocolVersion": 1, "clientCapabilities": abilities});
    assert_eq!(client.ask("initialize", &hello)["protocolVersion"], 1);
    let place = json!({"cwd": stage.work(), "mcpServers": []});
    let session = client.ask("session/new", &place)["sessionId"].take();
    for (prompt, words) in [
        ("please greet me", "good morning"),
        ("please make a note", "it is written"),
    ] {
        client.said.clear();
        let prompt = json!([{"type": "text", "text": prompt}]);
        let end = client.ask("session/prompt", &json!({"sessionId": session, "prompt": prompt}));
        assert_eq!(end["stopReason"], "end_turn");
        assert!(client.said.ends_with(words), "{}", client.said);
    }
    assert_eq!(stage.text("note.txt"), "hello\n");
    println!(
        "{agent}: {:.1} s, {} requests",
        start.elapsed().as_secs_f64(),
        model.requests().len()
    );
}
