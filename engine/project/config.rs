//! The configuration of a workflow: what modules declare, what an installation sets, layer over layer.

use super::around::INSTALL_NAMES;
use super::load::{Loaded, read_settings};
use super::module;
use super::settings::written;
use super::site::Site;
use crate::builtins::Value;
use crate::host::Workspace;
use crate::model::{Document, Role, SETTINGS, STANDARD};
use crate::source::ProjectPath;
use crate::syntax::{Node, Value as Written, each_hole};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// The block that may stand in an installation's configuration, there also below `automation`, and in `bmad.toml`.
const REVIEW: &str = "review_loop";

/// The key that names the configuration which a workflow sees.
const CONFIG_SOURCE: &str = "config_source";

/// The layers of a configuration in TOML, the last one wins.
const LAYERS: &[&str] = &[
    "config.toml",
    "config.user.toml",
    "custom/config.toml",
    "custom/config.user.toml",
];

/// Returns the configuration that a workflow sees: core first, then its module; declared defaults first, then what the
/// installation sets, then the settings around it and its own. What stands outside all modules also sees the keys that only one of them has.
pub fn config(loaded: &Loaded, workflow: usize) -> BTreeMap<String, Value> {
    let mut config = of_module(loaded, workflow);
    config.extend(of_others(loaded, workflow));
    config
}

/// Returns what a workflow reads from the configuration of modules that it names, `bmm: "{project-root}/_bmad/bmm/config.yaml"`,
/// each key behind the name it has for that. What `config_source` names is the configuration that it sees.
fn of_others(loaded: &Loaded, workflow: usize) -> BTreeMap<String, Value> {
    let library = &loaded.library;
    let parsed = &library.document(loaded.workflows[workflow].home).parsed;
    let matter = parsed.frontmatter.as_ref().and_then(|matter| matter.data.as_ref());
    let own = library.module_of(library.source(loaded.workflows[workflow].home).path());
    let own = own.map(|own| own.code.as_str());
    let pairs = parsed.data.as_ref().or(matter).map_or(&[][..], Node::pairs);
    let is_there = |code: &&str| library.modules.iter().any(|module| module.code == **code);
    let named = pairs.iter().filter_map(|pair| {
        let code = library.configured_module(pair.node.text()?).filter(is_there)?;
        Some((&*pair.key, code))
    });
    let named: Vec<(&str, &str)> = named.collect();
    let source = named.iter().find(|(name, _)| *name == CONFIG_SOURCE);
    let seen = source.map_or(own, |(_, code)| Some(code));
    let mut others = BTreeMap::new();
    for (name, code) in named {
        if Some(code) != seen {
            let all = merged(loaded, &["core", code]);
            let values = all
                .iter()
                .map(|(key, value)| (format!("{name}:{key}"), filled(value, &all)));
            others.extend(values);
        } else if name == CONFIG_SOURCE && seen != own {
            others.extend(merged(loaded, &["core", code]));
        }
    }
    others
}

/// How often values are filled with others of the same configuration.
const MAX_FILLS: usize = 8;

/// Fills the names in a value that others of its own configuration have: the workflow may have given them another meaning.
fn filled(value: &Value, all: &BTreeMap<String, Value>) -> Value {
    let Value::Text(text) = value else {
        return value.clone();
    };
    let mut text = text.clone();
    for _ in 0..MAX_FILLS {
        let known = each_hole(&text).find_map(|(_, name, place)| match all.get(name) {
            Some(Value::Text(inner)) => Some((place, inner.clone())),
            Some(_) | None => None,
        });
        let Some((place, inner)) = known else { break };
        text.replace_range(place, &inner);
    }
    Value::Text(text)
}

fn of_module(loaded: &Loaded, workflow: usize) -> BTreeMap<String, Value> {
    let home = loaded.library.source(loaded.workflows[workflow].home).path();
    if let Some(module) = loaded.library.module_of(home) {
        return merged(loaded, &["core", &module.code]);
    }
    let own = module::of(loaded, workflow);
    let codes: Vec<&str> = std::iter::once("core").chain(own.as_deref()).collect();
    let mut config = merged(loaded, &codes);
    let mut others: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for code in module::codes(&loaded.library) {
        for (key, value) in merged(loaded, &[&code]) {
            others.entry(key).or_default().push(value);
        }
    }
    for (key, mut values) in others {
        if let (1, Some(value)) = (values.len(), values.pop()) {
            config.entry(key).or_insert(value);
        }
    }
    config
}

/// Returns the configuration of each workflow that is part of a module, by position. The tasks of the core serve all
/// modules, and have none of their own.
pub fn configs(loaded: &Loaded) -> BTreeMap<usize, Arc<BTreeMap<String, Value>>> {
    let mut known: BTreeMap<(bool, String), Arc<BTreeMap<String, Value>>> = BTreeMap::new();
    let mut configs = BTreeMap::new();
    for (at, workflow) in loaded.workflows.iter().enumerate() {
        let module = loaded.library.module_of(loaded.library.source(workflow.home).path());
        let code = match module {
            Some(module) => Some(module.code.clone()),
            None => module::of(loaded, at),
        };
        if let Some(code) = code.filter(|code| code != "core") {
            let own = known.entry((module.is_some(), code));
            let own = own.or_insert_with(|| Arc::new(of_module(loaded, at)));
            let others = of_others(loaded, at);
            configs.insert(
                at,
                match others.is_empty() {
                    true => Arc::clone(own),
                    false => Arc::new(
                        own.iter()
                            .map(|(key, value)| (key.clone(), value.clone()))
                            .chain(others)
                            .collect(),
                    ),
                },
            );
        }
    }
    configs
}

