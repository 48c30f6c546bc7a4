//! `{config_source}:key` that the configuration does not declare, or whose module is not here.

mod own;

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::model::{CORE_KEYS, Library, Module, Role};
use crate::source::ProjectPath;
use crate::syntax::{Node, Value, config_key};

pub(super) const RULE: Rule = Rule {
    code: Code("undefined-config-key"),
    severity: Severity::Error,
    summary: "a configuration key, or the module it is read from, does not exist",
    page: include_str!("../../../spec/rules/undefined-config-key.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    own::check(unit, findings);
    let matter = unit
        .document
        .parsed
        .frontmatter
        .as_ref()
        .and_then(|matter| matter.data.as_ref());
    let data = match unit.document.role {
        Role::WorkflowYaml => unit.document.parsed.data.as_ref(),
        Role::WorkflowMarkdown | Role::StepFile | Role::Skill => matter,
        Role::TaskXml
        | Role::Instructions
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
    let Some(data) = data else { return };
    let mut waiting = vec![data];
    while let Some(node) = waiting.pop() {
        match &node.value {
            Value::Text(text) => value(unit, data, node, text, findings),
            Value::List(items) => waiting.extend(items),
            Value::Map(pairs) => waiting.extend(pairs.iter().map(|pair| &pair.node)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn value(unit: &FileUnit<'_>, data: &Node, node: &Node, text: &str, findings: &mut Findings) {
    let Some((variable, key)) = config_key(text) else {
        return;
    };
    let Some(path) = data.get(variable).and_then(Node::text) else {
        return;
    };
    let Some(code) = unit.subject.library.configured_module(path) else {
        return;
    };
    let library = unit.subject.library;
    let here = unit.document.source.path();
    let span = node.inner(&unit.document.source);
    let Some(module) = library.module(code, here) else {
        // That the code is misspelt is said where it stands.
        if is_whole(library, here) && own::meant(library, here, code).is_none() {
            findings
                .add(
                    span,
                    format!("`{key}` is read from module `{code}`, which is not in this project"),
                )
                .help = Some(own(library, here).map_or_else(
                || "read it from a module that is here".to_owned(),
                |module| {
                    format!(
                        "this workflow is in module `{}`; did you mean `{}`?",
                        module.code,
                        path.replace(&format!("/{code}/"), &format!("/{}/", module.code))
                    )
                },
            ));
        }
        return;
    };
    let mut declared: Vec<&str> = keys(library, module).collect();
    declared.sort_unstable();
    declared.dedup();
    if declared.contains(&key) || is_of_absent_core(library, here, key) || declared.is_empty() {
        return;
    }
    // Where the core module is not here, its keys are there all the same.
    let core = match library.module("core", here) {
        Some(_) => &[][..],
        None => CORE_KEYS,
    };
    let near = nearest(key, declared.iter().chain(core).copied());
    if near.is_none() && !is_complete(library, module, here) {
        return;
    }
    let found = findings.add(span, format!("module `{code}` declares no configuration key `{key}`"));
    found.help = Some(match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "it has `{}`; add `{key}` to the module or read one of these",
            declared.join("`, `")
        ),
    });
}

/// Says whether the project holds the core module beside this file's own: then a module that is not here is missing.
fn is_whole(library: &Library, here: &ProjectPath) -> bool {
    library.module("core", here).is_some() && own(library, here).is_some()
}

/// Says whether a key belongs to the core module, which is not here to be asked.
fn is_of_absent_core(library: &Library, here: &ProjectPath, key: &str) -> bool {
    library.module("core", here).is_none() && CORE_KEYS.contains(&key)
}

/// Says whether all keys of a module are known: those of the core module are here too, or an installer wrote them down together.
fn is_complete(library: &Library, module: &Module, here: &ProjectPath) -> bool {
    let installed = |module: &&Module| library.document(module.source).role == Role::ConfigYaml;
    let mut same = library.modules.iter().filter(|other| other.code == module.code);
    library.module("core", here).is_some() || same.any(|module| installed(&module))
}

fn own<'a>(library: &'a Library, here: &ProjectPath) -> Option<&'a Module> {
    library.module_of(here)
}

/// Returns the keys of a module, with those of the core module, which every module's configuration holds too.
fn keys<'a>(library: &'a Library, module: &'a Module) -> impl Iterator<Item = &'a str> {
    let same = library
        .modules
        .iter()
        .filter(move |other| other.code == module.code || other.code == "core");
    same.flat_map(|module| &module.keys).map(|key| key.name.as_str())
}
