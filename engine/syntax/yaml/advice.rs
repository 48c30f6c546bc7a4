//! What the parser stumbled over in, why and what to write instead out.
//!
//! Most broken YAML is a value that should have been quoted; the parser notices later and says something else.

use super::place;
use crate::source::near_last_either;
use std::ops::Range;

/// How many lines above the error may hold the key it belongs to.
const LINES_ABOVE: usize = 20;
/// What may stand before a key, or before the value of a list item.
const BEFORE_VALUE: [char; 4] = [' ', '\t', '-', '?'];

/// Says what is wrong at the byte `at` of `text`, with the name of the key it belongs to.
pub(super) fn reason(text: &str, at: usize, message: &str) -> String {
    let written = text.get(line(text, at)).unwrap_or("");
    let value = match key(written) {
        Some((_, start)) => written.get(start..).unwrap_or(""),
        None => written.trim_start_matches(BEFORE_VALUE),
    };
    let advice = advise(text, at, message, value);
    match nearest_key(text, at) {
        Some(key) => format!("`{key}`: {advice}"),
        None => advice,
    }
}

/// Returns the line `at` is on, without its line break.
pub(super) fn line(text: &str, at: usize) -> Range<usize> {
    let before = text.as_bytes().get(..at).unwrap_or(&[]);
    let start = near_last_either(b'\n', b'\r', before).map_or(0, |end| end + 1);
    start..place::line_end(text, at)
}

fn advise(text: &str, at: usize, message: &str, value: &str) -> String {
    let first = value.bytes().next();
    let here = text.as_bytes().get(at).copied();
    if message.contains("anchor") && here == Some(b'*') {
        return "an unquoted `*` starts an alias, and nothing has that name; quote the value".to_owned();
    }
    if message.contains("anchor") && here == Some(b'&') {
        return "an unquoted `&` starts an anchor; quote the value".to_owned();
    }
    if let (true, Some(character)) = (message.starts_with("unexpected character"), here) {
        return format!("a value cannot start with `{}`; quote it", character as char);
    }
    if message.starts_with("invalid trailing content") {
        return after_quote(text, at);
    }
    if message.contains("quoted scalar") && (message.contains("indentation") || message.contains("unexpected")) {
        let quote = here.map_or('"', char::from);
        return format!("the closing `{quote}` is missing, or the next line of the text is not indented");
    }
    if message.contains("unknown escape") {
        return r"`\` starts an escape inside double quotes; write `\\`, or use single quotes".to_owned();
    }
    if message.contains("tab") && !message.contains("table") {
        return "a tab in the indentation; use spaces".to_owned();
    }
    if let (true, Some(bracket @ (b'{' | b'['))) = (is_structural(message), first) {
        return format!(
            "an unquoted `{}` starts a map or list, and this one does not end with it; quote the value",
            bracket as char
        );
    }
    if message.contains("illegal placement") || message.contains("parsing a flow") {
        return "a `[` or `{` before this is not closed".to_owned();
    }
    if message.starts_with("mapping values") {
        return match value.contains(": ") || value.ends_with(':') {
            true => "an unquoted value cannot hold `: `; quote it".to_owned(),
            false => "a key is not expected here; look at the indentation and at the line above".to_owned(),
        };
    }
    plain(message)
}

fn is_structural(message: &str) -> bool {
    message.contains("did not find expected") || message.contains("expected ','")
}

fn after_quote(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or("").trim_end();
    let quoted = before.strip_suffix('\'');
    match quoted {
        Some(inside) if inside.ends_with('\\') => {
            r"the text ends at `\'`: `\` does not escape inside single quotes; write `''`".to_owned()
        }
        Some(_) => "text after the closing `'`; inside single quotes an apostrophe is written `''`".to_owned(),
        None => r#"text after the closing `"`; inside double quotes a quote is written `\"`"#.to_owned(),
    }
}

fn plain(message: &str) -> String {
    let message = message.trim_end_matches('.');
    let mut characters = message.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => "not YAML".to_owned(),
    }
}

/// Finds the key that `at` belongs to: on its line, or on the nearest line above.
fn nearest_key(text: &str, at: usize) -> Option<&str> {
    let mut place = line(text, at);
    for _ in 0..LINES_ABOVE {
        if let Some((key, _)) = key(text.get(place.clone())?) {
            return Some(key);
        }
        place = line(text, place.start.checked_sub(1)?);
    }
    None
}

/// Reads the key of a line, and tells where its value starts.
fn key(line: &str) -> Option<(&str, usize)> {
    let bare = line.trim_start_matches(BEFORE_VALUE);
    let colon = bare.match_indices(':').map(|(at, _)| at).find(|at| {
        let next = bare.as_bytes().get(at + 1);
        matches!(next, None | Some(b' ' | b'\t'))
    })?;
    let key = bare.get(..colon)?.trim_matches(['"', '\'', ' ']);
    let is_key = !key.is_empty() && key.len() <= 60 && !key.starts_with(['#', '{', '[', '*']);
    let value = bare.get(colon + 1..)?.trim_start();
    is_key.then_some((key, line.len() - value.len()))
}
