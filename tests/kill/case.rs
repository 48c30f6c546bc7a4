//! The workflows, each in a folder of its own that can be put back to how it was.

use crate::packages;
use bmad::host::Line;
use bmad::machine::Outcome;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// How long a run may take before it counts as hanging.
const PATIENCE: &str = "60";
/// The time of every run.
const CLOCK: &str = "1794723365000";

/// Which workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Workflow {
    /// A workflow that calls a task that calls another, with questions and a document.
    Nested,
    /// Lanes of an agent that notes what it is paid for, in a git work tree.
    Parallel,
    /// The review loop over two rounds, with fixes of a document.
    Review,
    /// `create-prd` of a real package, with an agent that writes the document itself.
    CreatePrd,
}

impl Workflow {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Workflow::Nested => "nested",
            Workflow::Parallel => "parallel",
            Workflow::Review => "review",
            Workflow::CreatePrd => "create-prd",
        }
    }
}

/// A workflow in a folder: `project`, `state` and `calls`, the list of turns that were paid for.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) workflow: Workflow,
    folder: TempDir,
    file: String,
    agent: String,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Ended {
    /// Says whether a signal nobody can refuse ended it.
    pub(crate) fn is_killed(&self) -> bool {
        self.code == 137
    }
}

impl Case {
    /// Makes a workflow ready to run; none where its package cannot be had.
    pub(crate) fn new(workflow: Workflow) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let calls = folder.path().join("calls");
        let script = |name: &str| format!("command:sh {} {}", here().join(name).display(), calls.display());
        let (file, agent) = match workflow {
            Workflow::Nested => ("workflow.yaml", format!("record:{}:script:--ack", calls.display())),
            Workflow::Parallel => ("workflow.xml", script("surveyor.sh")),
            Workflow::Review => (
                "_bmad/core/tasks/review-loop.xml",
                format!("record:{}:script:script.yaml", calls.display()),
            ),
            Workflow::CreatePrd => (
                "_bmad/bmm/workflows/2-plan-workflows/create-prd/workflow-create-prd.md",
                script("writer.sh"),
            ),
        };
        let case = Self {
            workflow,
            file: file.to_owned(),
            agent,
            folder,
        };
        let project = case.project();
        match workflow {
            Workflow::Nested => copy(&here().join("nested"), &project),
            Workflow::Parallel => copy(&here().join("parallel"), &project),
            Workflow::Review => copy(&scene(), &project),
            Workflow::CreatePrd => {
                let source = packages::fetched()?.join("bmad-method-6.0.4/package/src");
                for part in ["core", "bmm/workflows/2-plan-workflows/create-prd"] {
                    copy(&source.join(part), &project.join("_bmad").join(part));
                }
            }
        }
        case.reset();
        if workflow == Workflow::CreatePrd {
            case.answer_everything();
        }
        Some(case)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// Puts everything back to how it was before the first run.
    pub(crate) fn reset(&self) {
        self.end_agents();
        for path in ["state", "calls", "project/out", "project/_bmad-output", "project/.git"] {
            let path = self.folder.path().join(path);
            let gone = if path.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            assert!(gone.is_ok() || !path.exists(), "{}", path.display());
        }
        if self.workflow == Workflow::Review {
            fs::copy(scene().join("plan.md"), self.project().join("plan.md")).unwrap();
        }
        if self.workflow == Workflow::Nested {
            // Where this folder is there, what people see of a run is kept up to date in it.
            fs::create_dir_all(self.project().join("_bmad-output")).unwrap();
        }
        if self.workflow == Workflow::Parallel {
            let made = Command::new("git")
                .args(["init", "--quiet", "--template="])
                .current_dir(self.project())
                .status();
            assert!(made.unwrap().success());
        }
    }

