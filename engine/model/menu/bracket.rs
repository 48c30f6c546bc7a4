//! A line in, the keys in brackets it offers out: `[A] Approve`, `[C]reate`, `Edit [e]`.

use super::MenuOption;
use crate::source::{Span, near_places};

/// The longest word that is a key.
const MAX_WORD: usize = 16;

/// A key in brackets.
#[derive(Clone, Copy)]
pub(super) struct Bracket<'a> {
    pub(super) key: &'a str,
    /// Where the `[` stands in the text.
    pub(super) start: usize,
    /// Where the text after the `]` starts.
    pub(super) end: usize,
    /// Whether the key is the first letter of its label: `[C]reate`.
    pub(super) joined: bool,
}

impl Bracket<'_> {
    /// Says whether it is a name in a form that is filled in, before another: `[ID]: [Description]`.
    pub(super) fn is_form(&self, text: &str) -> bool {
        let after = text
            .get(self.end..)
            .unwrap_or("")
            .trim_start_matches([':', ' ', '*', '_']);
        self.key.bytes().all(|at| at.is_ascii_uppercase()) && self.key.len() == 2 && after.starts_with('[')
    }
}

/// Finds the keys in brackets; links, indexes, task boxes and placeholders of more than two characters are none.
pub(super) fn brackets(text: &str) -> impl Iterator<Item = Bracket<'_>> {
    near_places(b'[', text.as_bytes()).filter_map(|start| bracket(text, start))
}

/// Finds the words in brackets that a label follows, as keys of a question: `[dev] Development`.
pub(super) fn worded(text: &str) -> impl Iterator<Item = Bracket<'_>> {
    near_places(b'[', text.as_bytes()).filter_map(|start| {
        let (key, rest) = text.get(start + 1..)?.split_once(']')?;
        let is_word =
            (2..=MAX_WORD).contains(&key.len()) && key.bytes().all(|at| at.is_ascii_lowercase() || at == b'-');
        let is_named = rest
            .strip_prefix(' ')
            .is_some_and(|label| label.starts_with(char::is_uppercase));
        let is_free = text[..start]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric());
        (is_word && is_named && is_free).then_some(Bracket {
            key,
            start,
            end: start + key.len() + 2,
            joined: false,
        })
    })
}

/// Finds the keys between single quotes, and one behind the last quote of a text.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    near_places(b'\'', bytes).filter_map(move |quote| {
        let rest = &bytes[quote + 1..];
        let closed = rest.iter().take(3).position(|at| *at == b'\'');
        let length = closed.or_else(|| (rest.len() < 3).then_some(rest.len()))?;
        text.get(quote + 1..quote + 1 + length).filter(|key| is_key(key))
    })
}

fn bracket(text: &str, start: usize) -> Option<Bracket<'_>> {
    let bytes = text.as_bytes();
    let length = bytes.get(start + 1..)?.iter().take(3).position(|at| *at == b']')?;
    let key = text.get(start + 1..start + 1 + length)?;
    if !is_key(key) {
        return None;
    }
    let before = start
        .checked_sub(1)
        .and_then(|at| bytes.get(at))
        .copied()
        .unwrap_or(b' ');
    if before.is_ascii_alphanumeric() || b"]).!\\?_".contains(&before) {
        return None;
    }
    let end = start + length + 2;
    let after = bytes.get(end).copied().unwrap_or(b' ');
    if after == b'(' || after == b'[' || after == b']' {
        return None;
    }
    let joined = length == 1 && after.is_ascii_lowercase() && key.as_bytes().iter().all(u8::is_ascii_alphabetic);
    let worded = bytes.get(end + 1).is_some_and(u8::is_ascii_lowercase) && after.is_ascii_uppercase();
    if after.is_ascii_alphanumeric() && !joined && !worded {
        return None;
    }
    Some(Bracket {
        key,
        start,
        end,
        joined,
    })
}

/// Says whether this could be a key: a letter, a digit, two digits or a code of two capitals.
pub(super) fn is_key(key: &str) -> bool {
    let bytes = key.as_bytes();
    match bytes {
        [one] => one.is_ascii_alphanumeric(),
        [one, two] => {
            (one.is_ascii_uppercase() && two.is_ascii_uppercase()) || (one.is_ascii_digit() && two.is_ascii_digit())
        }
        _ => false,
    }
}

