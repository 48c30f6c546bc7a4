//! How a discussion voted on the severity of a finding.

use crate::builtins::Value;

/// Reads votes: a map from a severity to how many voted for it, or a list of single votes.
pub(super) fn read(value: Option<&Value>) -> Vec<(String, f64)> {
    match value {
        Some(Value::Map(entries)) => entries
            .iter()
            .filter_map(|(name, count)| Some((name.clone(), count.number()?)))
            .collect(),
        Some(Value::List(items)) => {
            let mut votes = Vec::new();
            for item in items {
                let single = vec![(item.to_string(), 1.0)];
                add(&mut votes, &single);
            }
            votes
        }
        Some(Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_)) | None => Vec::new(),
    }
}

/// Adds the votes of another discussion.
pub(super) fn add(votes: &mut Vec<(String, f64)>, more: &[(String, f64)]) {
    for (name, count) in more {
        match votes.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known += count,
            None => votes.push((name.clone(), *count)),
        }
    }
}

/// Returns votes as a map.
pub(super) fn value(votes: &[(String, f64)]) -> Value {
    let entries = votes.iter().map(|(name, count)| (name.clone(), Value::Number(*count)));
    Value::Map(entries.collect())
}
