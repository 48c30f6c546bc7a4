//! An agent and a script of the model in, runs of the real program out: `bmad` in a project of its own, with the real
//! agent by its driver, and everything that is left of it afterwards.

use crate::agents::install::install;
use crate::agents::model::{Model, Scenario, Step, Usage};
use crate::agents::stage::{Stage, point};
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any run here takes.
const PATIENCE: Duration = Duration::from_secs(150);

/// An agent, and what has to be known of it to script its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Claude,
    Codex,
    Gemini,
    Copilot,
}

impl Who {
    /// Returns its name for the engine.
    pub(super) fn name(self) -> &'static str {
        match self {
            Who::Claude => "claude-code",
            Who::Codex => "codex",
            Who::Gemini => "gemini",
            Who::Copilot => "copilot",
        }
    }

    /// Returns its name for the installer.
    fn package(self) -> &'static str {
        match self {
            Who::Gemini => "gemini-cli",
            Who::Claude | Who::Codex | Who::Copilot => self.name(),
        }
    }

    /// Returns the step by which the model replies to a turn: by the schema where the agent has one, else in a fence.
    pub(super) fn reply(self, envelope: &Value) -> Step {
        match self {
            Who::Claude | Who::Codex => Step::structured(envelope.clone()),
            Who::Gemini | Who::Copilot => Step::text(&format!("Here it is.\n\n```json\n{envelope:#}\n```\n")),
        }
    }

    /// Returns the step by which the model writes a file with the agent's tool for that, whether it is on offer or not.
    pub(super) fn insist(self, path: &str) -> Step {
        let both = |one: &str, other: &str| json!({one: path, other: "no\n"});
        match self {
            Who::Claude => Step::call("Write", both("file_path", "content")),
            Who::Codex => {
                let patch = format!("*** Begin Patch\n*** Add File: {path}\n+no\n*** End Patch\n");
                Step::call("apply_patch", patch.into())
            }
            Who::Gemini => Step::call("write_file", both("file_path", "content")),
            Who::Copilot => Step::call("create", both("path", "file_text")),
        }
    }

    /// Returns the step by which the model runs a command that does not come to its end.
    pub(super) fn toil(self, command: &str) -> Step {
        match self {
            // By itself it tells the model after ten seconds that the command is not over.
            Who::Codex => Step::call("exec_command", json!({"cmd": command, "yield_time_ms": 30_000})),
            Who::Claude | Who::Gemini | Who::Copilot => Step::shell(command),
        }
    }

    /// Returns the setting that lets it run any command.
    pub(super) fn runs_commands(self) -> &'static str {
        match self {
            Who::Claude => "allow = [\"Bash\"]",
            // It runs them in a sandbox of its own.
            Who::Codex => "",
            Who::Gemini => "allow = [\"run_shell_command\"]",
            Who::Copilot => "allow = [\"shell\"]",
        }
    }
}

/// Makes an envelope that says of one instruction that it is done, with a file to show for it.
pub(super) fn done(path: &str) -> Value {
    let nothing = Value::Null;
    let evidence = json!({
        "kind": "file", "path": path, "quote": nothing, "command": nothing,
        "exit": nothing, "value": nothing, "text": nothing,
    });
    json!({
        "instructions": [{"n": 1, "status": "done", "why": "", "evidence": [evidence]}],
        "files": [{"path": path}],
        "asks": [],
        "text": format!("{path} is there"),
    })
}

/// A project whose agent talks to a scripted model.
pub(super) struct Shop {
    pub(super) who: Who,
    pub(super) stage: Stage,
    pub(super) model: Model,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "exit {:?}\n-- output\n{}\n-- errors\n{}",
            self.code, self.out, self.err
        )
    }
}

