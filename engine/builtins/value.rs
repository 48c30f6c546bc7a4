//! The values that workflows compute with.

use crate::syntax::{Node, Pair, Value as Written};
use std::fmt;

/// A value of a running workflow.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Nothing: an unset name, or empty text where a list or a map is expected.
    #[default]
    Nothing,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order it was made.
    Map(Vec<(String, Value)>),
}

/// What tells the tables of a list apart, where all of them have it.
const KEYS: &[&str] = &["code", "id"];

impl Value {
    /// Makes a map from names and texts.
    pub(super) fn of_texts<const N: usize>(pairs: [(&str, String); N]) -> Self {
        let entries = pairs.map(|(name, text)| (name.to_owned(), Value::Text(text)));
        Self::Map(entries.into())
    }

    /// Makes a map from names and values.
    pub(super) fn of<const N: usize>(pairs: [(&str, Value); N]) -> Self {
        Self::Map(pairs.map(|(name, value)| (name.to_owned(), value)).into())
    }

    /// Returns the items of a list; anything else that is not empty is a list of its own.
    pub(super) fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            other if other.is_empty() => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// Returns the field of a map.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => None,
        }
    }

    /// Returns the number that the value is or that its text spells.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            Value::Nothing | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Says whether the value is nothing, or text, a list or a map with nothing in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Nothing => true,
            Value::Bool(_) | Value::Number(_) => false,
            Value::Text(text) => text.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
        }
    }

    /// Puts a value over this one: of two maps the later one changes only what it names, two lists become what `lists`
    /// makes of them, anything else is replaced.
    pub fn under(self, later: Self, lists: fn(Vec<Self>, Vec<Self>) -> Vec<Self>) -> Self {
        match (self, later) {
            (Self::Map(mut entries), Self::Map(changes)) => {
                for (name, value) in changes {
                    match entries.iter_mut().find(|(known, _)| *known == name) {
                        Some((_, old)) => *old = std::mem::take(old).under(value, lists),
                        None => entries.push((name, value)),
                    }
                }
                Self::Map(entries)
            }
            (Self::List(items), Self::List(more)) => Self::List(lists(items, more)),
            (_, later) => later,
        }
    }

    /// Joins two lists; where all items are tables with a key, one with a key that is there replaces that one.
    pub fn joined(mut items: Vec<Self>, more: Vec<Self>) -> Vec<Self> {
        let has = |key: &str| items.iter().chain(&more).all(|item| item.get(key).is_some());
        let key = KEYS.iter().find(|key| has(key)).copied();
        for item in more {
            let same = |known: &Self| key.is_some_and(|key| known.get(key) == item.get(key));
            match items.iter().position(same) {
                Some(at) => items[at] = item,
                None => items.push(item),
            }
        }
        items
    }
}

impl From<&Node> for Value {
    /// Takes what is written as it is; nothing is filled in.
    fn from(node: &Node) -> Self {
        match &node.value {
            Written::Null => Self::Nothing,
            Written::Bool(truth) => Self::Bool(*truth),
            Written::Number(text) => text.parse().map_or_else(|_| Self::Text(text.clone()), Self::Number),
            Written::Text(text) => Self::Text(text.clone()),
            Written::List(items) => Self::List(items.iter().map(Self::from).collect()),
            Written::Map(pairs) => {
                let entry = |pair: &Pair| (pair.key.to_string(), Self::from(&pair.node));
                Self::Map(pairs.iter().map(entry).collect())
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for Value {
    /// Writes what a person reads; the items of a list are separated by commas, the fields of a map by semicolons.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => Ok(()),
            Value::Bool(truth) => write!(formatter, "{truth}"),
            // The same digits as those of the fraction, and found much faster; only zero may have a sign of its own.
            Value::Number(number) => match whole(*number) {
                Some(whole) if whole != 0 => write!(formatter, "{whole}"),
                Some(_) | None => write!(formatter, "{number}"),
            },
            Value::Text(text) => formatter.write_str(text),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    let before = if index == 0 { "" } else { ", " };
                    write!(formatter, "{before}{item}")?;
                }
                Ok(())
            }
            Value::Map(entries) => {
                for (index, (name, value)) in entries.iter().enumerate() {
                    let before = if index == 0 { "" } else { "; " };
                    write!(formatter, "{before}{name}: {value}")?;
                }
                Ok(())
            }
        }
    }
}

/// Returns a number that has no fraction, where it is exact.
fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, as is just tested")]
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nothing => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            // A whole number is written without a fraction, as everybody else writes it.
            Value::Number(number) => match whole(*number) {
                Some(whole) => serializer.serialize_i64(whole),
                None => serializer.serialize_f64(*number),
            },
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(entries) => serializer.collect_map(entries.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading)
    }
}

struct Reading;

impl<'de> serde::de::Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut pairs: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            entries.push(pair);
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    fn item(code: &str, does: &str) -> Value {
        let entries = [("code", code), ("does", does)];
        Value::Map(entries.map(|(name, text)| (name.to_owned(), text.into())).into())
    }

    #[test]
    fn lists_of_texts_are_joined_and_single_values_replaced() {
        let facts = |texts: &[&str]| Value::List(texts.iter().map(|text| (*text).into()).collect());
        let table =
            |list: Value, end: &str| Value::Map(vec![("facts".to_owned(), list), ("end".to_owned(), end.into())]);
        let all = table(facts(&["a"]), "one").under(table(facts(&["b", "a"]), "two"), Value::joined);
        assert_eq!(all, table(facts(&["a", "b", "a"]), "two"));
    }

    #[test]
    fn tables_in_a_list_replace_the_one_with_their_key() {
        let own = Value::List(vec![item("P", "plan"), item("Q", "ask")]);
        let project = Value::List(vec![item("Q", "wait"), item("R", "rest")]);
        let all = Value::List(vec![item("P", "plan"), item("Q", "wait"), item("R", "rest")]);
        assert_eq!(own.under(project, Value::joined), all);
    }

    #[test]
    fn text_that_spells_a_number_is_one() {
        assert_eq!(Value::from(" 95.5 ").number(), Some(95.5));
        assert_eq!(Value::from("ninety").number(), None);
        assert_eq!(Value::from("inf").number(), None);
    }

    #[test]
    fn a_list_reads_as_its_items_with_commas() {
        let list = Value::List(vec![Value::from("a"), Value::from(2.0)]);
        assert_eq!(list.to_string(), "a, 2");
    }

    #[test]
    fn a_number_reads_as_its_shortest_digits_whether_it_is_whole_or_not() {
        for number in [
            0.0,
            -0.0,
            1.0,
            -7.0,
            0.5,
            1e14,
            8_999_999_999_999_999.0,
            9e15,
            1e21,
            -1e300,
            f64::NAN,
        ] {
            assert_eq!(Value::from(number).to_string(), number.to_string());
        }
    }

    #[test]
    fn what_is_no_list_is_a_list_of_its_own_and_nothing_is_an_empty_one() {
        let list = Value::List(vec![Value::from("a"), Value::from("b")]);
        assert_eq!(list.items().len(), 2);
        assert_eq!(Value::from("a").items(), [Value::from("a")]);
        assert_eq!(Value::from(0.0).items(), [Value::from(0.0)]);
        assert_eq!(Value::Nothing.items(), []);
        assert_eq!(Value::from("").items(), []);
    }

    #[test]
    fn false_and_zero_are_not_empty() {
        assert!(!Value::Bool(false).is_empty());
        assert!(!Value::from(0.0).is_empty());
        assert!(Value::from("").is_empty());
    }
}