/// Returns the configuration of the core module at a project's root, without reading anything else of the project.
pub fn core_config(host: &Arc<dyn Workspace>, root: &Path) -> BTreeMap<String, Value> {
    let there = |path: &ProjectPath| host.exists(&root.join(path.as_str()));
    let is_install = |folder: &ProjectPath| {
        let marks = ["_config", "_cfg"].iter().filter_map(|mark| folder.join(mark));
        INSTALL_NAMES.contains(&folder.name()) || marks.into_iter().any(|mark| there(&mark))
    };
    let entries = host.list(root).into_iter();
    let roots = entries.filter_map(|entry| ProjectPath::new(&entry.name));
    let roots: Vec<ProjectPath> = roots.filter(is_install).collect();
    let names = ["core/module.yaml", "core/config.yaml"];
    let names = names.iter().chain(LAYERS);
    let files = names.flat_map(|name| roots.iter().filter_map(|install| install.join(name)));
    let files = files.chain(ProjectPath::new(SETTINGS));
    let site = Site {
        root: root.to_path_buf(),
        files: files.filter(there).collect(),
        existing: None,
        roots: roots.clone(),
        only: Vec::new(),
        around: None,
        given: None,
        links: Vec::new(),
        outward: Vec::new(),
        closed: Vec::new(),
    };
    merged(&read_settings(host, site), &["core"])
}

fn merged(loaded: &Loaded, codes: &[&str]) -> BTreeMap<String, Value> {
    let mut merged = BTreeMap::new();
    for role in [Role::ModuleYaml, Role::ConfigYaml] {
        for code in codes {
            let mut modules: Vec<_> = loaded
                .library
                .modules
                .iter()
                .filter(|module| module.code == **code)
                .collect();
            modules.sort_by_key(|module| !module.folder.as_str().starts_with(STANDARD));
            for module in modules {
                let document = loaded.library.document(module.source);
                if document.role == role {
                    declared(document, role, &mut merged);
                }
            }
        }
    }
    for code in codes {
        add_layers(loaded, code, &mut merged);
    }
    let blocks = written(loaded).filter_map(|document| document.parsed.data.as_ref()?.get(REVIEW));
    for block in blocks {
        put(REVIEW, Value::from(block), &mut merged);
    }
    merged
}

/// Adds what the layers in TOML say of one module. Among themselves lists are joined; over what was there before they
/// are put whole, because an installation writes the same values in both forms.
fn add_layers(loaded: &Loaded, code: &str, merged: &mut BTreeMap<String, Value>) {
    let layers = LAYERS.iter().flat_map(|layer| {
        let of_layer = move |document: &&Document| is_layer(document, layer);
        loaded.library.documents().filter(of_layer)
    });
    let tables = layers.filter_map(|document| {
        let data = document.parsed.data.as_ref()?;
        match code {
            "core" => data.get("core"),
            code => data.get("modules").and_then(|modules| modules.get(code)),
        }
    });
    let whole = tables
        .map(Value::from)
        .reduce(|before, after| before.under(after, Value::joined));
    if let Some(Value::Map(entries)) = whole {
        for (name, value) in entries {
            put(&name, value, merged);
        }
    }
}

/// Says whether a file is a layer; one below `custom` is no layer of the same name above it.
fn is_layer(document: &Document, layer: &str) -> bool {
    let path = document.source.path().as_str();
    let folder = path.strip_suffix(layer).and_then(|folder| folder.strip_suffix('/'));
    let is_outside = |folder: &str| folder.rsplit('/').next() != Some("custom");
    document.role == Role::ConfigToml && folder.is_some_and(is_outside)
}

/// Adds the keys of a module's file: values as they are, declarations by their default.
fn declared(document: &Document, role: Role, merged: &mut BTreeMap<String, Value>) {
    let Some(data) = document.parsed.data.as_ref() else {
        return;
    };
    if role == Role::ConfigYaml {
        let automation = data.get("automation");
        for pair in automation.map(Node::pairs).unwrap_or_default() {
            if pair.key == REVIEW {
                put(REVIEW, Value::from(&pair.node), merged);
            }
        }
        return add(Some(data), merged);
    }
    for pair in data.pairs() {
        if pair.node.get("prompt").is_some() || pair.node.get("result").is_some() {
            if let Some(value) = default(&pair.node) {
                put(&pair.key, value, merged);
            }
        } else if matches!(pair.node.value, Written::Map(_)) {
            put(&pair.key, Value::from(&pair.node), merged);
        }
    }
}

/// Returns what a key is where nobody answered its prompt: its default, put into its result.
fn default(node: &Node) -> Option<Value> {
    let default = node.get("default");
    let given = default.and_then(Node::text);
    match node.get("result").and_then(Node::text) {
        // A default that is made of other keys says already where it is.
        Some(_) if given.is_some_and(|given| given.starts_with('{')) => {
            given.map(|given| Value::Text(given.to_owned()))
        }
        Some(result) => {
            let text = result.replace("{value}", given.unwrap_or_default());
            (given.is_some() || !result.contains("{value}")).then_some(Value::Text(text))
        }
        None => default.map(Value::from),
    }
}

fn add(table: Option<&Node>, merged: &mut BTreeMap<String, Value>) {
    for pair in table.map(Node::pairs).unwrap_or_default() {
        put(&pair.key, Value::from(&pair.node), merged);
    }
}

/// Sets a key; of two maps the later one changes only what it names.
fn put(name: &str, value: Value, merged: &mut BTreeMap<String, Value>) {
    let before = merged.remove(name).unwrap_or_default();
    merged.insert(name.to_owned(), before.under(value, |_, later| later));
}
