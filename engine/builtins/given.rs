//! Any value in, the plain parts of it out: what agents wrote is taken as it was meant, where that is plain.

use super::Value;

/// Returns the items of a list, those of lists inside it one after the other; a value alone is a list of one.
pub(super) fn items(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut waiting = match value {
        Value::Nothing => Vec::new(),
        Value::Text(text) if text.trim().is_empty() => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => vec![value.clone()],
    };
    while let Some(value) = waiting.pop() {
        match value {
            Value::List(items) => waiting.extend(items.into_iter().rev()),
            Value::Text(text) => match written(&text) {
                Some(value) => waiting.push(value),
                None => found.push(Value::Text(text)),
            },
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Map(_) => found.push(value),
        }
    }
    found
}

/// Returns the list or map that a text spells as JSON.
fn written(text: &str) -> Option<Value> {
    let text = text.trim();
    if !text.starts_with(['[', '{']) {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// Returns the first of these fields that says something.
pub(super) fn field<'v>(value: &'v Value, names: &[&str]) -> Option<&'v Value> {
    let found = names.iter().filter_map(|name| value.get(name));
    found.into_iter().find(|value| !is_blank(value))
}

/// Returns the first of these fields that says something, as text without space around it.
pub(super) fn words(value: &Value, names: &[&str]) -> String {
    field(value, names).map(plain).unwrap_or_default()
}

/// Returns a value as text without space around it.
pub(super) fn plain(value: &Value) -> String {
    value.to_string().trim().to_owned()
}

/// Says whether a value says nothing.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Text(text) => text.trim().is_empty(),
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => value.is_empty(),
    }
}

/// Returns the truth that a value states; none where it states none.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Text(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        Value::Nothing | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// Makes a number of a count.
pub(super) fn number(count: usize) -> Value {
    Value::Number(count as f64)
}

/// Makes a list of texts.
pub(super) fn texts<T: ToString>(texts: impl IntoIterator<Item = T>) -> Value {
    Value::List(texts.into_iter().map(|text| Value::Text(text.to_string())).collect())
}

/// Makes a value of JSON.
#[cfg(test)]
pub(super) fn json(json: serde_json::Value) -> Value {
    serde_json::from_value(json).unwrap()
}

#[cfg(test)]
mod tests {
    use super::{Value, items, truth};

    #[test]
    fn lists_in_lists_are_one_list_in_their_order() {
        let inner = Value::List(vec![Value::from("b"), Value::List(vec![Value::from("c")])]);
        let outer = Value::List(vec![Value::from("a"), inner, Value::from("d")]);
        let flat = ["a", "b", "c", "d"].map(Value::from);
        assert_eq!(items(&outer), flat);
    }

    #[test]
    fn a_list_that_came_as_json_text_is_a_list() {
        assert_eq!(items(&Value::from(" [1, [2]] ")), [Value::from(1.0), Value::from(2.0)]);
        assert_eq!(items(&Value::from("[1, 2")), [Value::from("[1, 2")]);
    }

    #[test]
    fn nothing_has_no_items_and_nothing_inside_a_list_is_one() {
        assert!(items(&Value::Nothing).is_empty());
        assert!(items(&Value::from("  ")).is_empty());
        assert_eq!(items(&Value::List(vec![Value::Nothing])), [Value::Nothing]);
    }

    #[test]
    fn only_a_clear_word_is_a_truth() {
        assert_eq!(truth(&Value::from(" No ")), Some(false));
        assert_eq!(truth(&Value::from("partly")), None);
        assert_eq!(truth(&Value::from(1.0)), None);
    }
}
