//! The project around a workflow, ready to run.

use crate::builtins;
use crate::cli::failure::Failure;
use crate::cli::pick::pick_to_run;
use crate::cli::session::Session;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::{Settings, Subject};
use crate::machine::{Image, sha256};
use crate::model::{Act, Invoked, Workflow, visit};
use crate::project::{Loaded, root_of, settings, settings_in};
use crate::source::{SourceId, Span};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// How many faults are shown that do not keep a workflow from running.
const MOST_SHOWN: usize = 5;

/// A project, and the workflow of it that runs.
#[derive(Debug)]
pub(in crate::cli) struct Project {
    /// The project.
    pub(in crate::cli) loaded: Loaded,
    /// The workflow, by position.
    pub(in crate::cli) at: usize,
    /// The folder that the run works on: `{project-root}`.
    pub(in crate::cli) root: PathBuf,
    /// Where the files of the workflow are: a folder below it, or an absolute path elsewhere.
    pub(in crate::cli) below: String,
}

/// Reads what is around a file and finds the workflow it means.
pub(in crate::cli) fn open(file: &Path, session: &mut Session<'_>) -> Result<Project, Failure> {
    let picked = pick_to_run(file, session)?;
    let at = picked.workflow(file, session)?;
    let here = root_of(&*session.host(), session.folder());
    let project = placed(picked.loaded, at, &here, session);
    if project.root != here {
        writeln!(
            session.errors,
            "note: this run works on `{}`; go there to resume it",
            project.root.display()
        )?;
    }
    Ok(project)
}

/// Reads what is around any file of a project; where it means no workflow, none is about to run.
pub(in crate::cli) fn around(file: &Path, session: &Session<'_>) -> Result<Project, Failure> {
    let picked = pick_to_run(file, session)?;
    let at = picked.workflows.first().copied().unwrap_or_default();
    let here = root_of(&*session.host(), session.folder());
    Ok(placed(picked.loaded, at, &here, session))
}

/// Finds the folder that a run works on; `here` is the project that the person is in.
fn placed(mut loaded: Loaded, at: usize, here: &Path, session: &Session<'_>) -> Project {
    // A workflow of its own, wherever it is, works on the folder the person is in.
    let below = loaded.root.strip_prefix(here).ok().and_then(|path| path.to_str());
    let (root, below) = match below {
        Some(below) => (here.to_path_buf(), below.replace('\\', "/")),
        None if is_alone(&loaded, at) => {
            let below = loaded.root.display().to_string().replace('\\', "/");
            (here.to_path_buf(), below)
        }
        None => (loaded.root.clone(), String::new()),
    };
    if root != loaded.root {
        loaded.beyond = settings_in(&*session.host(), &root);
    }
    Project {
        loaded,
        at,
        root,
        below,
    }
}

/// Refuses a workflow that calls a built-in which this version only declares: better now than after agents were paid.
fn unrunnable(project: &Project) -> Result<(), Failure> {
    let mut found: Option<(&str, Span)> = None;
    for step in &project.workflow().steps {
        visit(&step.body, &mut |instruction| {
            if let Act::Invoke(invoke) = &instruction.act
                && invoke.what == Invoked::Builtin
                && builtins::named(&invoke.target.text).is_some_and(|builtin| !builtin.is_runnable())
            {
                found.get_or_insert((&invoke.target.text, instruction.span));
            }
        });
    }
    let Some((name, span)) = found else {
        return Ok(());
    };
    let place = project.place(span);
    let message = format!("{place}: the built-in `{name}` is declared, and this version cannot run it yet");
    Err(Failure::usage(message).with_hint(format!(
        "nothing was started; `bmad explain {name}` says what it will do"
    )))
}

/// Says whether a workflow is a folder of its own, and not a part of an installation.
fn is_alone(loaded: &Loaded, at: usize) -> bool {
    let Some(workflow) = loaded.workflows.get(at) else {
        return false;
    };
    let home = loaded.library.source(workflow.home).path();
    loaded.library.roots.is_empty() && home.folder().as_str().is_empty()
}

impl Project {
    /// Returns the workflow.
    pub(in crate::cli) fn workflow(&self) -> &Workflow {
        &self.loaded.workflows[self.at]
    }

    /// Returns the file that declares it, relative to the project.
    pub(in crate::cli) fn home(&self) -> String {
        self.path(self.workflow().home)
    }

    /// Returns everything that machines of this project run.
    pub(in crate::cli) fn image(&self) -> Image<'_> {
        Image::new(&self.loaded.library, &self.loaded.workflows, &self.loaded.program).below(&self.below)
    }

    /// Returns the files it is made of, with their SHA-256.
    pub(in crate::cli) fn sources(&self) -> Vec<(String, String)> {
        let files = self.workflow().files.iter();
        files
            .map(|file| {
                let text = self.loaded.library.source(*file).text();
                (self.path(*file), sha256(text.as_bytes()))
            })
            .collect()
    }

    /// Returns where a span begins: `path:line:column`.
    fn place(&self, span: Span) -> String {
        let position = self.loaded.library.source(span.source).position(span.start);
        format!("{}:{}:{}", self.path(span.source), position.line, position.column)
    }

    /// Returns a file as seen from the folder that the run works on.
    pub(in crate::cli) fn path(&self, file: SourceId) -> String {
        let path = self.loaded.library.source(file).path().as_str();
        if self.below.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", self.below)
        }
    }

    fn faults(&self) -> Vec<Diagnostic> {
        let settings = settings(&self.loaded, &Settings::default());
        let subject = Subject {
            library: &self.loaded.library,
            workflows: &self.loaded.workflows,
            program: &self.loaded.program,
            settings: &settings,
        };
        let files = self.workflow().files.iter();
        let mut found: Vec<Diagnostic> = files
            .flat_map(|file| subject.lint_files(&[self.loaded.library.document(*file)]))
            .collect();
        found.extend(subject.lint_workflow(self.at));
        found
    }
}

/// Refuses a workflow without a step, and one with errors in tags that leave nothing to guess; shows them.
pub(in crate::cli) fn refuse(project: &Project, session: &mut Session<'_>) -> Result<(), Failure> {
    let home = project.home();
    if project.workflow().steps.is_empty() {
        return Err(Failure::usage(format!("`{home}` has no step to begin with"))
            .with_hint(format!("`bmad explain {home}` shows what was understood of it")));
    }
    let mut faults = project.faults();
    faults.retain(|finding| finding.severity == Severity::Error);
    let (refused, others): (Vec<_>, Vec<_>) = faults.iter().partition(|finding| finding.code.0 == "engine-tag");
    for fault in refused.iter().chain(others.iter().take(MOST_SHOWN)) {
        writeln!(session.errors, "{}: {}", project.place(fault.span), fault.message)?;
    }
    if let Some(more) = others.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
        writeln!(session.errors, "{more} more: `bmad lint {home}` shows them")?;
    }
    if refused.is_empty() {
        return unrunnable(project);
    }
    Err(Failure::usage(format!(
        "`{home}` has errors in the engine's own tags and was not started"
    ))
    .with_hint(format!("`bmad lint {home}` shows them with their lines")))
}
