//! The files of a project in, the commands out that its workflows may run: each with where it is written and the seal that
//! somebody has to trust before it runs.

use super::config::config;
use super::hooks::shown;
use super::load::Loaded;
use super::programs::programs;
use super::settings::written;
use crate::builtins::Value;
use crate::host::Workspace;
use crate::machine::{render, sha256};
use crate::model::{CommandText, Document, Role, SETTINGS, Way, commands as named_in};
use crate::source::{Source, Span};
use crate::syntax::{Node, Value as Written};
use std::collections::BTreeMap;
use std::path::Path;

/// A command that a workflow may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectCommand {
    /// The command.
    pub text: String,
    /// The file it is written in, as seen from the folder that a run works on.
    pub file: String,
    /// Where it stands there: `path:line`.
    pub place: String,
    /// The file whose `<run>` names it.
    pub by: String,
    /// The workflow, by position.
    pub workflow: usize,
}

/// Lists the commands that the workflows of a project may run, in the folder `root`.
pub fn commands(loaded: &Loaded, root: &Path) -> Vec<ProjectCommand> {
    let mut found = Vec::new();
    for (at, workflow) in loaded.workflows.iter().enumerate() {
        let named = named_in(workflow);
        if named.is_empty() {
            continue;
        }
        let config = config(loaded, at);
        for command in named {
            let (by, place) = place(loaded, root, command.span);
            let (texts, is_written) = match command.text {
                CommandText::Written(text) => (vec![text], true),
                CommandText::Configured(way) => (configured(&config, &way), false),
                CommandText::Refused(_) => continue,
            };
            for text in texts.into_iter().filter(|text| !text.is_empty()) {
                let stands = match is_written {
                    true => None,
                    false => in_configuration(loaded, root, &text),
                };
                let (file, place) = stands.unwrap_or_else(|| (by.clone(), place.clone()));
                found.push(ProjectCommand {
                    text,
                    file,
                    place,
                    by: by.clone(),
                    workflow: at,
                });
            }
        }
    }
    found
}

/// Returns what is trusted: a hash of the command and of the project's scripts that it starts, as they are now.
pub fn command_seal(command: &str, root: &Path, host: &dyn Workspace) -> String {
    let mut text = format!("run\0{command}\n");
    for (name, hash) in programs(command, root, host) {
        text.push_str(&format!("{name}\0{hash}\n"));
    }
    sha256(text.as_bytes())
}

/// Follows a way through the configuration to the commands at its end.
fn configured(config: &BTreeMap<String, Value>, way: &[Way]) -> Vec<String> {
    let mut at: Vec<Value> = Vec::new();
    for (n, step) in way.iter().enumerate() {
        at = match step {
            Way::Name(name) if n == 0 => render::find(name, &|part: &str| config.get(part).cloned())
                .into_iter()
                .collect(),
            Way::Name(name) => {
                let field = |value: Value| {
                    let own = |part: &str| (part == "item").then(|| value.clone());
                    render::find(&format!("item.{name}"), &own)
                };
                at.into_iter().filter_map(field).collect()
            }
            Way::Each => at.into_iter().flat_map(items).collect(),
        };
    }
    let text = |value: Value| match value {
        Value::Text(text) => Some(text.trim().to_owned()),
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    };
    at.into_iter().filter_map(text).collect()
}

fn items(value: Value) -> Vec<Value> {
    match value {
        Value::List(items) => items,
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => Vec::new(),
    }
}

/// Finds the file of the configuration that a command stands in, the one that wins first.
fn in_configuration(loaded: &Loaded, root: &Path, text: &str) -> Option<(String, String)> {
    let mut files: Vec<(usize, &Document)> = loaded
        .library
        .documents()
        .filter_map(|document| Some((rank(document)?, document)))
        .collect();
    files.sort_by_key(|(rank, _)| *rank);
    let own = files.into_iter().map(|(_, document)| document);
    let settings = written(loaded).rev();
    let found = settings.chain(own).find_map(|document| {
        let node = node(document.parsed.data.as_ref()?, text)?;
        Some((&document.source, node.inner(&document.source)))
    });
    found.map(|(source, span)| {
        let is_beyond = loaded
            .beyond
            .as_ref()
            .is_some_and(|beyond| std::ptr::eq(&beyond.source, source));
        match is_beyond {
            true => standing(SETTINGS.to_owned(), source, span),
            false => place(loaded, root, span),
        }
    })
}

/// Returns which files of an installation's configuration win, the first one first; none for any other file.
fn rank(document: &Document) -> Option<usize> {
    match document.role {
        Role::ConfigToml => Some(0),
        Role::ConfigYaml => Some(1),
        Role::ModuleYaml => Some(2),
        Role::WorkflowYaml
        | Role::TaskXml
        | Role::Skill
        | Role::StepFile
        | Role::WorkflowMarkdown
        | Role::Instructions
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Template
        | Role::Other => None,
    }
}

/// Finds the text of a command in a file of the configuration.
fn node<'n>(data: &'n Node, text: &str) -> Option<&'n Node> {
    match &data.value {
        Written::Text(own) => (own.trim() == text).then_some(data),
        Written::List(items) => items.iter().find_map(|item| node(item, text)),
        Written::Map(pairs) => pairs.iter().find_map(|pair| node(&pair.node, text)),
        Written::Null | Written::Bool(_) | Written::Number(_) => None,
    }
}

fn place(loaded: &Loaded, root: &Path, span: Span) -> (String, String) {
    let source = loaded.library.source(span.source);
    standing(shown(loaded, root, source.path().as_str()), source, span)
}

fn standing(file: String, source: &Source, span: Span) -> (String, String) {
    let place = format!("{file}:{}", source.position(span.start).line);
    (file, place)
}
