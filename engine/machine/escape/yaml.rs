//! A value in, a YAML scalar out that every reader takes for the same text.

use std::fmt::Write as _;

/// Words that some reader takes for something other than text.
const WORDS: &[&str] = &[
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
];

/// Writes text as a YAML scalar on one line: plain where no reader could take it for anything else, quoted otherwise.
pub fn yaml_scalar(value: &str) -> String {
    if is_plain(value) {
        value.to_owned()
    } else {
        double(value)
    }
}

/// Writes text in double quotes.
pub(in crate::machine) fn double(value: &str) -> String {
    format!("\"{}\"", double_inside(value))
}

/// Writes text as it stands between double quotes.
pub(in crate::machine) fn double_inside(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    for character in value.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other if is_printable(other) => text.push(other),
            other => escape(&mut text, u32::from(other)),
        }
    }
    text
}

/// Writes text in single quotes, where it can stand there.
pub(in crate::machine) fn single(value: &str) -> Option<String> {
    let fits = value.chars().all(is_printable);
    fits.then(|| format!("'{}'", value.replace('\'', "''")))
}

fn escape(text: &mut String, code: u32) {
    let written = match code {
        0..=0xff => write!(text, "\\x{code:02X}"),
        0x100..=0xffff => write!(text, "\\u{code:04X}"),
        _ => write!(text, "\\U{code:08X}"),
    };
    debug_assert!(written.is_ok(), "text takes everything");
}

/// Says whether a character may stand in a quoted scalar as it is, and ends no line for any reader.
fn is_printable(character: char) -> bool {
    let ends_line = matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}');
    let is_no_character = u32::from(character) & 0xfffe == 0xfffe;
    !character.is_control() && !ends_line && !is_no_character && character != '\u{feff}'
}

/// Keeps to letters first and harmless signs after them: numbers, dates, times, marks and indicators are all quoted.
fn is_plain(value: &str) -> bool {
    let first = value
        .chars()
        .next()
        .is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '/'));
    let harmless = |character: char| character.is_alphanumeric() || " _-./+()@=:".contains(character);
    let word = value.to_ascii_lowercase();
    first
        && value.chars().all(harmless)
        && !value.ends_with([' ', ':'])
        && !value.contains(": ")
        && !WORDS.contains(&word.as_str())
}