/// Turns the keys of one line into options. `span` is where the line stands.
pub(super) fn line_options(text: &str, found: &[Bracket<'_>], span: Span) -> Vec<MenuOption> {
    let mut options = Vec::with_capacity(found.len());
    let mut floor = 0;
    for (index, bracket) in found.iter().enumerate() {
        let next = found
            .get(index + 1)
            .map_or_else(|| quote_end(text, bracket), |next| next.start);
        let option = one_option(text, bracket, floor..next, span);
        floor = bracket.end;
        options.push(option);
    }
    options
}

/// Finds where the last option of a line ends: what a sentence says behind the quotation that it stands in is no part of it.
fn quote_end(text: &str, last: &Bracket<'_>) -> usize {
    let is_open = text[..last.start].matches('"').count() % 2 == 1;
    let Some(close) = text[last.end..].find('"').filter(|_| is_open) else {
        return text.len();
    };
    let close = last.end + close;
    let inside_ends = text[..close].ends_with(['.', '?', '!']);
    let behind = &text[close + 1..];
    let is_end = behind.starts_with([',', ' ']) && inside_ends || behind.starts_with(". ");
    if is_end { close } else { text.len() }
}

fn one_option(text: &str, bracket: &Bracket<'_>, room: std::ops::Range<usize>, span: Span) -> MenuOption {
    let start = if bracket.joined { bracket.start + 1 } else { bracket.end };
    let after = text.get(start..room.end).unwrap_or("");
    let label = if bracket.joined {
        let word = format!("{}{}", bracket.key, text.get(bracket.end..room.end).unwrap_or(""));
        short(&word).to_owned()
    } else {
        short(after).to_owned()
    };
    if label.is_empty() && !bracket.key.as_bytes().iter().all(u8::is_ascii_digit) {
        let (at, before) = label_before(text.get(room.start..bracket.start).unwrap_or(""));
        return MenuOption {
            key: bracket.key.to_owned(),
            label: before.to_owned(),
            span: span.inner(
                if before.is_empty() {
                    bracket.start
                } else {
                    room.start + at
                },
                bracket.end,
            ),
        };
    }
    let kept = after
        .trim_end_matches(|at: char| matches!(at, '"' | '”' | '`' | '|' | ',' | '/' | '(' | '*') || at.is_whitespace());
    let end = if label.is_empty() {
        bracket.end
    } else {
        (start + kept.len()).max(bracket.end)
    };
    MenuOption {
        key: bracket.key.to_owned(),
        label,
        span: span.inner(bracket.start, end),
    }
}

/// Cuts what follows a key down to its label: marks and the description go.
pub(super) fn short(text: &str) -> &str {
    let text = text
        .trim_start_matches(|at: char| matches!(at, '*' | '_' | '`' | '"' | '\'' | '“' | ':') || at.is_whitespace());
    if text.starts_with([',', ';', '.', ')', '?', '|', '/', '-', '—', '–', '→']) || starts_with_word(text, "or") {
        return "";
    }
    let bytes = text.as_bytes();
    let end = (0..bytes.len()).find(|at| ends_label(&bytes[*at..]));
    let label = end.and_then(|end| text.get(..end)).unwrap_or(text);
    let label = label.trim_end_matches(|at: char| {
        matches!(
            at,
            '*' | '_' | '`' | '"' | '\'' | '”' | '.' | ',' | ';' | ':' | '!' | '?' | '|' | '/' | '('
        ) || at.is_whitespace()
    });
    let label = strip_last_word(label, "or");
    let label = label
        .strip_prefix("to ")
        .or(label.strip_prefix("for "))
        .unwrap_or(label);
    let label = label.trim_end_matches([' ', ',', ';']);
    if label.contains('(') {
        label
    } else {
        label.trim_end_matches(')')
    }
}

/// Says whether what stands here ends the label before it: a dash, the end of a sentence, a line or a tag.
fn ends_label(rest: &[u8]) -> bool {
    let stops: &[&str] = match rest.first() {
        Some(b' ') => &[" - ", " – ", " — ", " | ", " → "],
        Some(b'.') => &[". "],
        Some(b':') => &[": "],
        Some(b',') => &[", or "],
        Some(b'*') => &["**"],
        Some(b'`') => &["` "],
        Some(b'\n' | b'<') => return true,
        Some(_) | None => return false,
    };
    stops.iter().any(|stop| rest.starts_with(stop.as_bytes()))
}

/// Finds the label that stands before its key: `Approve [a], Edit [e]`.
fn label_before(text: &str) -> (usize, &str) {
    let mut from = 0;
    for stop in [", ", ". ", ": ", "? ", "; ", " or ", "| ", "("] {
        if let Some(at) = memchr::memmem::rfind(text.as_bytes(), stop.as_bytes()) {
            from = from.max(at + stop.len());
        }
    }
    let label = text.get(from..).unwrap_or("");
    let cut = label.trim_start_matches(|at: char| matches!(at, '*' | '_' | '`' | '"' | '\'') || at.is_whitespace());
    let from = from + label.len() - cut.len();
    let cut = cut.trim_end_matches(|at: char| matches!(at, '*' | '_' | '`' | '"' | '\'') || at.is_whitespace());
    let words = cut.split_whitespace().count();
    if (1..=4).contains(&words) {
        (from, cut)
    } else {
        (from, "")
    }
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ',']))
}

fn strip_last_word<'a>(text: &'a str, word: &str) -> &'a str {
    match text.strip_suffix(word) {
        Some(rest) if rest.ends_with([' ', ',']) => rest.trim_end_matches([' ', ',']),
        Some(_) | None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_key, quoted};

    #[test]
    fn keys_in_quotes_are_those_between_any_two_quotes() {
        for text in [
            "",
            "'",
            "'A",
            "'A'",
            "it's 'C' or 'DD', don't 'ABC'",
            "''B'é'1",
            "x 'A' 'é' '",
            "'12",
        ] {
            let parts: Vec<&str> = text.split('\'').skip(1).filter(|part| is_key(part)).collect();
            assert_eq!(quoted(text).collect::<Vec<_>>(), parts, "{text}");
        }
    }
}
