//! A name in, its value out: from the item a block stands at, the blocks around it, then everybody's names.

use super::Names;
use crate::builtins::Value;
use std::cell::Cell;

/// The most dots of a name that are followed.
const MAX_DOTS: usize = 32;

/// The names that hold at one place of a text.
pub(super) enum Scope<'a> {
    /// Everybody's names, and how much was looked up in them so far.
    Outer(&'a dyn Names, &'a Cell<usize>),
    /// Those of an item of a block.
    Item(Item<'a>),
}

/// What a block stands at.
pub(super) struct Item<'a> {
    /// The names around the block.
    pub(super) around: &'a Scope<'a>,
    /// The item.
    pub(super) this: &'a Value,
    /// Its key, where the block goes through a map.
    pub(super) key: Option<&'a str>,
    /// Its number, from 0.
    pub(super) index: usize,
    /// How many there are.
    pub(super) count: usize,
}

impl Scope<'_> {
    /// Finds the value of a name, of a field or of an item: `a`, `a.b`, `a.0`, `a.length`, `this`, `@index`.
    pub(super) fn find(&self, name: &str) -> Option<Value> {
        if name.contains('{') {
            return self.find(&self.spelled(name)?);
        }
        match self {
            Scope::Outer(names, work) => {
                let value = known(*names, name);
                work.set(work.get().saturating_add(value.as_ref().map_or(1, weight)));
                value
            }
            Scope::Item(item) => item.find(name),
        }
    }

    /// Returns the words for the value of one of everybody's names, where they are others than those of any value.
    pub(super) fn told(&self, name: &str, value: &Value) -> Option<String> {
        match self {
            Scope::Outer(names, _) => names.told(name, value),
            Scope::Item(_) => None,
        }
    }

    /// Says whether the hole of one of everybody's names stays as it is written.
    pub(super) fn stays(&self, name: &str, value: &Value) -> bool {
        match self {
            Scope::Outer(names, _) => names.stays(name, value),
            Scope::Item(_) => false,
        }
    }

    /// Puts the variables inside a name into it: `epic_{n}`.
    fn spelled(&self, name: &str) -> Option<String> {
        let mut whole = String::new();
        let mut rest = name;
        while let Some((before, after)) = rest.split_once('{') {
            let (inner, after) = after.split_once('}')?;
            let value = self.find(inner.trim())?.to_string();
            // A value may complete a name; it may not bring dots or braces of its own.
            let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            if !value.bytes().all(harmless) {
                return None;
            }
            whole.push_str(before);
            whole.push_str(&value);
            rest = after;
        }
        whole.push_str(rest);
        Some(whole)
    }
}

impl Item<'_> {
    fn find(&self, name: &str) -> Option<Value> {
        if let Some(outer) = name.strip_prefix("../") {
            return self.around.find(outer);
        }
        match name {
            "this" | "." => return Some(self.this.clone()),
            "@first" => return Some(Value::Bool(self.index == 0)),
            "@last" => return Some(Value::Bool(self.index + 1 == self.count)),
            "@key" => return self.key.map(Value::from),
            _ => {}
        }
        if let Some(rest) = name.strip_prefix("@index") {
            return self.number(rest);
        }
        if let Some(path) = name.strip_prefix("this.") {
            return follow(self.this, path);
        }
        let field = match self.this {
            Value::Map(_) => follow(self.this, name),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
        };
        field.or_else(|| self.around.find(name))
    }

    /// Reads what follows `@index`: nothing, or a whole number to add or take away.
    fn number(&self, rest: &str) -> Option<Value> {
        let rest: String = rest.split_whitespace().collect();
        let change = match rest.as_str() {
            "" => 0.0,
            signed if signed.starts_with(['+', '-']) => f64::from(signed.parse::<i32>().ok()?),
            _ => return None,
        };
        Some(Value::Number(self.index as f64 + change))
    }
}

/// Finds a name, or the longest known name it starts with and the fields behind it.
pub(super) fn known(names: &dyn Names, name: &str) -> Option<Value> {
    if let Some(value) = names.value(name) {
        return Some(value);
    }
    if let Some(list) = name.strip_suffix(".length")
        && !list.ends_with(".length")
        && let Some(Value::Text(text)) = known(names, list)
        && let Some(count) = names.count(list, &text)
    {
        return Some(Value::Number(count as f64));
    }
    let dots = name.rmatch_indices('.').take(MAX_DOTS);
    for (dot, _) in dots {
        let head = &name[..dot];
        if let Some(value) = names.value(head) {
            // What a reply or a result does not say is nothing; what a configuration does not say is a mistake.
            let is_nothing = match value {
                Value::Nothing => true,
                Value::Map(_) | Value::List(_) => names.is_given(head),
                Value::Bool(_) | Value::Number(_) | Value::Text(_) => false,
            };
            let nothing = || is_nothing.then_some(Value::Nothing);
            return follow(&value, &name[dot + 1..]).or_else(nothing);
        }
    }
    None
}

/// Follows fields, numbers of items and `length`, separated by dots.
fn follow(value: &Value, path: &str) -> Option<Value> {
    if let Some(found) = value.get(path) {
        return Some(found.clone());
    }
    let mut at = value;
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let inner = match at {
            Value::Map(_) => at.get(part),
            Value::List(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) => None,
        };
        match inner {
            Some(inner) => at = inner,
            None if part == "length" && parts.peek().is_none() => return length(at),
            None => return None,
        }
    }
    Some(at.clone())
}

/// Returns how much work it is to copy a value.
pub(super) fn weight(value: &Value) -> usize {
    let inside: usize = match value {
        Value::Nothing | Value::Bool(_) | Value::Number(_) => 0,
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(weight).sum(),
        Value::Map(entries) => entries.iter().map(|(name, value)| name.len() + weight(value)).sum(),
    };
    inside + 1
}

fn length(value: &Value) -> Option<Value> {
    let length = match value {
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        Value::Text(text) => text.chars().count(),
        Value::Nothing => 0,
        Value::Bool(_) | Value::Number(_) => return None,
    };
    Some(Value::Number(length as f64))
}
