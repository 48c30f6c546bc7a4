//! The value that a run returned in, the lines that a person reads of it out.

use crate::builtins::Value;
use crate::policy::secret::Secrets;
use crate::runner::line;
use std::sync::Arc;

/// Tells a value in one line, and a map in one line for each of its fields; long lines are cut, and secrets masked.
pub(in crate::cli) fn told(value: &Value, secrets: &Arc<Secrets>) -> Vec<String> {
    let short = |text: String| line(&secrets.masked_loosely(&text));
    match value {
        Value::Nothing => Vec::new(),
        Value::Map(fields) => {
            let field = |(name, value): &(String, Value)| format!("{name}: {}", short(value.to_string()));
            fields
                .iter()
                .map(field)
                .map(|line| line.trim_end().to_owned())
                .collect()
        }
        Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => vec![short(value.to_string())],
    }
}
