//! A turn in, the JSON schema of its reply out, in the strict form that every service takes: closed objects, all keys named.

use crate::machine::Task;
use serde_json::{Map, Value as Json, json};

/// Returns the schema of the reply; none where the turn asks for something whose form is not known before.
pub(super) fn of(task: &Task) -> Option<Json> {
    let mut keys: Vec<(&str, Json)> = Vec::new();
    if !task.instructions.is_empty() {
        keys.push(("instructions", list(acknowledged())));
    }
    if !task.conditions.is_empty() {
        keys.push(("judgements", list(judgement())));
    }
    if !task.wanted.variables.is_empty() {
        keys.push(("variables", named(&task.wanted.variables, &value())));
    }
    if !task.wanted.sections.is_empty() {
        keys.push(("sections", named(&task.wanted.sections, &json!({"type": "string"}))));
    }
    if !task.wanted.fields.is_empty() {
        // What a prompt asks for by name may have any form.
        return None;
    }
    if keys.is_empty() {
        return None;
    }
    if !task.only_judges() {
        keys.push(("files", list(closed(&[("path", text())]))));
        keys.push(("asks", list(closed(&[("question", text()), ("options", list(text()))]))));
    }
    keys.push(("text", text()));
    Some(closed(&keys))
}

fn acknowledged() -> Json {
    closed(&[
        ("n", json!({"type": "integer"})),
        (
            "status",
            json!({"type": "string", "enum": ["done", "blocked", "skipped"]}),
        ),
        ("why", text()),
        ("evidence", list(evidence())),
    ])
}

fn evidence() -> Json {
    closed(&[
        (
            "kind",
            json!({"type": "string", "enum": ["file", "quote", "command", "value", "said"]}),
        ),
        ("path", maybe("string")),
        ("quote", maybe("string")),
        ("command", maybe("string")),
        ("exit", maybe("integer")),
        ("value", maybe("string")),
        ("text", maybe("string")),
    ])
}

fn judgement() -> Json {
    closed(&[
        ("n", json!({"type": "integer"})),
        ("holds", json!({"type": "boolean"})),
        ("evidence", text()),
    ])
}

fn text() -> Json {
    json!({"type": "string"})
}

fn maybe(kind: &str) -> Json {
    json!({"type": [kind, "null"]})
}

fn value() -> Json {
    json!({"anyOf": [
        {"type": "string"}, {"type": "number"}, {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}},
    ]})
}

fn list(of: Json) -> Json {
    json!({"type": "array", "items": of})
}

fn named(names: &[String], of: &Json) -> Json {
    let keys: Vec<(&str, Json)> = names.iter().map(|name| (name.as_str(), of.clone())).collect();
    closed(&keys)
}

/// Makes an object that has these keys, all of them, and no other.
fn closed(keys: &[(&str, Json)]) -> Json {
    let properties: Map<String, Json> = keys.iter().map(|(key, of)| ((*key).to_owned(), of.clone())).collect();
    let required: Vec<&str> = keys.iter().map(|(key, _)| *key).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
