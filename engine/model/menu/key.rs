//! A part of a sentence in, the keys it names out: `'C'`, `[C]`, `**Edit**`, `A or B`, `Persona selected`.

use super::bracket::is_key;
use crate::source::near_byte;

/// The most keys one sentence names.
const MAX_KEYS: usize = 12;

/// How a key is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// `C`.
    Bare,
    /// `'C'`, `**C**`, `` `C` ``.
    Quoted,
    /// `[C]`.
    Bracketed,
}

/// A key and what follows it.
pub(super) struct Named<'a> {
    pub(super) key: &'a str,
    pub(super) rest: &'a str,
    pub(super) writing: Writing,
}

/// Reads keys joined by commas, slashes, `or` and `and`; returns them and the last one.
pub(super) fn keys(text: &str, chosen: bool) -> Option<(Vec<&str>, Named<'_>)> {
    let mut last = key(text, chosen)?;
    let mut keys = vec![last.key];
    while keys.len() < MAX_KEYS
        && let Some(next) = joint(last.rest).and_then(|rest| key(rest, chosen))
    {
        keys.push(next.key);
        last = next;
    }
    Some((keys, last))
}

/// The numbers that a range may hold.
const NUMBERS: [&str; 21] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
];

/// Reads `1-3`, with marks around it; returns the numbers and what stands behind.
pub(super) fn range(text: &str) -> Option<(Vec<&str>, &str)> {
    let (first, rest) = word(text.trim_start_matches([' ', '*', '_', '`', '\'', '"', '[']))?;
    let (last, rest) = word(rest.strip_prefix(['-', '–'])?)?;
    let rest = rest.trim_start_matches(['`', '\'', '"', ']']);
    let place = |number: &str| NUMBERS.iter().position(|each| *each == number);
    let (first, last) = (place(first)?, place(last)?);
    (first < last).then(|| (NUMBERS[first..=last].to_vec(), rest))
}

/// Reads a label in plain words: `Persona selected`.
pub(super) fn selected_words(text: &str) -> Option<(Vec<&str>, Named<'_>)> {
    // Most text goes on with a small letter.
    if !text.starts_with(char::is_uppercase) {
        return None;
    }
    let end = [" selected", " is selected", " chosen", " is chosen"]
        .iter()
        .filter_map(|words| memchr::memmem::find(text.as_bytes(), words.as_bytes()))
        .min()?;
    let key = text.get(..end)?;
    let plain = key.chars().all(|at| at.is_alphanumeric() || at == ' ') && key.starts_with(char::is_uppercase);
    (plain && key.len() <= 32).then(|| {
        let rest = text.get(end..).unwrap_or("");
        (
            vec![key],
            Named {
                key,
                rest,
                writing: Writing::Quoted,
            },
        )
    })
}

fn joint(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    // Mostly a colon follows.
    if !matches!(rest.as_bytes(), [b'(' | b',' | b'/' | b'o' | b'O' | b'a', ..]) {
        return None;
    }
    if let Some((_, after)) = parenthesis(rest) {
        rest = after.trim_start();
    }
    let before = rest.len();
    rest = rest.strip_prefix([',', '/']).unwrap_or(rest).trim_start();
    for joint in ["or ", "OR ", "and ", "Or "] {
        rest = rest.strip_prefix(joint).unwrap_or(rest).trim_start();
    }
    (rest.len() < before).then_some(rest)
}

/// Reads one key: quoted, in brackets, in backticks, bold, or a bare capital or number.
fn key(text: &str, chosen: bool) -> Option<Named<'_>> {
    let trimmed = text.trim_start();
    if trimmed.starts_with(|at: char| at.is_ascii_alphanumeric()) {
        return bare_key(trimmed);
    }
    let inner = trimmed.trim_start_matches(['*', '_', '`', '\'', '"', '[', '‘', '“']);
    let Some(opening) = trimmed.strip_suffix(inner).filter(|opening| !opening.is_empty()) else {
        return bare_key(inner);
    };
    let length = inner.find(['*', '`', '\'', '"', ']', '’', '”', ':'])?;
    if let Some(named) = with_value(inner) {
        return Some(named);
    }
    let key = inner.get(..length)?.trim();
    if key.is_empty()
        || key.len() > 48
        || !key
            .chars()
            .all(|at| at.is_alphanumeric() || matches!(at, ' ' | '-' | '&'))
    {
        return None;
    }
    let first = key.split(' ').next().unwrap_or(key);
    // `[C continue option]` names the key and says what it is.
    let explained = first.len() < key.len() && is_key(first) && (chosen || key.contains("option"));
    Some(Named {
        key: if explained { first } else { key },
        rest: inner
            .get(length..)?
            .trim_start_matches(['*', '_', '`', '\'', '"', ']', '’', '”']),
        writing: if opening.contains('[') {
            Writing::Bracketed
        } else {
            Writing::Quoted
        },
    })
}

/// Reads a key that a value is typed behind, as code: `` `R [value]` ``.
fn with_value(inner: &str) -> Option<Named<'_>> {
    let ends = |at: &usize| {
        inner
            .as_bytes()
            .get(*at..)
            .is_some_and(|behind| behind.starts_with(b" ["))
    };
    let length = [1, 2].into_iter().find(ends)?;
    let key = inner.get(..length).filter(|key| is_key(key))?;
    let (value, rest) = inner.get(length + 2..)?.split_once("]`")?;
    let is_place = !value.contains(['`', '[', '\n']) && !value.is_empty();
    is_place.then_some(Named {
        key,
        rest,
        writing: Writing::Quoted,
    })
}

fn bare_key(text: &str) -> Option<Named<'_>> {
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (key, rest) = text.split_at(length);
    let capital = key.bytes().all(|at| at.is_ascii_uppercase() || at.is_ascii_digit());
    let digits = key.bytes().all(|at| at.is_ascii_digit());
    if !capital || !is_key(key) || !(digits || key.len() == 1) {
        return None;
    }
    let after = rest.trim_start_matches(['*', '_', ' ']);
    let ends = after.is_empty()
        || after.starts_with([':', ',', '(', ')', '.', '/', '→', '-', '='])
        || word(after)
            .is_some_and(|(next, _)| is_one_of(next, &["to", "is", "or", "and", "then", "selected", "chosen"]));
    ends.then_some(Named {
        key,
        rest,
        writing: Writing::Bare,
    })
}

pub(super) fn word(text: &str) -> Option<(&str, &str)> {
    let gap = text.bytes().take_while(|at| matches!(at, b' ' | b'*' | b'_')).count();
    let text = match text.as_bytes().get(gap) {
        Some(first) if first.is_ascii_alphanumeric() => &text[gap..],
        Some(_) | None => text.trim_start_matches(|at: char| matches!(at, '*' | '_') || at.is_whitespace()),
    };
    let length = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (length > 0).then(|| text.split_at(length))
}

pub(super) fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|other| other.eq_ignore_ascii_case(word))
}

pub(super) fn parenthesis(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    let length = near_byte(b')', inside.as_bytes())?;
    Some((inside.get(..length)?, inside.get(length + 1..)?))
}
