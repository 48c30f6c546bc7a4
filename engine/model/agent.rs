//! Agents: who they are and what their menus lead to. Read as data, from YAML, compiled Markdown and TOML.

use super::instruction::Words;
use super::library::{AgentName, Document, Library};
use super::role::Role;
use crate::source::{Source, SourceId};
use crate::syntax::{Child, Element, Node, Tag};
use std::cell::LazyCell;

/// An agent.
#[derive(Debug)]
pub struct Agent {
    /// Its short name.
    pub name: String,
    /// The file that declares it.
    pub source: SourceId,
    /// Its menu, in order.
    pub menu: Vec<AgentItem>,
}

/// One entry of an agent's menu.
#[derive(Debug)]
pub struct AgentItem {
    /// What the person types.
    pub trigger: Words,
    /// The files it leads to.
    pub targets: Vec<Words>,
    /// The skill it leads to.
    pub skill: Option<Words>,
    /// The prompt it leads to, without the `#`.
    pub prompt: Option<Words>,
}

/// Keys of a menu entry that name a file.
const FILE_KEYS: &[&str] = &["workflow", "validate-workflow", "exec", "tmpl", "data", "checklist"];

/// What an agent is declared by.
enum Declared<'a> {
    /// Its entry in data.
    Data(&'a Node),
    /// Its tag.
    Tag(&'a Element),
}

/// Reads the agent that a document declares.
pub fn agent(document: &Document) -> Option<Agent> {
    let source = &document.source;
    let menu = match declared(document)? {
        Declared::Data(root) => root.get("menu").map(|menu| items(source, menu)).unwrap_or_default(),
        Declared::Tag(root) => {
            let mut menu = Vec::new();
            menu_items(root, &mut menu);
            menu
        }
    };
    Some(Agent {
        name: own_name(document),
        source: source.id(),
        menu,
    })
}

/// Finds what declares an agent in a document.
fn declared(document: &Document) -> Option<Declared<'_>> {
    match document.role {
        Role::AgentYaml | Role::CustomizeToml => document.parsed.data.as_ref()?.get("agent").map(Declared::Data),
        Role::AgentMarkdown => document.parsed.tree.iter().find_map(|child| match child {
            Child::Element(element) if element.tag == Tag::Agent => Some(Declared::Tag(element)),
            Child::Element(_) | Child::Text(_) => None,
        }),
        Role::WorkflowYaml
        | Role::TaskXml
        | Role::WorkflowMarkdown
        | Role::StepFile
        | Role::Skill
        | Role::Instructions
        | Role::ModuleYaml
        | Role::ConfigYaml
        | Role::ConfigToml
        | Role::Manifest
        | Role::Template
        | Role::Other => None,
    }
}

/// Returns what the agent is called that a document declares; one in `customize.toml` is called like its folder.
fn own_name(document: &Document) -> String {
    let path = document.source.path();
    if document.role == Role::CustomizeToml {
        return path.folder().name().to_owned();
    }
    path.name()
        .strip_suffix(".agent.yaml")
        .unwrap_or(path.stem())
        .to_owned()
}

fn items(source: &Source, menu: &Node) -> Vec<AgentItem> {
    let mut read = Vec::new();
    for node in menu.items() {
        read.push(item(source, node));
        for trigger in node.get("triggers").map(Node::items).unwrap_or_default() {
            for pair in trigger.pairs() {
                read.push(item(source, &pair.node));
                read.extend(pair.node.items().iter().map(|inner| item(source, inner)));
            }
        }
    }
    read
}

fn item(source: &Source, node: &Node) -> AgentItem {
    let at = |key: &str| {
        let value = node.get(key)?;
        Some(Words {
            text: value.text()?.to_owned(),
            span: value.inner(source),
        })
    };
    let trigger = at("trigger")
        .or_else(|| at("code"))
        .or_else(|| at("multi"))
        .unwrap_or(Words {
            text: String::new(),
            span: node.span,
        });
    let mut targets: Vec<Words> = FILE_KEYS.iter().filter_map(|key| at(key)).collect();
    let skill = at("skill").or_else(|| take_skill(&mut targets));
    let prompt = at("action")
        .filter(|action| action.text.starts_with('#'))
        .map(|action| Words {
            text: action.text[1..].to_owned(),
            span: action.span,
        });
    AgentItem {
        trigger,
        targets,
        skill,
        prompt,
    }
}

