//! Document type and entity definitions: found and measured, never read.

use crate::source::{near_any, near_byte, near_either};

/// Says whether `text` starts a definition.
pub(super) fn is_definition(text: &[u8]) -> bool {
    [b"<!DOCTYPE".as_slice(), b"<!ENTITY"].iter().any(|word| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    })
}

/// Returns how long the definition at the start of `text` is; one without an end takes all of it.
pub(in crate::syntax) fn definition_length(text: &[u8]) -> usize {
    let mut at = 2;
    while let Some(length) = text.get(at..).and_then(|rest| rest.iter().position(is_mark)) {
        at += length;
        let after = match text[at] {
            b'>' => return at + 1,
            b'[' => subset_length(&text[at..]),
            quote => quoted_length(&text[at..], quote),
        };
        let Some(after) = after else { break };
        at += after;
    }
    text.len()
}

fn is_mark(byte: &u8) -> bool {
    matches!(byte, b'>' | b'[' | b'"' | b'\'')
}

/// Measures `[ … ]`, which holds definitions, comments and instructions.
fn subset_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += near_either(b']', b'<', text.get(at..)?)?;
        let rest = &text[at..];
        at += match rest {
            [b']', ..] => return Some(at + 1),
            [b'<', b'!', b'-', b'-', ..] => past(rest, b"-->")?,
            [b'<', b'?', ..] => past(rest, b"?>")?,
            _ => markup_length(rest)?,
        };
    }
}

/// Measures one definition inside `[ … ]`.
fn markup_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += near_any(b'>', b'"', b'\'', text.get(at..)?)?;
        at += match text[at] {
            b'>' => return Some(at + 1),
            quote => quoted_length(&text[at..], quote)?,
        };
    }
}

fn quoted_length(text: &[u8], quote: u8) -> Option<usize> {
    near_byte(quote, text.get(1..)?).map(|length| length + 2)
}

fn past(text: &[u8], end: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, end).map(|at| at + end.len())
}
