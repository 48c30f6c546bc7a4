//! YAML or TOML with its value in, the `#` comments that speak to the engine out.

use super::value::{Node, Value};
use crate::source::{Source, Span, near_either};
use memchr::memmem;

/// What a comment starts with that speaks to the engine.
const MARK: &[u8] = b"bmad:";

/// Adds the comments under `span` that start with `bmad:`, each without its `#`. What looks like one inside a text of
/// `node` is none.
pub(super) fn read(source: &Source, span: Span, node: Option<&Node>, comments: &mut Vec<Span>) {
    let bytes = source.slice(span).as_bytes();
    let mut found = memmem::find_iter(bytes, MARK).peekable();
    if found.peek().is_none() {
        return;
    }
    let texts = node.map(text_spans).unwrap_or_default();
    for mark in found {
        let Some(start) = after_hash(bytes, mark) else {
            continue;
        };
        let comment = span.inner(start, line_end(bytes, mark));
        let before = texts.partition_point(|text| text.start < comment.start);
        let inside = before.checked_sub(1).and_then(|last| texts.get(last));
        if inside.is_none_or(|text| text.end < comment.start) {
            comments.push(comment);
        }
    }
}

/// Finds the byte after the `#` that `mark` follows, where that `#` starts a comment.
fn after_hash(bytes: &[u8], mark: usize) -> Option<usize> {
    let before = bytes.get(..mark)?;
    let blanks = before.iter().rev().take_while(|byte| is_blank(**byte)).count();
    let hash = (mark - blanks).checked_sub(1)?;
    let opens = match hash.checked_sub(1).and_then(|at| bytes.get(at)) {
        Some(byte) => is_blank(*byte) || matches!(byte, b'\n' | b'\r'),
        None => true,
    };
    (bytes.get(hash) == Some(&b'#') && opens).then_some(hash + 1)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or(&[]);
    at + near_either(b'\n', b'\r', rest).unwrap_or(rest.len())
}

/// Returns the places of all texts in `node`, in the order they stand.
fn text_spans(node: &Node) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.value {
            Value::Text(_) => spans.push(node.span),
            Value::List(items) => open.extend(items),
            Value::Map(pairs) => open.extend(pairs.iter().map(|pair| &pair.node)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    spans.sort_unstable();
    spans
}