/// Takes `exec: "skill:bmad-x"` out of the files.
fn take_skill(targets: &mut Vec<Words>) -> Option<Words> {
    let at = targets.iter().position(|target| target.text.starts_with("skill:"))?;
    let words = targets.remove(at);
    Some(Words {
        text: words.text["skill:".len()..].to_owned(),
        span: words.span,
    })
}

fn menu_items(element: &Element, menu: &mut Vec<AgentItem>) {
    for child in element.elements() {
        if child.tag != Tag::MenuItem {
            menu_items(child, menu);
            continue;
        }
        let at = |name: &str| {
            child.attribute(name).map(|attribute| Words {
                text: attribute.value.to_string(),
                span: attribute.value_span,
            })
        };
        let mut targets: Vec<Words> = FILE_KEYS.iter().filter_map(|key| at(key)).collect();
        let skill = take_skill(&mut targets);
        menu.push(AgentItem {
            trigger: at("cmd").unwrap_or(Words {
                text: String::new(),
                span: child.open,
            }),
            targets,
            skill,
            prompt: None,
        });
    }
}

/// Lists the agents that can be named: agent files, Markdown files in a folder called `agents`, and the entries of
/// manifests, modules and configuration.
pub fn agent_names(library: &Library) -> Vec<AgentName> {
    library
        .documents()
        .flat_map(|document| names(library, document))
        .collect()
}

fn names(library: &Library, document: &Document) -> Vec<AgentName> {
    // Most files name no agent.
    let own = LazyCell::new(|| {
        let module = library.module_of(document.source.path());
        module.map(|module| module.code.clone())
    });
    let named = |name: &str, module: Option<&str>| AgentName {
        name: name.to_owned(),
        module: module.map(str::to_owned).or_else(|| own.clone()),
        source: document.source.id(),
    };
    let data = document.parsed.data.as_ref();
    let listed = data.and_then(|data| data.get("agents"));
    match document.role {
        Role::Manifest => rows(document)
            .iter()
            .map(|(name, module)| named(name, module.as_deref()))
            .collect(),
        Role::ModuleYaml => {
            let entries = listed.map(Node::items).unwrap_or_default();
            entries
                .iter()
                .filter_map(|entry| entry.get("code")?.text())
                .map(|code| named(code, None))
                .collect()
        }
        Role::ConfigToml => {
            let entries = listed.map(Node::pairs).unwrap_or_default();
            entries
                .iter()
                .map(|pair| named(&pair.key, pair.node.get("module").and_then(Node::text)))
                .collect()
        }
        Role::WorkflowYaml
        | Role::TaskXml
        | Role::WorkflowMarkdown
        | Role::StepFile
        | Role::Skill
        | Role::Instructions
        | Role::AgentYaml
        | Role::AgentMarkdown
        | Role::ConfigYaml
        | Role::CustomizeToml
        | Role::Template
        | Role::Other => {
            let name = declared(document)
                .map(|_| own_name(document))
                .or_else(|| in_agents_folder(document));
            name.iter().map(|name| named(name, None)).collect()
        }
    }
}

/// Returns the names in an agent manifest, each with its module.
fn rows(document: &Document) -> Vec<(String, Option<String>)> {
    let rows = &document.parsed.rows;
    let Some(head) = rows
        .first()
        .filter(|_| document.source.path().name() == "agent-manifest.csv")
    else {
        return Vec::new();
    };
    let column = |title: &str| head.cells.iter().position(|cell| cell.text.trim() == title);
    let (Some(name), module) = (column("name"), column("module")) else {
        return Vec::new();
    };
    let cell = |row: &crate::syntax::Row, at: usize| {
        row.cells
            .get(at)
            .map(|cell| cell.text.trim().to_owned())
            .filter(|text| !text.is_empty())
    };
    rows.iter()
        .skip(1)
        .filter_map(|row| Some((cell(row, name)?, module.and_then(|module| cell(row, module)))))
        .collect()
}

fn in_agents_folder(document: &Document) -> Option<String> {
    let path = document.source.path();
    if path.folder().name() != "agents" || path.extension() != "md" {
        return None;
    }
    let data = document.parsed.frontmatter.as_ref()?.data.as_ref()?;
    let name = data.get("name").and_then(Node::text).unwrap_or_else(|| path.stem());
    Some(name.to_owned())
}
