//! Workflows to measure, each in a folder of its own.

use super::run::{Run, clock, until, watch};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// A folder with one workflow, and the state of its runs.
pub(super) struct Folder(TempDir);

impl Folder {
    /// Makes a folder on the disk.
    pub(super) fn new(workflow: &str) -> Self {
        Self::with(tempfile::tempdir().unwrap(), workflow)
    }

    /// Makes a folder in memory where there is such a place: what is measured is not the disk.
    pub(super) fn in_memory(workflow: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let made = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        Self::with(made.unwrap(), workflow)
    }

    fn with(folder: TempDir, workflow: &str) -> Self {
        std::fs::write(folder.path().join("workflow.xml"), workflow).unwrap();
        Self(folder)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the workflow; nobody is asked.
    pub(super) fn exec(&self, more: &[&str]) -> Run {
        watch(&mut self.executing(more))
    }

    /// Does the same, and only looks at the clock.
    pub(super) fn clock_exec(&self, more: &[&str]) -> Duration {
        clock(&mut self.executing(more))
    }

    fn executing(&self, more: &[&str]) -> Command {
        let mut arguments = vec!["exec", "workflow.xml", "--non-interactive"];
        if !more.contains(&"--fuel") {
            arguments.extend(["--fuel", "100000"]);
        }
        self.bmad(&arguments, more)
    }

    /// Goes on with the last run; nobody is asked.
    pub(super) fn resume(&self, more: &[&str]) -> Run {
        watch(&mut self.bmad(&["resume", "--non-interactive"], more))
    }

    /// Goes on with the last run, and answers how long it takes until something new begins.
    pub(super) fn next_effect(&self) -> Duration {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
        let state = self.path().join("state");
        command.args(["resume", "--json", "--anyway", "--state-dir"]).arg(state);
        until("\"event\":\"began\"", command.current_dir(self.path()))
    }

    fn bmad(&self, first: &[&str], more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bmad"));
        command.args(first).args(more).current_dir(self.path());
        if !more.contains(&"--state-dir") {
            command.arg("--state-dir").arg(self.path().join("state"));
        }
        command
    }

    /// Returns where the journal of the last run is.
    pub(super) fn journal(&self) -> PathBuf {
        let only = |folder: PathBuf| {
            std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .max()
        };
        let project = only(self.path().join("state/projects")).unwrap();
        only(project.join("runs")).unwrap().join("journal.jsonl")
    }

    /// Returns when each effect of the last run was finished, in milliseconds.
    pub(super) fn times(&self) -> Vec<i64> {
        let text = std::fs::read_to_string(self.journal()).unwrap();
        let at = |line: &str| {
            let rest = line.strip_prefix("{\"line\":\"done\",\"at\":")?;
            rest.split(',').next()?.parse().ok()
        };
        text.lines().filter_map(at).collect()
    }
}

/// Puts steps into a workflow.
pub(super) fn of_steps(steps: &str) -> String {
    format!("<workflow name=\"Measured\">\n  {steps}\n</workflow>\n")
}

/// Makes a workflow of steps that do nothing but set a variable; `first` comes before them.
pub(super) fn linear(count: usize, first: &str) -> String {
    let step =
        |n: usize| format!("  <step n=\"{n}\" goal=\"Step {n}\">\n    <set name=\"x\" value=\"{n}\"/>\n  </step>\n");
    let steps: String = (1..=count).map(step).collect();
    of_steps(&format!("{first}\n{steps}"))
}