    /// Ends agents that outlived their engine: they would write into the next run.
    fn end_agents(&self) {
        let project = self.project();
        let is_here = |pid: &String| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == project);
        loop {
            let names = fs::read_dir("/proc").unwrap().flatten();
            let names = names.filter_map(|entry| entry.file_name().into_string().ok());
            let agents: Vec<String> = names.filter(is_here).collect();
            if agents.is_empty() {
                return;
            }
            let ended = Command::new("kill").arg("-9").args(agents).output();
            assert!(ended.is_ok());
        }
    }

    /// Returns the command line that begins a run.
    pub(crate) fn exec(&self) -> Vec<String> {
        let mut words = self.command("exec");
        words.push(self.file.clone());
        if self.workflow == Workflow::Review {
            let inputs = [
                "content_path=plan.md",
                "section_name=Plan",
                "workflow_name=ferry",
                "requested=yes",
                "wanted_level=minimal",
            ];
            words.extend(inputs.map(|input| format!("--input={input}")));
        }
        words.extend(["--agent".to_owned(), self.agent.clone()]);
        words
    }

    /// Returns the command line that goes on with the last run.
    pub(crate) fn resume(&self) -> Vec<String> {
        self.command("resume")
    }

    /// Returns the command line that checks the journal of the last run.
    pub(crate) fn verify(&self) -> Vec<String> {
        let state = self.state().display().to_string();
        [&program(), "verify", "--state-dir", &state].map(str::to_owned).into()
    }

    fn command(&self, name: &str) -> Vec<String> {
        let state = self.state().display().to_string();
        let mut words: Vec<String> = [
            &program(),
            name,
            "--non-interactive",
            "--clock",
            CLOCK,
            "--state-dir",
            &state,
        ]
        .map(str::to_owned)
        .into();
        let answers = self.folder.path().join("project/answers.yaml");
        if answers.exists() {
            words.extend(["--answers".to_owned(), answers.display().to_string()]);
        }
        words
    }

    /// Runs a command line in the project until it ends.
    pub(crate) fn run(&self, before: &[&str], words: &[String]) -> Ended {
        let output = Command::new("timeout")
            .args([PATIENCE])
            .args(before)
            .args(words)
            .current_dir(self.project())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = output.status.code().unwrap_or(137);
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (output, errors) = (text(&output.stdout), text(&output.stderr));
        assert_ne!(code, 124, "{before:?} {words:?} hangs: {output}\n{errors}");
        Ended { code, output, errors }
    }

    /// Returns the journal of the newest run, if there is one.
    pub(crate) fn journal(&self) -> Option<PathBuf> {
        let projects = fs::read_dir(self.state().join("projects")).ok()?.flatten();
        let runs = projects.filter_map(|project| fs::read_dir(project.path().join("runs")).ok());
        let mut folders: Vec<PathBuf> = runs.flatten().flatten().map(|run| run.path()).collect();
        folders.sort();
        folders.pop().map(|folder| folder.join("journal.jsonl"))
    }

    /// Returns the files of the project.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let project = self.project();
        let mut files = BTreeMap::new();
        let mut folders = vec![project.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap().flatten() {
                let path = entry.path();
                if !path.is_dir() {
                    let name = path.strip_prefix(&project).unwrap().display().to_string();
                    files.insert(name, fs::read(&path).unwrap());
                } else if entry.file_name() != ".git" {
                    folders.push(path);
                }
            }
        }
        files
    }

    /// Returns the turns that were paid for, by name.
    pub(crate) fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join("calls")).unwrap_or_default();
        let name = |line: &str| match self.workflow {
            Workflow::Nested | Workflow::Review => {
                let take: serde_json::Value = serde_json::from_str(line).unwrap();
                format!("{} {}", take["digest"].as_str().unwrap(), take["n"])
            }
            Workflow::Parallel | Workflow::CreatePrd => line.to_owned(),
        };
        text.lines().map(name).collect()
    }

    /// Returns the name of the turn whose end a line tells.
    pub(crate) fn paid(&self, line: &Line<'_>) -> Option<String> {
        let Line::Done { key, outcome, .. } = line else {
            return None;
        };
        let Outcome::Replied(envelope) = outcome.as_ref() else {
            return None;
        };
        match self.workflow {
            Workflow::Nested | Workflow::Review => Some(format!("{} {}", key.digest, key.n)),
            Workflow::Parallel | Workflow::CreatePrd => envelope.text.strip_prefix("reply ").map(str::to_owned),
        }
    }

    /// Puts answers to everything that is asked into one file.
    fn answer_everything(&self) {
        static ANSWERS: OnceLock<String> = OnceLock::new();
        let answers = ANSWERS.get_or_init(|| self.find_answers());
        fs::write(self.project().join("answers.yaml"), answers).unwrap();
    }

    /// Runs until nothing is asked any more.
    fn find_answers(&self) -> String {
        let mut all = String::new();
        let mut ended = self.run(&[], &self.exec());
        while ended.code == 3 {
            let path = self.journal().unwrap().with_file_name("answers.yaml");
            let filled = fill(&fs::read_to_string(&path).unwrap());
            assert!(!all.contains(&filled), "{}", ended.errors);
            all.push_str(&filled);
            fs::write(&path, filled).unwrap();
            ended = self.run(&[], &self.resume());
        }
        self.reset();
        all
    }
}

/// Returns the scene of the review loop that is killed.
fn scene() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review/two-rounds")
}

/// Answers every question of a file: continue where that is offered, otherwise the last choice, otherwise a word.
fn fill(blank: &str) -> String {
    let mut filled = String::new();
    let mut choices: Vec<&str> = Vec::new();
    for line in blank.lines() {
        if let Some(choice) = line.strip_prefix("#   ").filter(|choice| !choice.starts_with("step ")) {
            choices.extend(choice.split(": ").next());
        }
        if let Some(id) = line
            .split(':')
            .next()
            .filter(|_| line.trim_end().ends_with(':') && !line.starts_with('#'))
        {
            let last = choices.last().copied().unwrap_or("none");
            let answer = if choices.contains(&"C") { "C" } else { last };
            filled.push_str(&format!("{id}: {answer}\n"));
            choices.clear();
        }
    }
    filled
}

/// Returns the program: the one that was just built, or the one that `BMAD_PROGRAM` names.
pub(crate) fn program() -> String {
    std::env::var("BMAD_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_bmad").to_owned())
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kill")
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
