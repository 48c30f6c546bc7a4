//! The files of a project in, the hooks that a run of it may meet out: each with where it is in force and the seal that
//! somebody has to trust before it runs.

use super::load::Loaded;
use super::programs::programs;
use super::settings::written as settings;
use crate::host::Workspace;
use crate::machine::sha256;
use crate::model::{Document, Hook, HookEvent, SETTINGS, WrongHook, hooks as written};
use crate::source::SourceId;
use std::path::Path;

/// A hook of a project.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectHook {
    /// As it is written.
    pub hook: Hook,
    /// The file, as seen from the folder that a run works on.
    pub file: String,
    /// Where the command stands: `path:line`.
    pub place: String,
    /// What finds it again, also where lines above it came or went.
    pub id: String,
    /// What is trusted: a hash of every hook of the file and of the project's scripts that they start.
    pub seal: String,
    /// Where it is in force.
    pub scope: HookScope,
}

/// Where a hook is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookScope {
    /// Everywhere.
    Run,
    /// In one workflow, by position.
    Workflow(usize),
    /// In the steps of one file.
    File(SourceId),
    /// In the turns of one agent.
    Agent {
        /// Its short name.
        name: String,
        /// Its module, where it has one.
        module: Option<String>,
    },
}

/// An entry that is no hook, and where it stands: `path:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongEntry {
    /// Where.
    pub place: String,
    /// What is wrong, and what to do.
    pub wrong: WrongHook,
}

/// Reads the hooks of a project whose runs work on `root`.
pub fn hooks(loaded: &Loaded, root: &Path, host: &dyn Workspace) -> Vec<ProjectHook> {
    let mut found = Vec::new();
    for document in loaded.library.documents() {
        if let Some(scope) = scope(loaded, document) {
            let file = shown(loaded, root, document.source.path().as_str());
            found.extend(of_file(document, &file, &scope, (root, host)));
        }
    }
    if let Some(settings) = &loaded.beyond {
        found.extend(of_file(settings, SETTINGS, &HookScope::Run, (root, host)));
    }
    found
}

/// Lists what is wrong in the settings of a project.
pub fn wrong_hooks(loaded: &Loaded) -> Vec<WrongEntry> {
    settings(loaded)
        .rev()
        .flat_map(|document| {
            let entries = written(document).wrong.into_iter();
            entries.map(move |wrong| WrongEntry {
                place: format!("{SETTINGS}:{}", document.source.position(wrong.span.start).line),
                wrong,
            })
        })
        .collect()
}

/// Returns where the hooks of a file are in force; nowhere where no run comes to it.
fn scope(loaded: &Loaded, document: &Document) -> Option<HookScope> {
    let id = document.source.id();
    if document.source.path().as_str() == SETTINGS {
        return Some(HookScope::Run);
    }
    if let Some(at) = loaded.workflows.iter().position(|workflow| workflow.home == id) {
        return Some(HookScope::Workflow(at));
    }
    if let Some(agent) = loaded.library.agents.iter().find(|agent| agent.source == id) {
        let (name, module) = (agent.name.clone(), agent.module.clone());
        return Some(HookScope::Agent { name, module });
    }
    let is_part = loaded.workflows.iter().any(|workflow| workflow.files.contains(&id));
    is_part.then_some(HookScope::File(id))
}

/// Returns a file of the workflow's own folder as seen from the folder that a run works on.
pub(super) fn shown(loaded: &Loaded, root: &Path, path: &str) -> String {
    let full = loaded.root.join(path);
    let seen = full.strip_prefix(root).unwrap_or(&full);
    seen.display().to_string().replace('\\', "/")
}

fn of_file(
    document: &Document,
    file: &str,
    scope: &HookScope,
    (root, host): (&Path, &dyn Workspace),
) -> Vec<ProjectHook> {
    let source = &document.source;
    let found = written(document).written;
    if found.is_empty() {
        return Vec::new();
    }
    let seal = seal(file, found.iter(), root, host);
    let mut seen: Vec<(HookEvent, String)> = Vec::new();
    let each = found.into_iter().map(|hook| {
        let same = (hook.event, hook.command.text.clone());
        let before = seen.iter().filter(|it| **it == same).count();
        let id = format!("{file}\n{}\n{}\n{before}", hook.event.name(), hook.command.text);
        seen.push(same);
        ProjectHook {
            file: file.to_owned(),
            place: format!("{file}:{}", source.position(hook.command.span.start).line),
            id: sha256(id.as_bytes())[..16].to_owned(),
            seal: seal.clone(),
            scope: scope.clone(),
            hook,
        }
    });
    each.collect()
}

/// Returns the seal of a hook as it is now: a script that it starts may have changed since `all` were read.
pub fn hook_seal(own: &ProjectHook, all: &[ProjectHook], root: &Path, host: &dyn Workspace) -> String {
    let same = all.iter().filter(|it| it.file == own.file && it.seal == own.seal);
    seal(&own.file, same.map(|it| &it.hook), root, host)
}

/// Hashes everything that a person agrees to.
fn seal<'h>(file: &str, hooks: impl Iterator<Item = &'h Hook>, root: &Path, host: &dyn Workspace) -> String {
    let mut text = format!("{file}\n");
    for hook in hooks {
        let (event, command) = (hook.event.name(), &hook.command.text);
        let (once, critical, timeout) = (hook.once, hook.critical, hook.timeout);
        text.push_str(&format!(
            "{event}\0{command}\0{:?}\0{once}\0{critical}\0{timeout}\n",
            hook.matcher
        ));
        for (name, hash) in programs(command, root, host) {
            text.push_str(&format!("{name}\0{hash}\n"));
        }
    }
    sha256(text.as_bytes())
}
