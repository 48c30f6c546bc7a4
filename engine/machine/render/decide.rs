//! The condition of a block in, whether it holds out; nothing where the values do not say.

use super::scope::Scope;
use crate::builtins::Value;
use crate::machine::compare::{compare, equal};
use crate::model::{Condition, Operand, Presence, Test};
use crate::source::Span;

/// Says whether a condition holds.
pub(super) fn decide(condition: &str, scope: &Scope<'_>) -> Option<bool> {
    if let Some(value) = scope.find(condition) {
        return Some(is_true(&value));
    }
    if is_path(condition) {
        return None;
    }
    holds(&Condition::parse(condition, Span::default()).test, scope)
}

/// Says whether a value counts as true: not nothing, not empty, not zero, not `false`.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => *number != 0.0,
        Value::Text(text) => {
            let text = text.trim();
            !text.is_empty() && text != "0" && !text.eq_ignore_ascii_case("false")
        }
        Value::Nothing | Value::List(_) | Value::Map(_) => !value.is_empty(),
    }
}

/// A bare name of a block is always a variable, also one that reads like prose.
fn is_path(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@' | b'/'))
}

/// The depth of a test is bounded where it is read.
fn holds(test: &Test, scope: &Scope<'_>) -> Option<bool> {
    match test {
        Test::Compare { left, operator, right } => {
            let (left, right) = (operand(left, scope)?, operand(right, scope)?);
            Some(compare(&left, *operator, &right))
        }
        Test::Member { name, values, negated } => {
            let value = operand(name, scope)?;
            let found = values.iter().any(|item| equal(&value, &Value::Text(item.clone())));
            Some(found != *negated)
        }
        Test::Flag(name) => scope.find(name).map(|value| is_true(&value)),
        Test::Exists { what, target, present } => match target {
            Presence::Variable | Presence::Named => scope.find(what).map(|value| value.is_empty() != *present),
            Presence::File => None,
        },
        Test::Chosen(_) | Test::Judged(_) => None,
        Test::Otherwise => Some(true),
        Test::Not(inner) => holds(inner, scope).map(|truth| !truth),
        Test::All(parts) => joined(parts, scope, false),
        Test::Any(parts) => joined(parts, scope, true),
    }
}

/// One part that says `deciding` settles it; otherwise every part has to be known.
fn joined(parts: &[Test], scope: &Scope<'_>, deciding: bool) -> Option<bool> {
    let mut unknown = false;
    for part in parts {
        match holds(part, scope) {
            Some(truth) if truth == deciding => return Some(deciding),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(!deciding)
}

fn operand(operand: &Operand, scope: &Scope<'_>) -> Option<Value> {
    match operand {
        Operand::Variable(name) => scope.find(name),
        Operand::Word(word) => Some(scope.find(word).unwrap_or_else(|| Value::Text(word.clone()))),
        Operand::Text(text) => Some(Value::Text(text.clone())),
        Operand::Number(number) => Some(Value::Number(*number)),
        Operand::Truth(truth) => Some(Value::Bool(*truth)),
    }
}
