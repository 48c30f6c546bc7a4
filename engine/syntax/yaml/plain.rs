//! The plainest YAML in, the same values as the parser reads out: lines `key: value` and comments, as most frontmatter is.
//!
//! What is only a little less plain is left to the parser.

use super::scalar::{Hint, Style};
use super::tree::{Scalar, Stop, Tree};
use std::ops::Range;

/// A key and its value.
pub(super) struct Entry {
    key: Range<usize>,
    /// With its quotes.
    value: Range<usize>,
    quoted: bool,
}

/// Reads a text that is nothing but plain lines; answers nothing for any other.
pub(super) fn entries(text: &str) -> Option<Vec<Entry>> {
    let printable = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    if !text.bytes().all(printable) {
        return None;
    }
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |length| start + length);
        let line = &text[start..end];
        if !line.is_empty() && !line.starts_with('#') {
            found.push(entry(line, start)?);
        }
        start = end + 1;
    }
    (!found.is_empty()).then_some(found)
}

/// Reads the line that stands at `start`.
fn entry(line: &str, start: usize) -> Option<Entry> {
    let colon = line.bytes().position(|byte| !is_key_byte(byte))?;
    let value = line.get(colon..)?.strip_prefix(": ")?;
    let quoted = value.starts_with(['"', '\'']);
    let plain = if quoted { is_quoted(value) } else { is_plain(value) };
    let starts = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    (starts && plain).then(|| Entry {
        key: start..start + colon,
        value: start + line.len() - value.len()..start + line.len(),
        quoted,
    })
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Says whether a value is one pair of quotes around text without marks of its own.
fn is_quoted(value: &str) -> bool {
    let quote = value.as_bytes().first().copied().unwrap_or(b'"');
    let inside = value.get(1..).and_then(|rest| rest.strip_suffix(char::from(quote)));
    inside.is_some_and(|inside| memchr::memchr2(quote, b'\\', inside.as_bytes()).is_none())
}

/// Says whether a value begins with a letter or a digit and holds nothing that could be more than text.
fn is_plain(value: &str) -> bool {
    let bytes = value.as_bytes();
    let odd = |pair: &[u8]| matches!(pair, b"  ");
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last() != Some(&b' ')
        && memchr::memchr2(b':', b'#', bytes).is_none()
        && !bytes.windows(2).any(odd)
}

/// Puts the entries into a tree, as the parser would.
pub(super) fn feed(tree: &mut Tree<'_>, text: &str, entries: &[Entry]) -> Result<(), Stop> {
    let first = entries.first().map_or(0, |entry| entry.key.start);
    tree.open_map(0, first, false)?;
    for entry in entries {
        tree.scalar(scalar(&text[entry.key.clone()], false), entry.key.clone())?;
        let written = &text[entry.value.clone()];
        let value = if entry.quoted {
            &written[1..written.len() - 1]
        } else {
            written
        };
        tree.scalar(scalar(value, entry.quoted), entry.value.clone())?;
    }
    tree.close(text.len())?;
    tree.end_document();
    Ok(())
}

fn scalar(text: &str, quoted: bool) -> Scalar<'_> {
    Scalar {
        text,
        style: if quoted { Style::Quoted } else { Style::Plain },
        hint: Hint::None,
        anchor: 0,
        dressed: false,
    }
}