impl Shop {
    /// Opens a project with a workflow in `flow.xml`; none when the agent cannot be had. The settings are those of the
    /// agent, beside the ones it needs to find the model.
    pub(super) fn open(who: Who, flow: &str, settings: &str, script: impl FnOnce(&Stage) -> Scenario) -> Option<Self> {
        let program = install(who.package())?;
        let stage = Stage::new();
        let model = Model::start(script(&stage));
        let mut path = program.path().to_owned();
        if let [node, bundle] = program.words.as_slice() {
            path = stage.home().join("agent.sh");
            let (node, bundle) = (node.display(), bundle.display());
            fs::write(&path, format!("#!/bin/sh\nexec '{node}' '{bundle}' \"$@\"\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let shop = Self { who, stage, model };
        shop.put("bmad.toml", &shop.settings(&path, settings));
        shop.put("flow.xml", flow);
        shop.run(&["trust", "bmad.toml", "--yes"]);
        Some(shop)
    }

    fn settings(&self, program: &Path, more: &str) -> String {
        let mut command = Command::new(program);
        point(self.who.package(), &mut command, &self.stage, &self.model);
        let arguments: Vec<_> = command.get_args().map(|it| it.to_string_lossy()).collect();
        let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let set = set.map(|(name, value)| format!("{} = {}", name.display(), quoted(&value.to_string_lossy())));
        let model = match self.who {
            // Without a name it asks a model which model to ask.
            Who::Gemini => "model = \"gemini-2.5-flash\"",
            Who::Claude | Who::Codex | Who::Copilot => "",
        };
        format!(
            "[agents.{}]\nprogram = {}\narguments = {}\nset = {{ {} }}\n{model}\n{more}\n",
            self.who.name(),
            quoted(&program.to_string_lossy()),
            json!(arguments),
            set.collect::<Vec<_>>().join(", "),
        )
    }

    /// Writes a file of the project.
    pub(super) fn put(&self, name: &str, text: &str) {
        fs::write(self.stage.work().join(name), text).unwrap();
    }

    /// Runs the workflow.
    pub(super) fn exec(&self) -> Ended {
        self.run(&["exec", "flow.xml", "--agent", self.who.name(), "--non-interactive"])
    }

    /// Goes on with the run.
    pub(super) fn resume(&self) -> Ended {
        self.run(&["resume", "last", "--non-interactive"])
    }

    /// Runs the program to its end.
    pub(super) fn run(&self, arguments: &[&str]) -> Ended {
        let begin = Instant::now();
        let mut child = self.start(arguments);
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if begin.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let read = |name: &str| String::from_utf8_lossy(&fs::read(self.stage.home().join(name)).unwrap()).into_owned();
        let ended = Ended {
            code: status.and_then(|status| status.code()),
            out: read("out"),
            err: read("err"),
        };
        println!(
            "{} {}: {:.1} s",
            self.who.name(),
            arguments[0],
            begin.elapsed().as_secs_f64()
        );
        assert!(status.is_some(), "the program did not come to its end: {ended}");
        ended
    }

    /// Starts the program, with nothing of the environment of whoever runs the tests.
    pub(super) fn start(&self, arguments: &[&str]) -> Child {
        let file = |name: &str| File::create(self.stage.home().join(name)).unwrap();
        Command::new(env!("CARGO_BIN_EXE_bmad"))
            .args(arguments)
            .current_dir(self.stage.work())
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.stage.home())
            .env("TMPDIR", self.stage.work().with_file_name("tmp"))
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn()
            .unwrap()
    }

    /// Returns the lines of the journal that are whole.
    pub(super) fn journal(&self) -> Vec<Value> {
        let text = find(&self.stage.home().join(".local/state"), "journal.jsonl");
        let text = text.map(|path| fs::read_to_string(path).unwrap()).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Returns the calls of the agent that the journal has.
    pub(super) fn calls(&self) -> Vec<Value> {
        let mut lines = self.journal();
        lines.retain(|line| line["line"] == "called");
        lines
    }

    /// Returns how the calls ended.
    pub(super) fn classes(&self) -> Vec<String> {
        let calls = self.calls().into_iter();
        calls
            .map(|call| call["class"].as_str().unwrap_or("done").to_owned())
            .collect()
    }

    /// Returns what the journal says that was used: tokens not from a cache, from a cache, and written.
    pub(super) fn counted(&self) -> [u64; 3] {
        let mut sum = [0; 3];
        for call in self.calls() {
            let count = |kind: &str| call["spent"]["tokens"][kind].as_u64().unwrap_or_default();
            let parts = [count("input") + count("stored"), count("cached"), count("output")];
            sum = std::array::from_fn(|at| sum[at] + parts[at]);
        }
        sum
    }

    /// Returns the same of what the model handed out; not every API tells what was put into a cache.
    pub(super) fn handed_out(&self) -> [u64; 3] {
        let Usage {
            input,
            output,
            cached,
            stored,
        } = self.model.handed_out();
        [input + stored, cached, output]
    }

    /// Returns the processes that still know of this project.
    pub(super) fn left(&self) -> Vec<String> {
        let home = self.stage.home().display().to_string();
        let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        let told = |path: &PathBuf, name: &str| {
            let bytes = fs::read(path.join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ").trim().to_owned()
        };
        let ours = processes.filter(|path| told(path, "environ").contains(&home));
        ours.map(|path| format!("{} {}", path.display(), told(&path, "cmdline")))
            .collect()
    }

    /// Waits until something is so.
    pub(super) fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let begin = Instant::now();
        while !is_so(self) {
            assert!(begin.elapsed() < PATIENCE, "it never came to pass: {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if entry.file_name() == name {
            return Some(path);
        }
        if path.is_dir()
            && let Some(found) = find(&path, name)
        {
            return Some(found);
        }
    }
    None
}

fn quoted(text: &str) -> String {
    // A text of JSON is a text of TOML.
    json!(text).to_string()
}
