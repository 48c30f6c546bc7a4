//! Four front ends, one model: each reads the files of one workflow.

mod again;
mod around;
mod begun;
mod between;
mod cases;
mod checks;
mod choice;
mod confirm;
mod elicit;
mod engine_tags;
mod further;
mod item;
mod looked;
mod loose;
mod names;
mod onward;
mod outside;
mod past;
mod patterns;
mod pointed;
mod prose;
mod repeat;
mod sections;
mod skill;
mod steps;
mod stops;
mod table;
mod tagged;
mod tags;
mod talk;
mod targets;
mod terms;
mod xml;
mod yaml;

pub(crate) use between::is_heading_of_rules;
pub(crate) use item::{indent, item};

use super::library::{Document, Library};
use super::role::{Role, holds_steps};
use super::workflow::Workflow;

/// The roles that declare a workflow, first those that claim other files as their parts.
///
/// A file that another one claims, such as the instructions of a `workflow.yaml`, declares none itself.
pub const DECLARING: &[Role] = &[
    Role::WorkflowYaml,
    Role::Skill,
    Role::WorkflowMarkdown,
    Role::TaskXml,
    Role::Instructions,
];

/// Reads the workflow that a document declares, if it declares one.
pub fn workflow(library: &Library, document: &Document) -> Option<Workflow> {
    let mut read = match document.role {
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
    };
    if let Some(workflow) = &mut read {
        workflow.settle();
    }
    read
}
