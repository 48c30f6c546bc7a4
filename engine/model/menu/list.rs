//! Text in, the choices it lists without brackets out: `1. …`, `a) …`, `(y/n/edit)`, `- **Approve** — …`.

use super::MenuOption;
use super::bracket::{is_key, short};
use super::words;
use crate::source::{Span, near_byte};
use memchr::memchr2_iter;

/// The most alternatives between two slashes.
const MAX_PARTS: usize = 8;
/// The longest text between brackets that is looked at for slashes.
const MAX_SLASHED: usize = 64;

/// A line that starts with a number or a letter.
pub(super) struct Item<'a> {
    pub(super) key: &'a str,
    /// Where the key stands in the line.
    pub(super) start: usize,
    pub(super) rest: &'a str,
}

/// Reads `1. …`, `1) …`, `a) …` and `**1. …**` at the start of a line.
pub(super) fn item(line: &str) -> Option<Item<'_>> {
    let text = unmarked(line);
    let bytes = text.as_bytes();
    let digits = bytes.iter().take_while(|at| at.is_ascii_digit()).count();
    let length = match (digits, bytes) {
        (1 | 2, _) => digits,
        (0, [letter, b')' | b'.', ..]) if letter.is_ascii_alphabetic() => 1,
        _ => return None,
    };
    let rest = text.get(length..)?.strip_prefix(['.', ')'])?;
    if !rest.starts_with([' ', '*']) {
        return None;
    }
    Some(Item {
        key: text.get(..length)?,
        start: line.len() - text.len(),
        rest: rest.trim(),
    })
}

/// Cuts the marks from the start of a line, bytes first: letters of other scripts and their spaces are rare.
fn unmarked(line: &str) -> &str {
    let is_plain = |at: &u8| matches!(at, b' ' | b'*' | b'>' | b'"' | b'\'' | b'_' | b'`' | b'\t'..=b'\r');
    let plain = line.as_bytes().iter().take_while(|at| is_plain(at)).count();
    let rest = line.get(plain..).unwrap_or("");
    match rest.as_bytes().first() {
        Some(first) if !first.is_ascii() => rest.trim_start_matches(|at: char| {
            matches!(at, '>' | '"' | '\'' | '“' | '*' | '_' | '`') || at.is_whitespace()
        }),
        Some(_) | None => rest,
    }
}

impl Item<'_> {
    /// Returns the place in the order: 1 for `1` and `a`.
    pub(super) fn ordinal(&self) -> u32 {
        match self.key.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => u32::from(letter.to_ascii_lowercase() - b'a') + 1,
            _ => self.key.parse().unwrap_or(0),
        }
    }

    /// Says whether this asks for something instead of offering it, or is a form to fill in.
    pub(super) fn is_open(&self) -> bool {
        let inner = self
            .rest
            .trim_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'' | '`') || at.is_whitespace());
        inner.is_empty() || inner.ends_with(':') || inner.starts_with(['[', '{']) || inner.contains('?')
    }

    /// Returns the option this line offers. `span` is where the line stands, `length` how long it is.
    pub(super) fn option(&self, span: Span, length: usize) -> MenuOption {
        MenuOption {
            key: self.key.to_owned(),
            label: short(self.rest.trim_start_matches(|at: char| !at.is_ascii_alphanumeric())).to_owned(),
            span: span.inner(self.start, length),
        }
    }
}

/// Returns the lines of a text with their offsets, without line breaks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Finds numbered and lettered options in the text of a question.
pub(super) fn numbered(text: &str, span: Span) -> Vec<MenuOption> {
    let mut options = counted(text, span);
    if !options.is_empty() && !lines(text).any(|(_, line)| leads_to_items(line)) {
        options.clear();
    }
    options
}

/// Finds the items of a text that are numbered or lettered in order.
pub(super) fn counted(text: &str, span: Span) -> Vec<MenuOption> {
    let mut options: Vec<MenuOption> = Vec::new();
    let (mut expected, mut open) = (1, 0);
    for (start, line) in lines(text) {
        let Some(item) = item(line) else {
            continue;
        };
        let ordinal = item.ordinal();
        let begins = ordinal == 1 || ordinal == 0 && options.is_empty();
        if ordinal != expected && !begins {
            continue;
        }
        expected = ordinal + 1;
        open += usize::from(item.is_open());
        options.push(item.option(span.inner(start, start + line.len()), line.len()));
    }
    if options.len() < 2 || open * 2 >= options.len() {
        options.clear();
    }
    options
}

/// Says whether a line that is no item leads to items.
fn leads_to_items(line: &str) -> bool {
    let end = line.trim_end_matches(|at: char| matches!(at, '*' | '_' | '"' | '\'') || at.is_whitespace());
    item(line).is_none() && (end.ends_with(['?', ':']) || words::is_cue(line))
}

