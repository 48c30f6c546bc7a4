//! Two values in, how they compare out: one rule for conditions and for blocks of a text.

use crate::builtins::Value;
use crate::model::{Operator, says_nothing};
use std::cmp::Ordering;

/// Says whether two values compare as an operator says.
pub(super) fn compare(left: &Value, operator: Operator, right: &Value) -> bool {
    // Nothing is neither more nor less than anything.
    let ordered = |holds: fn(Ordering) -> bool| !left.is_empty() && !right.is_empty() && holds(order(left, right));
    match operator {
        Operator::Equal => equal(left, right),
        Operator::NotEqual => !equal(left, right),
        Operator::Greater => ordered(Ordering::is_gt),
        Operator::GreaterOrEqual => ordered(Ordering::is_ge),
        Operator::Less => ordered(Ordering::is_lt),
        Operator::LessOrEqual => ordered(Ordering::is_le),
        Operator::In => contains(right, left),
        Operator::NotIn => !contains(right, left),
    }
}

/// Says whether two values are the same: numbers as numbers, anything else as text, whatever its case.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    order(left, right).is_eq() || are_nothing(left, right) || are_nothing(right, left)
}

/// Says whether two texts are the same but for their case and the white space around them.
pub(super) fn same(left: &str, right: &str) -> bool {
    left.trim().to_lowercase() == right.trim().to_lowercase()
}

/// Says whether a word that authors write for nothing stands beside what is nothing: `{x} == null`.
fn are_nothing(word: &Value, value: &Value) -> bool {
    value.is_empty() && matches!(word, Value::Text(text) if says_nothing(text.trim()))
}

fn contains(list: &Value, one: &Value) -> bool {
    match list {
        Value::List(items) => items.iter().any(|item| equal(item, one)),
        Value::Text(text) => text
            .split([',', '\n'])
            .any(|part| equal(&Value::Text(part.trim().to_owned()), one)),
        Value::Map(entries) => entries.iter().any(|(name, _)| same(name, &one.to_string())),
        Value::Nothing => false,
        Value::Bool(_) | Value::Number(_) => equal(list, one),
    }
}

fn order(left: &Value, right: &Value) -> Ordering {
    let (one, other) = (left.to_string(), right.to_string());
    if let (Some(one), Some(other)) = (Whole::read(&one), Whole::read(&other)) {
        return one.cmp(&other);
    }
    match (number(left, &one), number(right, &other)) {
        (Some(one), Some(other)) if (one - other).abs() < f64::EPSILON => Ordering::Equal,
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(_), None) | (None, Some(_)) | (None, None) => one.trim().to_lowercase().cmp(&other.trim().to_lowercase()),
    }
}

/// Reads a number as people write one; `1e5` may be the beginning of a hash.
fn number(value: &Value, text: &str) -> Option<f64> {
    let plain = |text: &str| text.bytes().all(|at| at.is_ascii_digit() || b"+-. ".contains(&at));
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) if plain(text.trim()) => value.number(),
        Value::Text(_) | Value::Nothing | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
    }
}

/// A whole number of any length, so that two long ones differ by their last digit.
#[derive(PartialEq, Eq)]
struct Whole<'a> {
    negative: bool,
    digits: &'a str,
}

impl<'a> Whole<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let is_whole = !digits.is_empty() && digits.bytes().all(|at| at.is_ascii_digit());
        let digits = digits.trim_start_matches('0');
        is_whole.then_some(Self {
            negative: negative && !digits.is_empty(),
            digits,
        })
    }
}

impl Ord for Whole<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two) = ((self.digits.len(), self.digits), (other.digits.len(), other.digits));
        match (self.negative, other.negative) {
            (false, false) => one.cmp(&two),
            (true, true) => two.cmp(&one),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl PartialOrd for Whole<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::builtins::Value;
    use crate::model::Operator;

    fn holds(left: &str, operator: Operator, right: &str) -> bool {
        compare(&Value::from(left), operator, &Value::from(right))
    }

    #[test]
    fn what_is_no_number_is_ordered_as_text() {
        assert!(holds("2026-01-05", Operator::Less, "2030-01-01"));
        assert!(!holds("2030-01-01", Operator::Less, "2026-01-05"));
        assert!(holds("b", Operator::GreaterOrEqual, "A"));
        assert!(!holds("", Operator::Less, "a") && !holds("", Operator::GreaterOrEqual, "a"));
    }

    #[test]
    fn whole_numbers_are_compared_to_their_last_digit() {
        assert!(!holds("12345678901234567890", Operator::Equal, "12345678901234567891"));
        assert!(holds("12345678901234567890", Operator::Less, "12345678901234567891"));
        assert!(holds("007", Operator::Equal, "7") && holds("-2", Operator::Less, "1"));
        assert!(holds("-10", Operator::Less, "-9") && holds("9", Operator::Less, "10"));
        assert!(compare(&Value::Number(3.0), Operator::Equal, &Value::from("3.0")));
    }

    #[test]
    fn a_number_with_an_exponent_is_text() {
        assert!(!holds("1e5", Operator::Equal, "100000"));
        assert!(holds("1E5", Operator::Equal, "1e5"));
    }

    #[test]
    fn case_does_not_matter() {
        assert!(holds("DATA", Operator::Equal, "data") && holds("B", Operator::In, "a, b"));
        assert!(compare(&Value::Bool(true), Operator::Equal, &Value::from("True")));
    }
}
