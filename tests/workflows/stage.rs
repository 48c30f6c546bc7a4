//! A copy of a workflow in a folder of its own, the real program, and the trace of what it did.

use crate::corpus;
use bmad::host::Line;
use bmad::machine::{Answer, By, Effect, How, Key, Outcome, Task};
use bmad::os::journal;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The time at which every run begins, and ends.
const CLOCK: &str = "1794723365000";
/// How much of a text is shown.
const SHORT: usize = 72;

/// A folder with one workflow in it, and nothing else.
pub(crate) struct Stage {
    folder: TempDir,
    state: TempDir,
    before: HashMap<PathBuf, Vec<u8>>,
}

/// How the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Stage {
    pub(crate) fn with(workflow: &str) -> Self {
        let from = super::top().join("workflows").join(workflow);
        Self::of(&from, &Path::new("workflows").join(workflow), &[])
    }

    /// Makes one of a folder of files, without some of them.
    pub(crate) fn copy_of(from: &Path, without: &[&str]) -> Self {
        Self::of(from, Path::new(""), without)
    }

    fn of(from: &Path, place: &Path, without: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for path in corpus::files(from) {
            let inside = path.strip_prefix(from).unwrap();
            if without.iter().any(|name| inside == Path::new(name)) {
                continue;
            }
            let to = folder.path().join(place).join(inside);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(path, to).unwrap();
        }
        Self::around(folder)
    }

    /// Makes a folder with some files of its own.
    pub(crate) fn holding(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let to = folder.path().join(path);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::write(to, text).unwrap();
        }
        Self::around(folder)
    }

    fn around(folder: TempDir) -> Self {
        let before = contents(folder.path());
        let state = tempfile::tempdir().unwrap();
        Self { folder, state, before }
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.folder.path().join(inside)
    }

    pub(crate) fn read(&self, inside: &str) -> String {
        std::fs::read_to_string(self.path(inside)).unwrap()
    }

    /// Runs the program; what is typed goes through a pipe.
    pub(crate) fn run(&self, args: &[&str], typed: &str) -> Ended {
        self.run_in("", args, typed)
    }

    /// Runs the program in a folder of the stage.
    pub(crate) fn run_in(&self, folder: &str, args: &[&str], typed: &str) -> Ended {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bmad"))
            .args(args)
            .arg("--state-dir")
            .arg(self.state.path())
            .env_clear()
            .current_dir(self.folder.path().join(folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that never asks leaves the pipe before anything is written to it.
        match child.stdin.take().unwrap().write_all(typed.as_bytes()) {
            Ok(()) | Err(_) => {}
        }
        let output = child.wait_with_output().unwrap();
        Ended {
            code: output.status.code().unwrap(),
            output: String::from_utf8(output.stdout).unwrap(),
            errors: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the program at a time that stands still.
    pub(crate) fn run_at(&self, args: &[&str], typed: &str) -> Ended {
        self.run(&[args, &["--clock", CLOCK]].concat(), typed)
    }

    /// Returns every effect of the one run there was, one a line, and how it stopped.
    pub(crate) fn trace(&self) -> String {
        let journals = corpus::files(self.state.path());
        let mut journals = journals.iter().filter(|path| path.ends_with("journal.jsonl"));
        let (Some(path), None) = (journals.next(), journals.next()) else {
            return String::new();
        };
        trace(path)
    }

    /// Returns the answers that were given, in their order.
    pub(crate) fn answers(&self) -> Vec<String> {
        let answered = |line: &str| {
            let (_, after) = line.split_once(" = ").filter(|_| line.contains(" ask "))?;
            Some(after.rsplit_once(" (")?.0.to_owned())
        };
        self.trace().lines().filter_map(answered).collect()
    }

    /// Returns every file that was made or changed, with its text.
    pub(crate) fn made(&self) -> String {
        let mut made = String::new();
        let mut now: Vec<_> = contents(self.folder.path()).into_iter().collect();
        now.sort();
        for (path, bytes) in now {
            if self.before.get(&path) != Some(&bytes) {
                let text = String::from_utf8(bytes).unwrap();
                writeln!(made, "\n--- {}\n{}", path.display(), text.trim_end()).unwrap();
            }
        }
        made
    }
}

fn contents(folder: &Path) -> HashMap<PathBuf, Vec<u8>> {
    let inside = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        (path.strip_prefix(folder).unwrap().to_path_buf(), bytes)
    };
    corpus::files(folder).into_iter().map(inside).collect()
}

fn trace(path: &Path) -> String {
    let mut begun: HashMap<Key, Effect> = HashMap::new();
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut stopped = String::new();
    for kept in journal::read(path).unwrap() {
        match kept.unwrap().line {
            Line::Intent { key, effect, .. } => {
                begun.insert(key, effect.into_owned());
            }
            Line::Done {
                key,
                step,
                effect,
                outcome,
                ..
            } => {
                let effect = effect.map(|effect| effect.into_owned());
                let effect = effect.or_else(|| begun.remove(&key)).unwrap();
                if !matches!(effect, Effect::Now) {
                    lines.push((key.lane.to_string(), format!("{step} {}", shown(&effect, &outcome))));
                }
            }
            Line::Stopped { how, why, .. } => stopped = format!("{how} {why}").trim().to_owned(),
            Line::Begun(_)
            | Line::Hooked(_)
            | Line::Called(_)
            | Line::Resumed(_)
            | Line::Settled { .. }
            | Line::RolledBack { .. } => {}
        }
    }
    let mut text = String::new();
    // Lanes end in any order; what they did is shown in the order they are written.
    for run in lines.chunk_by(|left, right| (left.0 == "0") == (right.0 == "0")) {
        let mut run = run.to_vec();
        run.sort_by(|left, right| left.0.cmp(&right.0));
        for (lane, line) in run {
            let lane = if lane == "0" {
                String::new()
            } else {
                format!("[{lane}] ")
            };
            writeln!(text, "{lane}{line}").unwrap();
        }
    }
    format!("{text}{stopped}\n")
}

fn shown(effect: &Effect, outcome: &Outcome) -> String {
    let came = came(outcome);
    match effect {
        Effect::Checkpoint(checkpoint) => match &checkpoint.step {
            Some(step) => format!("begins step {step} of {}: {}", checkpoint.workflow, checkpoint.goal),
            None => format!("ends {}", checkpoint.workflow),
        },
        Effect::Dispatch(task) => {
            let who = task.agent.as_deref().unwrap_or("agent");
            let answered = match task.answered.len() {
                0 => String::new(),
                count => format!(", {count} answered"),
            };
            format!("turn of {who}{answered}: {} -> {came}", short(said(task)))
        }
        Effect::Judge(task) => format!("judge: {} -> {came}", short(&task.conditions.join("; "))),
        Effect::Ask(question) => {
            let name = question.name.as_ref().unwrap_or(&question.id);
            let keys: Vec<&str> = question.choices.iter().map(|choice| choice.key.as_str()).collect();
            let keys = if keys.is_empty() {
                String::new()
            } else {
                format!(" [{}]", keys.join(" "))
            };
            format!("ask {name}: {}{keys} = {came}", short(&question.text))
        }
        Effect::Show { text } => format!("show: {}", short(text)),
        Effect::Read { path } => format!("read {path} -> {came}"),
        Effect::List { pattern } => format!("list {pattern} -> {came}"),
        Effect::Look { path } => format!("look for {path} -> {came}"),
        Effect::Write(write) => match &write.how {
            How::Replace => format!("write {} -> {came}", write.path),
            How::Start => format!("begin {} -> {came}", write.path),
            How::Section { name, .. } => format!("write {name} in {} -> {came}", write.path),
        },
        Effect::Run { command, .. } => format!("run {} -> {came}", short(command)),
        Effect::Verify { claims } => format!("verify {} claims -> {came}", claims.len()),
        Effect::Now => "now".to_owned(),
    }
}

fn said(task: &Task) -> &str {
    let first = task.instructions.first().map(|order| order.text.as_str());
    first.unwrap_or(&task.prompt)
}

fn came(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Replied(envelope) if !envelope.asks.is_empty() => "asks".to_owned(),
        Outcome::Replied(envelope) if !envelope.findings.is_empty() => format!("{} findings", envelope.findings.len()),
        Outcome::Replied(_) => "replied".to_owned(),
        Outcome::Answered(Answer { text, by }) => {
            let by = match by {
                By::Terminal => "person",
                By::File => "file",
                By::Policy => "policy",
                By::Rehearsal => "rehearsal",
            };
            format!("{} ({by})", short(text))
        }
        Outcome::Contents { text: Some(_), .. } => "text".to_owned(),
        Outcome::Contents { text: None, .. } => "nothing".to_owned(),
        Outcome::Listed { paths } => format!("{} paths", paths.len()),
        Outcome::Seen { there: true } => "there".to_owned(),
        Outcome::Seen { there: false } => "not there".to_owned(),
        Outcome::Written { .. } => "written".to_owned(),
        Outcome::Verified { wrong } if wrong.is_empty() => "true".to_owned(),
        Outcome::Verified { wrong } => format!("{} false", wrong.len()),
        Outcome::Ran { end, .. } => end.words(),
        Outcome::Time { .. } => "time".to_owned(),
        Outcome::Failed(failure) => format!("failed ({}): {}", failure.kind.name(), short(&failure.message)),
    }
}

/// Returns the beginning of a text on one line.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHORT) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}
