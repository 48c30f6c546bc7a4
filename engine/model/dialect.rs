//! Four front ends, one model: each reads the files of one workflow.

mod engine_tags;
mod names;
mod prose;
mod repeat;
mod skill;
mod steps;
mod tagged;
mod tags;
mod xml;
mod yaml;

use super::library::{Document, Library};
use super::role::{Role, holds_steps};
use super::workflow::Workflow;
use std::collections::HashSet;

/// Reads every workflow of a library, in the order of their declaring files.
///
/// A file that another one claims as its part, such as the instructions of a `workflow.yaml`, declares none itself.
pub fn workflows(library: &Library) -> Vec<Workflow> {
    let mut read: Vec<Workflow> = Vec::new();
    let mut claimed = HashSet::new();
    for role in [Role::WorkflowYaml, Role::Skill, Role::WorkflowMarkdown, Role::TaskXml, Role::Instructions] {
        let found: Vec<Workflow> = library
            .documents
            .iter()
            .filter(|document| document.role == role && !claimed.contains(&document.source.id()))
            .filter_map(|document| workflow(library, document))
            .collect();
        claimed.extend(found.iter().flat_map(|workflow| workflow.files.iter().copied()));
        read.extend(found);
    }
    read.sort_by_key(|workflow| workflow.home);
    read
}

/// Reads the workflow that a document declares, if it declares one.
pub fn workflow(library: &Library, document: &Document) -> Option<Workflow> {
    match document.role {
        Role::WorkflowYaml => yaml::read(library, document),
        Role::TaskXml => Some(xml::read(library, document)),
        Role::WorkflowMarkdown => Some(steps::read(library, document)),
        Role::Skill => Some(skill::read(library, document)),
        Role::Instructions => holds_steps(&document.parsed).then(|| xml::read(library, document)),
        Role::StepFile
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::CustomizeToml
        | Role::Manifest
        | Role::Template
        | Role::Other => None,
    }
}
