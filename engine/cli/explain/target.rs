//! A path or a name that a workflow calls in, where it leads out.

use super::phrase::into;
use super::rows::line;
use crate::builtins;
use crate::model::{Invoke, Invoked, Library, Place, Resolution, STANDARD_PROTOCOLS, Scope, Workflow};
use crate::source::Span;

/// Says where a path leads that is written at `span`.
pub(super) fn path(library: &Library, workflow: &Workflow, text: &str, span: Span) -> String {
    let scope = Scope::new(library, Some(workflow), span.source);
    let home = library.source(workflow.home).path().folder();
    let place = Place {
        file: library.source(span.source).path(),
        home: &home,
    };
    resolution(library, &library.resolve(text, place, &scope))
}

/// Says where a path leads that prose at `span` says to follow: a name without a folder may be that of a step file.
pub(super) fn followed(library: &Library, workflow: &Workflow, text: &str, span: Span) -> String {
    let found = path(library, workflow, text, span);
    match workflow.named_file(library, text).filter(|_| !found.starts_with("is ")) {
        Some(file) => format!("is {}", library.source(file).path()),
        None => found,
    }
}

/// Says what became of a path.
pub(super) fn resolution(library: &Library, resolution: &Resolution) -> String {
    match resolution {
        Resolution::Found(path) if library.exists(path) => format!("is {path}"),
        Resolution::Found(path) => {
            let inside = path.as_str().strip_prefix("_bmad/core/");
            format!("is {} of the standard library", inside.unwrap_or(path.as_str()))
        }
        Resolution::Missing(path) => format!("not resolved: {path} is not there"),
        Resolution::Dynamic => "not resolved: known only when running".to_owned(),
        Resolution::Outside => "not resolved: made by an installer or the user".to_owned(),
        Resolution::UnknownModule(code) => format!("not resolved: module `{code}` is not here"),
        Resolution::Escapes => "not resolved: leads out of the project".to_owned(),
    }
}

/// Says where a skill is declared.
pub(super) fn skill(library: &Library, name: &str) -> String {
    match library.skills.iter().find(|(skill, _)| skill == name) {
        Some((_, file)) => format!("is {}", library.source(*file).path()),
        None => "not resolved: no skill of that name is here".to_owned(),
    }
}

/// Says what a call calls, which name gets the result, and where that is.
pub(super) fn invoke(library: &Library, workflow: &Workflow, invoke: &Invoke) -> String {
    let target = line(&invoke.target.text);
    let (kind, found) = match invoke.what {
        Invoked::File => ("call", path(library, workflow, &invoke.target.text, invoke.target.span)),
        Invoked::Skill => ("call skill", skill(library, &invoke.target.text)),
        Invoked::Protocol => ("call protocol", protocol(workflow, &invoke.target.text)),
        Invoked::Builtin => ("call built-in", builtin(&invoke.target.text)),
        Invoked::Prose => ("call", "not resolved: only prose says what".to_owned()),
    };
    format!("{kind} `{target}`{}: {found}", into(invoke.into.as_ref()))
}

fn protocol(workflow: &Workflow, name: &str) -> String {
    let found = match name {
        _ if workflow.has_protocol(name) => "of this file",
        _ if name.contains('{') => "known when it runs",
        _ if STANDARD_PROTOCOLS.contains(&name) => "of the engine",
        _ => "not of this file; `bmad lint` says whether the project has it",
    };
    found.to_owned()
}

fn builtin(name: &str) -> String {
    match builtins::named(name) {
        Some(builtin) => builtin.summary.to_owned(),
        None => "not resolved: no such built-in".to_owned(),
    }
}
