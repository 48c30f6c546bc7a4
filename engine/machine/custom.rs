//! What the users of a skill may change in, as it stands next to the skill, in the project and in the user's own files;
//! one table out.

use crate::builtins::Value;
use crate::model::{Document, Library, Role, Workflow};
use crate::source::ProjectPath;

/// The file next to a skill.
const OWN: &str = "customize.toml";

/// What an agent is told where there is nothing.
pub(super) const EMPTY: &str = "(none)";

/// Returns what a workflow's users may change, by name: what stands next to it, then what the project sets, then what the
/// user sets. A workflow that lets nobody change anything has no names.
pub(super) fn custom(library: &Library, workflow: &Workflow) -> Vec<(String, Value)> {
    let folder = library.source(workflow.home).path().folder();
    let own = folder.join(OWN).and_then(|path| library.at(&path));
    let Some(own) = own.filter(|document| document.role == Role::CustomizeToml) else {
        return Vec::new();
    };
    let over = ["toml", "user.toml"].map(|end| format!("custom/{}.{end}", folder.name()));
    let over = over.iter().filter_map(|name| placed(library, name));
    let tables = std::iter::once(own).chain(over).filter_map(read);
    match tables.reduce(|before, after| before.under(after, Value::joined)) {
        Some(Value::Map(entries)) => entries,
        Some(Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) | None => Vec::new(),
    }
}

/// Finds a file of an installation.
fn placed<'l>(library: &'l Library, name: &str) -> Option<&'l Document> {
    let paths = library.roots.iter().filter_map(|root: &ProjectPath| root.join(name));
    paths.into_iter().find_map(|path| library.at(&path))
}

fn read(document: &Document) -> Option<Value> {
    document.parsed.data.as_ref().map(Value::from)
}

/// Writes a value into words for an agent: the items of a list with numbers where there are several, and nothing as
/// `(none)`, because words with nothing in their middle say something else.
pub(super) fn told(value: &Value) -> String {
    match value {
        value if value.is_empty() => EMPTY.to_owned(),
        Value::List(items) if items.len() > 1 => {
            let numbered = items.iter().zip(1..).map(|(item, n)| format!("({n}) {item}"));
            numbered.collect::<Vec<String>>().join("; ")
        }
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
            value.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::told;
    use crate::builtins::Value;

    #[test]
    fn several_items_are_told_with_numbers_and_none_as_none() {
        let list = |texts: &[&str]| Value::List(texts.iter().map(|text| (*text).into()).collect());
        assert_eq!(told(&list(&[])), "(none)");
        assert_eq!(told(&list(&["one, and more"])), "one, and more");
        assert_eq!(told(&list(&["one, and more", "two"])), "(1) one, and more; (2) two");
        assert_eq!(told(&"".into()), "(none)");
    }
}
