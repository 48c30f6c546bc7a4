//! The stop hook from outside: the real program, asked as agents ask it.

mod crowd;
mod hostile;
mod install;
mod places;
mod rows;
mod start;

use super::folder_with;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Where the state of a review is.
const STATE: &str = ".claude/review-loop-state.yaml";
const PROMISE: &str = "All done.\n\n<review-complete>ALL_ISSUES_RESOLVED</review-complete>";
const PROMPT: &str = "Finish the review of docs/prd.md.";

/// A project with a review, and a home of its own.
pub(super) struct Desk {
    folder: TempDir,
    home: TempDir,
}

/// What the hook said.
#[derive(Debug)]
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Said {
    /// Returns what it said to the agent's program; nothing where it said nothing.
    fn answer(&self) -> Value {
        match self.out.trim() {
            "" => Value::Null,
            line => serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}")),
        }
    }

    fn holds(&self) -> bool {
        self.answer()["decision"] == "block"
    }

    /// Returns what a person is told.
    fn told(&self) -> String {
        self.answer()["systemMessage"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns what the agent is told.
    fn reason(&self) -> String {
        self.answer()["reason"].as_str().unwrap_or_default().to_owned()
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Desk {
    fn empty() -> Self {
        Self::with(&[])
    }

    fn with(files: &[(&str, &str)]) -> Self {
        Self {
            folder: folder_with(files),
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// Makes a project with a review and these issues in its tracker.
    fn reviewing(states: &[&str]) -> Self {
        Self::with(&[(STATE, &state(&[])), ("reviews/issues.md", &tracker(states))])
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read(self.path(path))
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Says whether the review is over: its file is gone.
    fn is_over(&self) -> bool {
        fs::symlink_metadata(self.path(STATE)).is_err()
    }

    /// Returns the program with nothing of the environment of these tests.
    fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", self.home.path())
            .env("HOME", self.home.path());
        command
    }

    fn run(&self, args: &[&str]) -> Said {
        self.program(args).stdin(Stdio::null()).output().unwrap().into()
    }

    /// Asks as Claude Code asks.
    fn stop(&self, message: &str) -> Said {
        self.ask(&self.question(message))
    }

    fn question(&self, message: &str) -> Value {
        json!({
            "session_id": "s", "transcript_path": self.path("none.jsonl"), "cwd": self.folder.path(),
            "permission_mode": "default", "hook_event_name": "Stop", "stop_hook_active": false,
            "last_assistant_message": message,
        })
    }

    fn ask(&self, question: &Value) -> Said {
        feed(self.program(&["hook", "stop"]), question.to_string().as_bytes())
    }
}

/// Runs a command with this input.
fn feed(mut command: Command, input: &[u8]) -> Said {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that does not read to the end is free to.
    stdin.write_all(input).ok();
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

/// Returns the state file of a review with two rounds left, and other values where these say so.
fn state(changes: &[(&str, &str)]) -> String {
    let mut text = format!(
        "# Where a review loop stands.\n---\nactive: true\nworkflow_name: \"create-prd\"\n\
         tracker_path: \"reviews/issues.md\"\n\n# Rounds\ncurrent_round: 1   # the first\nmax_rounds: 3\n\
         pending_count: 1\nconsecutive_failures: 0\nmax_consecutive_failures: 5\nmax_runtime_seconds: 1800\n\
         started_at: \"{}\"\nlast_updated: \"2026-01-15T10:30:00Z\"\nnote: 'kept: as it is'\n\
         completion_promise: ALL_ISSUES_RESOLVED\n---\n{PROMPT}\n",
        now()
    );
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    text
}

/// Returns the time as a state file has it.
fn now() -> String {
    let output = Command::new("date")
        .args(["-u", "+%Y-%m-%dT%H:%M:%SZ"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Returns a tracker with issues in these states.
fn tracker(states: &[&str]) -> String {
    let issue = |(at, state): (usize, &&str)| format!("### F-{} · high · {state}\n\nIt is not right.\n", at + 1);
    let issues: String = states.iter().enumerate().map(issue).collect();
    format!("# Issue tracker\n\n<!-- ISSUES_START -->\n{issues}<!-- ISSUES_END -->\n")
}

/// Returns the round of a state file.
fn round(text: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix("current_round: "));
    line.unwrap().split_whitespace().next().unwrap().parse().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
