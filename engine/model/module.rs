//! Modules: a folder with a code and the configuration keys it declares.

use super::library::Document;
use super::role::Role;
use crate::source::{ProjectPath, SourceId, Span};
use crate::syntax::Value;

/// A module of BMAD, as source or as installed.
#[derive(Debug, Clone)]
pub struct Module {
    /// Its code: `core`, `bmm`.
    pub code: String,
    /// The folder its paths are counted from.
    pub folder: ProjectPath,
    /// The configuration keys it declares.
    pub keys: Vec<ConfigKey>,
    /// The file that declares it.
    pub source: SourceId,
}

/// A configuration key.
#[derive(Debug, Clone)]
pub struct ConfigKey {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Its value or default, where that is text.
    pub value: Option<String>,
}

/// Keys of `module.yaml` that describe the module and are no configuration.
const DESCRIPTION: &[&str] = &[
    "code",
    "name",
    "description",
    "header",
    "subheader",
    "default_selected",
    "directories",
    "agents",
    "prompt",
    "post-install-notes",
    "requiredModules",
    "recommendedModules",
    "module_version",
    "version",
    "type",
];

/// Reads a module from its declaring file; answers nothing when the file declares none.
pub(super) fn read(document: &Document) -> Option<Module> {
    let data = document.parsed.data.as_ref()?;
    let path = document.source.path();
    let folder = path.folder();
    let (folder, code) = match document.role {
        Role::ModuleYaml => {
            let folder = if folder.name() == "_module-installer" {
                folder.folder()
            } else {
                folder
            };
            let code = data.get("code").and_then(|node| node.text());
            let code = code.unwrap_or_else(|| folder.name()).to_owned();
            (folder, code)
        }
        Role::ConfigYaml => {
            let code = folder.name().to_owned();
            (folder, code)
        }
        _ => return None,
    };
    let described = document.role == Role::ModuleYaml;
    let keys = data
        .pairs()
        .iter()
        .filter(|pair| !described || !DESCRIPTION.contains(&pair.key.as_str()))
        .map(|pair| ConfigKey {
            name: pair.key.clone(),
            span: pair.key_span,
            value: declared_value(&pair.node.value),
        })
        .collect();
    Some(Module {
        code,
        folder,
        keys,
        source: document.source.id(),
    })
}

fn declared_value(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Number(text) => Some(text.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Map(pairs) => pairs
            .iter()
            .find(|pair| pair.key == "default")
            .and_then(|pair| pair.node.text())
            .map(str::to_owned),
        Value::Null | Value::List(_) => None,
    }
}