/// Finds `(y/n/edit)` and `[1/2/3]` at the end of a line, or anywhere if every part is short.
pub(super) fn slashed(text: &str, span: Span) -> Vec<MenuOption> {
    if near_byte(b'/', text.as_bytes()).is_none() {
        return Vec::new();
    }
    for open in memchr2_iter(b'(', b'[', text.as_bytes()) {
        if let Some(options) = slashed_at(text, open, span) {
            return options;
        }
    }
    Vec::new()
}

fn slashed_at(text: &str, open: usize, span: Span) -> Option<Vec<MenuOption>> {
    let bytes = text.as_bytes();
    let close = if bytes.get(open) == Some(&b'(') { b')' } else { b']' };
    let window = bytes.get(open + 1..(open + 1 + MAX_SLASHED).min(bytes.len()))?;
    let length = near_byte(close, window)?;
    near_byte(b'/', window.get(..length)?)?;
    let inside = text.get(open + 1..open + 1 + length)?;
    let mut options = Vec::new();
    let mut at = open + 1;
    for part in inside.split('/') {
        let key = part.trim();
        if key.is_empty() || !key.bytes().all(|at| at.is_ascii_alphanumeric() || at == b'-') {
            return None;
        }
        let start = at + part.len() - part.trim_start().len();
        options.push(MenuOption {
            key: key.to_owned(),
            label: spoken(key).to_owned(),
            span: span.inner(start, start + key.len()),
        });
        at += part.len() + 1;
    }
    let terse = options
        .iter()
        .all(|option| option.key.len() <= 2 || matches!(&*option.key, "yes" | "no"));
    let tail = text.get(open + length + 2..).unwrap_or("");
    let tail = tail.split('\n').next().unwrap_or("");
    let ends = tail.bytes().all(|at| !at.is_ascii_alphanumeric());
    ((terse || ends) && (2..=MAX_PARTS).contains(&options.len())).then_some(options)
}

fn spoken(key: &str) -> &str {
    match key {
        "y" | "Y" => "yes",
        "n" | "N" => "no",
        _ => key,
    }
}

/// A bullet that starts with a bold label.
pub(super) struct Labelled<'a> {
    pub(super) label: &'a str,
    /// Where the label stands in the line.
    pub(super) start: usize,
    /// What follows the bold text.
    pub(super) rest: &'a str,
}

/// Reads `- **Label** …` at the start of a line.
pub(super) fn labelled_line(line: &str) -> Option<Labelled<'_>> {
    let text = line.trim_start_matches(|at: char| at.is_whitespace() || at == '>');
    let text = text.strip_prefix(['-', '*'])?.strip_prefix(' ')?.trim_start();
    let bold = text.strip_prefix("**")?;
    let length = memchr::memmem::find(bold.as_bytes(), b"**")?;
    let label = bold.get(..length)?;
    let rest = bold.get(length + 2..)?.trim();
    let label = label.trim();
    if label.is_empty() || label.len() > 48 || label.ends_with(['?', '!']) || label.contains(['[', '{', '`']) {
        return None;
    }
    Some(Labelled {
        label,
        start: line.len() - bold.len(),
        rest,
    })
}

/// Reads the key that an item explains: `- **Y** — take it`, `- y) take it`.
pub(super) fn explained(line: &str) -> Option<&str> {
    let marks: &[char] = &['-', '—', '–', '→'];
    if let Some(labelled) = labelled_line(line) {
        return Some(labelled.label).filter(|label| is_key(label) && labelled.rest.starts_with(marks));
    }
    let text = line.trim_start_matches(|at: char| at.is_whitespace() || at == '>');
    let text = text.strip_prefix(['-', '*'])?.strip_prefix(' ')?.trim_start();
    let (key, rest) = text.split_at_checked(1)?;
    let marked = rest.starts_with(") ") || rest.trim_start() != rest && rest.trim_start().starts_with(marks);
    (is_key(key) && marked).then_some(key)
}

impl Labelled<'_> {
    /// Says whether the label introduces what to do instead of naming a choice.
    pub(super) fn is_colon(&self) -> bool {
        self.label.ends_with(':') || self.rest.starts_with(':')
    }

    /// Returns the option this bullet offers.
    pub(super) fn option(&self, span: Span, length: usize) -> MenuOption {
        let label = self.label.trim_end_matches(':');
        MenuOption {
            key: label.to_owned(),
            label: label.to_owned(),
            span: span.inner(self.start, length.max(self.start)),
        }
    }
}

/// Finds bold-label bullets after a line that gives a choice.
pub(super) fn labelled(text: &str, span: Span) -> Vec<MenuOption> {
    let mut options = Vec::new();
    let mut introduced = false;
    if memchr::memmem::find(text.as_bytes(), b"**").is_none() {
        return options;
    }
    for (start, line) in lines(text) {
        match labelled_line(line) {
            Some(found) if introduced => {
                let length = line.trim_end().len();
                options.push(found.option(span.inner(start, start + line.len()), length));
            }
            Some(_) => {}
            None => introduced |= words::introduces(line),
        }
    }
    options
}
