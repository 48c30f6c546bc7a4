//! The commands that the workflows of a project name in, those that a run may run out: what nobody trusted is refused, by
//! name.

use super::{Project, hooks};
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::drivers::Shell;
use crate::model::{Act, Invoked, Workflow, visit};
use crate::os::store::Store;
use crate::os::trust::Trust;
use crate::project::{Loaded, ProjectCommand, command_seal, commands};
use crate::runner::{ProjectCommands, Refuse};
use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

/// A command, and whether somebody trusts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct RunCommand {
    /// The command.
    pub(in crate::cli) own: ProjectCommand,
    /// What is trusted.
    pub(in crate::cli) seal: String,
    /// Whether it is.
    pub(in crate::cli) is_trusted: bool,
}

/// Reads the commands of a project, each with whether it is trusted.
pub(in crate::cli) fn found(project: &Project, store: &Store, session: &Session<'_>) -> Vec<RunCommand> {
    let all = commands(&project.loaded, &project.root);
    if all.is_empty() {
        return Vec::new();
    }
    let trusted = Trust::of(store).seals();
    let host = session.host();
    let each = all.into_iter().map(|own| {
        let seal = command_seal(&own.text, &project.root, &*host);
        RunCommand {
            is_trusted: trusted.contains(&seal),
            own,
            seal,
        }
    });
    each.collect()
}

/// Puts together who runs the commands of a project, and which of them may run: those that are trusted, and those that
/// the person allows for this run.
pub(super) fn of_project(
    project: &Project,
    allowed: &[String],
    store: &Store,
    session: &Session<'_>,
) -> ProjectCommands {
    ProjectCommands {
        shell: Arc::new(Shell::of_project(&session.inherited(|_| true), &session.secrets)),
        refuse: refuse(project, allowed, store, session),
    }
}

/// Returns which commands of a project may not run, where there are any that may.
pub(in crate::cli) fn refusing(
    project: &Project,
    allowed: &[String],
    store: &Store,
    session: &Session<'_>,
) -> Option<Refuse> {
    let all = commands(&project.loaded, &project.root);
    let refuse = refuse(project, allowed, store, session);
    let runs = all.iter().any(|own| refuse(&own.text).is_none());
    runs.then_some(refuse)
}

/// Returns the commands that a run was allowed as they are written down. One with a secret in it is not: masked it would
/// be another command, and it has to be allowed once more.
pub(super) fn kept(allowed: &[String], session: &Session<'_>) -> Vec<String> {
    let is_plain = |command: &&String| session.secrets.masked_loosely(command) == command.as_str();
    allowed.iter().filter(is_plain).cloned().collect()
}

/// Looks at a command when it is about to run: a script that it starts may have changed since the run began.
fn refuse(project: &Project, allowed: &[String], store: &Store, session: &Session<'_>) -> Refuse {
    let known = commands(&project.loaded, &project.root);
    let (allowed, root) = (allowed.to_vec(), project.root.clone());
    let (trust, host) = (Trust::of(store), session.host());
    Arc::new(move |command| {
        let Some(own) = known.iter().find(|own| own.text == command) else {
            return Some("it stands in no workflow of the project and not in its configuration".to_owned());
        };
        if allowed.iter().any(|text| text.trim() == command) {
            return None;
        }
        match trust.seals().contains(&command_seal(command, &root, &*host)) {
            true => None,
            false => Some(format!(
                "nobody trusted it; `{}` shows and trusts it",
                hooks::trust(&own.file, None)
            )),
        }
    })
}

/// Says before anything is paid for which commands of the workflow, and of those it calls, will not run.
pub(super) fn tell_untrusted(
    project: &Project,
    allowed: &[String],
    (store, state): (&Store, Option<&Path>),
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    let reached = reached(project);
    let mut told = HashSet::new();
    for RunCommand { own, is_trusted, .. } in found(project, store, session) {
        let runs = is_trusted || allowed.iter().any(|text| text.trim() == own.text);
        if !runs && reached.contains(&own.workflow) && told.insert(own.text.clone()) {
            let line = crate::cli::brief::short(&own.text);
            writeln!(
                session.errors,
                "note: the command `{line}` will not run, nobody trusted it; `{}` shows and trusts it",
                hooks::trust(&own.file, state)
            )?;
        }
    }
    Ok(())
}

/// Returns the workflow that runs and those that it calls, by position, and whose protocols they invoke.
fn reached(project: &Project) -> HashSet<usize> {
    let Loaded {
        program,
        workflows,
        library,
        ..
    } = &project.loaded;
    let is_core = |at: &usize| workflows[*at].is_core(library);
    let cores: Vec<usize> = (0..workflows.len()).filter(is_core).collect();
    let mut reached = HashSet::from([project.at]);
    let mut waiting = vec![project.at];
    while let Some(at) = waiting.pop() {
        let borrowed = cores.iter().copied().filter(|_| borrows(&workflows[at]));
        for next in program.called(at).chain(borrowed) {
            if reached.insert(next) {
                waiting.push(next);
            }
        }
    }
    reached
}

/// Says whether a workflow invokes a protocol that is not its own.
fn borrows(workflow: &Workflow) -> bool {
    let mut borrows = false;
    for step in workflow.all_steps() {
        visit(&step.body, &mut |instruction| {
            if let Act::Invoke(invoke) = &instruction.act {
                borrows |= invoke.what == Invoked::Protocol && !workflow.has_protocol(&invoke.target.text);
            }
        });
    }
    borrows
}

/// Returns a file as a person finds it: the standard library by the path it would have in a project.
pub(in crate::cli) fn seen(file: &str) -> String {
    match Path::new(file).strip_prefix(crate::model::STANDARD) {
        Ok(inside) => format!("_bmad/{}", inside.display()),
        Err(_) => file.to_owned(),
    }
}

/// Returns the name of a file as a person knows it: one of the standard library is not on their disk.
pub(in crate::cli) fn named(file: &str) -> String {
    let inside = Path::new(file).strip_prefix(crate::model::STANDARD).ok();
    match inside.and_then(Path::file_name) {
        Some(name) => format!("{} of the standard library", name.display()),
        None => file.to_owned(),
    }
}
