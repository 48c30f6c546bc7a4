//! The text of a scalar in, the value the YAML 1.2 core schema sees in it out.

use crate::syntax::value::Value;

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
    /// Between single or double quotes.
    Quoted,
    /// On lines of its own, after `|` or `>`.
    Block,
}

/// What the tag before a scalar says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hint {
    /// Nothing.
    None,
    /// Text, whatever it looks like.
    Text,
    /// What it looks like, even in quotes.
    Looks,
}

/// Reads the name of a tag of the core schema.
pub(super) fn hint(name: &str) -> Hint {
    match name {
        "str" => Hint::Text,
        "int" | "float" | "bool" | "null" => Hint::Looks,
        _ => Hint::None,
    }
}

/// Resolves a scalar.
pub(super) fn resolve(text: &str, style: Style, hint: Hint) -> Value {
    let looks = match hint {
        Hint::Looks => true,
        Hint::Text => false,
        Hint::None => style == Style::Plain,
    };
    if !looks {
        return Value::Text(text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(text) => Value::Number(text.to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0o") {
        return consists(digits, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return consists(digits, |byte| byte.is_ascii_hexdigit());
    }
    if matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(unsigned, ".inf" | ".Inf" | ".INF") || is_decimal(unsigned)
}

fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent = exponent.map(|digits| digits.strip_prefix(['-', '+']).unwrap_or(digits));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let some = !whole.is_empty() || !fraction.is_empty();
    some && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|exponent| consists(exponent, |b| b.is_ascii_digit()))
}

fn consists(text: &str, of: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(of)
}

#[cfg(test)]
mod tests {
    use super::{Hint, Style, Value, is_number, resolve};

    #[test]
    fn numbers_are_those_of_the_core_schema() {
        let numbers = [
            "0", "-12", "+3", "1.", ".5", "1.5e-3", "1E9", "0o17", "0xBEEF", ".inf", "-.INF", ".nan", "007",
        ];
        let words = [
            "",
            ".",
            "-",
            "+.",
            "1_000",
            "0b1",
            "1.2.3",
            "e5",
            "1e",
            "0x",
            "0o8",
            "2025-01-01",
            "12:30",
            "-0x1",
        ];
        assert!(numbers.iter().all(|text| is_number(text)));
        assert!(words.iter().all(|text| !is_number(text)));
    }

    #[test]
    fn yes_and_no_are_text() {
        assert_eq!(resolve("yes", Style::Plain, Hint::None), Value::Text("yes".into()));
    }

    #[test]
    fn a_quoted_number_is_text_unless_tagged() {
        assert_eq!(resolve("5", Style::Quoted, Hint::None), Value::Text("5".into()));
        assert_eq!(resolve("5", Style::Quoted, Hint::Looks), Value::Number("5".into()));
        assert_eq!(resolve("5", Style::Plain, Hint::Text), Value::Text("5".into()));
    }
}
