//! A project with a small workflow, and a folder for its runs.

use super::{Ended, Run, folder_with};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// When every run begins: 2026-11-15 06:16:05 UTC.
pub(super) const CLOCK: &str = "1794723365000";
/// The id of a run that begins then.
pub(super) const RUN: &str = "20261115-061605-0000";

/// A question, a document in two parts, and a note.
const FILES: &[(&str, &str)] = &[
    (
        "flow/workflow.yaml",
        "name: page\n\
         instructions: \"{installed_path}/instructions.md\"\n\
         template: \"{installed_path}/template.md\"\n\
         default_output_file: \"{project-root}/docs/page.md\"\n",
    ),
    (
        "flow/template.md",
        "---\ntitle: Page # ours\nstepsCompleted: []\n---\n\n# Page\n\n## Summary\n\n{{summary}}\n\n## Risks\n\n{{risks}}\n",
    ),
    (
        "flow/instructions.md",
        "<workflow>\n\
         <step n=\"1\" goal=\"Ask\"><ask response=\"visitor\">What is your name?</ask></step>\n\
         <step n=\"2\" goal=\"Summarise\">\n\
         <action>Read the notes</action>\n\
         <template-output>summary</template-output>\n\
         </step>\n\
         <step n=\"3\" goal=\"Find risks\">\n\
         <action>Think about risks</action>\n\
         <template-output>risks</template-output>\n\
         </step>\n\
         <step n=\"4\" goal=\"Note\"><output file=\"{project-root}/note.md\">For {visitor}</output></step>\n\
         </workflow>\n",
    ),
    ("answers.yaml", "visitor: Ada\n"),
];

/// A project and the folder for its runs.
pub(super) struct Place {
    pub(super) project: TempDir,
    pub(super) state: TempDir,
}

impl Place {
    /// Makes a project with the small workflow and these files.
    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let all: Vec<(&str, &str)> = FILES.iter().chain(files).copied().collect();
        Self {
            project: folder_with(&all),
            state: tempfile::tempdir().unwrap(),
        }
    }

    /// Makes the project, and runs its workflow.
    pub(super) fn with_run() -> Self {
        let place = Self::with(&[]);
        assert_eq!(place.exec("flow/workflow.yaml", "script:--ack").code, 0);
        place
    }

    /// Runs the program in the project.
    pub(super) fn call(&self, args: &[&str]) -> Ended {
        self.program().call(args)
    }

    /// Returns the program as it runs in the project.
    pub(super) fn program(&self) -> Run {
        let state = self.state.path().to_str().unwrap();
        let mut run = Run::default().with("XDG_STATE_HOME", state);
        run.environment.folder = self.project.path().to_path_buf();
        run
    }

    /// Runs a workflow to its end.
    pub(super) fn exec(&self, file: &str, agent: &str) -> Ended {
        self.going(&["exec", file, "--agent", agent])
    }

    /// Goes on with the last run.
    pub(super) fn resume(&self) -> Ended {
        self.going(&["resume"])
    }

    fn going(&self, args: &[&str]) -> Ended {
        let rest = [
            "--answers",
            "answers.yaml",
            "--yolo",
            "--non-interactive",
            "--clock",
            CLOCK,
        ];
        self.call(&[args, &rest].concat())
    }

    /// Returns the text of a file of the project; none where it is not there.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.project.path().join(path)).ok()
    }

    /// Writes a file of the project.
    pub(super) fn write(&self, path: &str, text: &str) {
        fs::write(self.project.path().join(path), text).unwrap();
    }

    /// Returns the folder of the run.
    pub(super) fn run(&self) -> PathBuf {
        let projects = self.state.path().join("bmad/projects");
        let project = fs::read_dir(projects).unwrap().next().unwrap().unwrap();
        project.path().join("runs").join(RUN)
    }

    /// Returns where the journal of the run is.
    pub(super) fn journal(&self) -> PathBuf {
        self.run().join("journal.jsonl")
    }
}
