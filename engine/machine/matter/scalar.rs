//! One value in, the same line with another value out: its key, its comment and the way it is quoted stay.

use super::entry::Entry;
use super::{Item, MatterError};
use crate::machine::escape;

/// How text is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Not at all where it need not be.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
}

impl Quotes {
    /// Tells how a written value is quoted.
    pub(super) fn of(written: &str) -> Self {
        match written.as_bytes().first() {
            Some(b'\'') => Quotes::Single,
            Some(b'"') => Quotes::Double,
            _ => Quotes::Plain,
        }
    }
}

/// Writes a value in a given style, or the nearest that can hold it.
pub(super) fn write(item: &Item, quotes: Quotes) -> String {
    match (item, quotes) {
        (Item::Number(number), _) if is_harmless(number) => number.clone(),
        (Item::Number(text), _) => escape::double(text),
        (Item::Text(text), Quotes::Plain) => escape::yaml_scalar(text),
        (Item::Text(text), Quotes::Single) => escape::single(text).unwrap_or_else(|| escape::double(text)),
        (Item::Text(text), Quotes::Double) => escape::double(text),
    }
}

/// Says whether a number, or `true` or `false`, can stand without quotes: no sign in it means anything to YAML.
fn is_harmless(number: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    let is_number = number.bytes().any(|byte| byte.is_ascii_digit()) && number.bytes().all(is_part);
    is_number || matches!(number, "true" | "false")
}

/// Replaces the value of an entry.
pub(super) fn replace(lines: &str, entry: &Entry, item: &Item) -> Result<String, MatterError> {
    let one_line = lines.trim_end().lines().count() <= 1;
    match entry.read(lines) {
        Ok(pair) if item.is(&pair.node) => Ok(lines.to_owned()),
        Ok(pair) => {
            let range = pair.node.span.range();
            let written = lines.get(range.clone()).unwrap_or("");
            let text = write(item, Quotes::of(written));
            if one_line && !written.is_empty() && range.start >= entry.colon {
                return Ok(format!("{}{text}{}", &lines[..range.start], &lines[range.end..]));
            }
            Ok(anew(lines, entry, &text))
        }
        // A line that cannot be read has no value to keep.
        Err(_) if one_line => {
            let quotes = Quotes::of(lines.get(entry.colon..).unwrap_or("").trim_start());
            Ok(anew(lines, entry, &write(item, quotes)))
        }
        Err(error) => Err(error),
    }
}

/// Writes an entry on one line, with its key and the comment of its first line where it has no value there.
pub(super) fn anew(lines: &str, entry: &Entry, value: &str) -> String {
    let (key, rest) = lines.split_at(entry.colon.min(lines.len()));
    let first = rest.lines().next().unwrap_or("");
    let comment = if first.trim_start().starts_with('#') { first } else { "" };
    let end = &lines[lines.trim_end_matches(['\r', '\n']).len()..];
    format!("{key} {value}{comment}{end}")
}
