//! The values that workflows compute with.

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

impl Value {
    /// Makes a map from names and texts.
    pub(super) fn of_texts<const N: usize>(pairs: [(&str, String); N]) -> Self {
        let entries = pairs.map(|(name, text)| (name.to_owned(), Value::Text(text)));
        Self::Map(entries.into())
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
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
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
            Value::Number(number) => write!(formatter, "{number}"),
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

#[cfg(test)]
mod tests {
    use super::Value;

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
    fn false_and_zero_are_not_empty() {
        assert!(!Value::Bool(false).is_empty());
        assert!(!Value::from(0.0).is_empty());
        assert!(Value::from("").is_empty());
    }
}
