//! An agent, a model and a prompt in, what the agent printed and did out. The agent gets a home, a folder to work in
//! and an environment of its own: nothing of a person's, no key that is one, and no way off this machine by choice.

use super::install::{Program, install};
use super::model::Model;
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any agent needs on a slow machine with cold files.
const PATIENCE: Duration = Duration::from_secs(120);

/// A home, a place for short-lived files and a folder to work in.
pub(crate) struct Stage {
    folder: tempfile::TempDir,
}

/// What an agent did.
pub(crate) struct Run {
    /// The exit code; none when it was ended by a signal.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) took: Duration,
}

impl Run {
    /// Returns the lines of the output that are JSON.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.out.lines();
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Returns the events of a type.
    pub(crate) fn of(&self, kind: &str) -> Vec<Value> {
        let events = self.events().into_iter();
        events.filter(|event| event["type"] == kind).collect()
    }
}

impl fmt::Display for Run {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "exit {:?} after {:.1} s", self.code, self.took.as_secs_f64())?;
        write!(out, "-- output\n{}\n-- errors\n{}", self.out, self.err)
    }
}

impl Stage {
    pub(crate) fn new() -> Self {
        // Not in the temporary folder of the system, where one agent refuses to live.
        let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp");
        fs::create_dir_all(&parent).unwrap();
        let stage = Self {
            folder: tempfile::Builder::new().prefix("a").tempdir_in(parent).unwrap(),
        };
        for name in ["home/.gemini", "tmp", "work"] {
            fs::create_dir_all(stage.folder.path().join(name)).unwrap();
        }
        let settings = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
        fs::write(stage.home().join(".gemini/settings.json"), settings.to_string()).unwrap();
        // Agents look for the project around them: it has to end here, not at the repository of the tests.
        let made = Command::new("git").args(["init", "--quiet"]).arg(stage.work()).status();
        assert!(made.unwrap().success());
        stage
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Returns the folder that the agent works in.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Returns the path of a file in that folder, as a script of the model names it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.work().join(name).display().to_string()
    }

    /// Returns what a file says; nothing when it is not there.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.work().join(name)).unwrap_or_default()
    }

    /// Returns a command with nothing but what every agent needs.
    pub(crate) fn command(&self, program: &Program) -> Command {
        let mut command = Command::new(&program.words[0]);
        let folder = program.words[0].parent().unwrap();
        command
            .args(&program.words[1..])
            .current_dir(self.work())
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
            .env("HOME", self.home())
            .env("TMPDIR", self.folder.path().join("tmp"))
            .env("LANG", "C.UTF-8");
        command
    }

    /// Runs a command to its end; one that does not come to it is ended, and that is a failure.
    pub(crate) fn run(&self, mut command: Command) -> Run {
        let (out, err) = (self.folder.path().join("out"), self.folder.path().join("err"));
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap());
        let start = Instant::now();
        let code = ended(command.spawn().unwrap(), start);
        let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let run = Run {
            code: code.unwrap_or_default(),
            out: read(&out),
            err: read(&err),
            took: start.elapsed(),
        };
        assert!(code.is_some(), "the agent did not come to an end: {run}");
        run
    }
}

/// Waits for the end of a process; none when it had to be ended.
fn ended(mut child: Child, start: Instant) -> Option<Option<i32>> {
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Adds what an agent needs to find the model; the same for its command line and its protocol.
pub(crate) fn point(agent: &str, command: &mut Command, stage: &Stage, model: &Model) {
    let url = &model.url;
    match agent {
        "claude-code" | "claude-agent-acp" => command.envs([
            ("ANTHROPIC_BASE_URL", url.as_str()),
            ("ANTHROPIC_API_KEY", "dummy"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "1"),
        ]),
        "codex" | "codex-acp" => {
            let provider = format!(
                "model_providers.scripted={{name=\"scripted\",base_url=\"{url}/v1\",wire_api=\"responses\",\
                 env_key=\"SCRIPTED_KEY\",request_max_retries=1,stream_max_retries=1}}"
            );
            command.env("CODEX_HOME", stage.home()).env("SCRIPTED_KEY", "dummy");
            command.args(["-c", "model=gpt-5.5", "-c", "model_provider=scripted", "-c", &provider])
        }
        "gemini-cli" => command.envs([
            ("GOOGLE_GEMINI_BASE_URL", url.as_str()),
            ("GEMINI_API_KEY", "dummy"),
            ("GEMINI_CLI_NO_RELAUNCH", "true"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ]),
        "copilot" => command.envs([
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_PROVIDER_TYPE", "anthropic"),
            ("COPILOT_PROVIDER_BASE_URL", url),
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "claude-sonnet-4"),
        ]),
        "opencode" => command.env("OPENCODE_CONFIG_CONTENT", opencode(url).to_string()).envs([
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
            ("OPENCODE_PURE", "1"),
        ]),
        _ => panic!("nobody knows how {agent} finds its model"),
    };
}

fn opencode(url: &str) -> Value {
    let model =
        json!({"name": "Scripted", "limit": {"context": 200_000, "output": 8192}, "cost": {"input": 1, "output": 2}});
    json!({
        "autoupdate": false,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": format!("{url}/v1"), "apiKey": "dummy"},
            "models": {"scripted": model},
        }},
    })
}

/// Lets an agent answer a prompt with its own command line; none when the agent cannot be had.
pub(crate) fn prompt(agent: &str, stage: &Stage, model: &Model, prompt: &str) -> Option<Run> {
    let program = install(agent)?;
    let mut command = stage.command(&program);
    if agent == "codex" {
        command.arg("exec");
    }
    point(agent, &mut command, stage, model);
    match agent {
        "claude-code" => command
            .args(["-p", prompt, "--output-format", "stream-json", "--verbose"])
            .args(["--permission-mode", "acceptEdits", "--setting-sources", "project"])
            .arg("--strict-mcp-config"),
        "codex" => command.args(["--json", "-s", "workspace-write", prompt]),
        "gemini-cli" => command
            .args(["-m", "gemini-2.5-flash", "-p", prompt, "-o", "stream-json"])
            .args(["--approval-mode", "auto_edit"]),
        "copilot" => command
            .args(["-p", prompt, "--output-format", "json", "--no-ask-user"])
            .arg("--allow-tool=write"),
        "opencode" => command.args(["run", "--format", "json", "--title", "t", prompt]),
        _ => panic!("{agent} has no command line for a prompt"),
    };
    let run = stage.run(command);
    println!(
        "{agent}: {:.1} s, {} requests",
        run.took.as_secs_f64(),
        model.requests().len()
    );
    Some(run)
}
