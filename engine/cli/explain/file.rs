//! A file that is part of no workflow in, the part it plays out.

use super::rows::{Rows, line, table};
use super::target;
use crate::cli::pick::Picked;
use crate::model::{AgentItem, Document, Library, Place, Role, Scope, agent};

/// Explains a file that is part of no workflow.
pub(super) fn explain(picked: &Picked) -> String {
    let library = &picked.loaded.library;
    let Some(document) = library.at(&picked.asked) else {
        return format!("{}: no workflow is in it\n", picked.asked);
    };
    let is_agent = library.agents.iter().any(|agent| agent.source == document.source.id());
    let part = if is_agent {
        "declares an agent"
    } else {
        part(document.role)
    };
    let mut text = format!("{}: {part}\n", picked.asked);
    text.push_str(&who(library, document));
    text.push_str(&keys(library, document));
    text
}

fn part(role: Role) -> &'static str {
    match role {
        Role::WorkflowYaml => "declares a workflow, and could not be read",
        Role::TaskXml | Role::WorkflowMarkdown | Role::Skill => "declares a workflow",
        Role::StepFile => "a step file that no workflow leads to",
        Role::Instructions => "instructions without steps that no workflow names",
        Role::AgentYaml | Role::AgentMarkdown => "declares an agent",
        Role::ModuleYaml => "declares a module",
        Role::ConfigYaml | Role::ConfigToml => "configuration",
        Role::CustomizeToml => "what the users of a skill may change",
        Role::Manifest => "a list that an installer writes",
        Role::Template => "a document to start from",
        Role::Other => "no part of a workflow",
    }
}

/// Lists an agent's menu and where each entry leads.
fn who(library: &Library, document: &Document) -> String {
    let source = &document.source;
    let Some(agent) = agent(document) else {
        let known = library.agents.iter().find(|agent| agent.source == source.id());
        return known.map_or_else(String::new, |agent| format!("agent `{}`\n", line(&agent.name)));
    };
    let mut rows = Rows::new(library);
    let scope = Scope::new(library, None, source.id());
    let home = source.path().folder();
    let place = Place {
        file: source.path(),
        home: &home,
    };
    for AgentItem {
        trigger,
        targets,
        skill,
        prompt,
    } in &agent.menu
    {
        rows.add(trigger.span, 0, format!("menu `{}`", line(&trigger.text)));
        for path in targets {
            let found = target::resolution(library, &library.resolve(&path.text, place, &scope));
            rows.add(path.span, 1, format!("leads to `{}`: {found}", line(&path.text)));
        }
        if let Some(skill) = skill {
            rows.add(
                skill.span,
                1,
                format!(
                    "leads to skill `{}`: {}",
                    line(&skill.text),
                    target::skill(library, &skill.text)
                ),
            );
        }
        if let Some(prompt) = prompt {
            rows.add(prompt.span, 1, format!("leads to prompt `{}`", line(&prompt.text)));
        }
    }
    format!("agent `{}`\n{}", line(&agent.name), rows.finish())
}

/// Lists the configuration keys that a module declares.
fn keys(library: &Library, document: &Document) -> String {
    let Some(module) = library
        .modules
        .iter()
        .find(|module| module.source == document.source.id())
    else {
        return String::new();
    };
    let rows = module.keys.iter().map(|key| {
        let value = key
            .value
            .as_ref()
            .map_or_else(String::new, |value| format!("= {}", line(value)));
        [format!("  {}", line(&key.name)), value]
    });
    format!("module `{}`\n{}", line(&module.code), table(rows))
}
