//! Text between tags to instructions.

use crate::model::instruction::{Act, Instruction};
use crate::model::lift::{add, lifts};
use crate::source::{Source, Span};
use crate::syntax::trim;

/// Loose Markdown belongs to the action before it.
pub(super) fn loose(source: &Source, span: Span, read: &mut Vec<Instruction>) {
    // Most of what stands between tags is how they are set out.
    if source.slice(span).bytes().all(|byte| byte.is_ascii_whitespace()) {
        return;
    }
    let (span, text) = trim(source, unwrapped(source, span));
    if text.is_empty() {
        return;
    }
    let found = lifts(text, span);
    if let Some(Instruction {
        act: Act::Do { text, lifts, .. },
        span: whole,
        ..
    }) = read.last_mut()
    {
        *text = text.to(span);
        *whole = whole.to(span);
        add(lifts, found);
        return;
    }
    read.push(Instruction::prose(span, found));
}

/// Takes the lines off a text that hold nothing but a tag nobody knows: it is wrapped in them.
pub(super) fn unwrapped(source: &Source, span: Span) -> Span {
    let (mut span, mut text) = trim(source, span);
    loop {
        if !text.starts_with('<') && !text.ends_with('>') {
            return span;
        }
        let first = text.lines().next().unwrap_or_default();
        let last = text.lines().next_back().unwrap_or_default();
        let inner = match (is_tag(first), is_tag(last)) {
            (true, _) => span.inner(first.len(), text.len()),
            (false, true) => span.inner(0, text.len() - last.len()),
            (false, false) => return span,
        };
        (span, text) = trim(source, inner);
    }
}

/// Says whether a line is one tag that opens or closes something.
fn is_tag(line: &str) -> bool {
    let inside = line.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let name = inside.map(|inside| inside.trim_start_matches('/'));
    name.is_some_and(|name| {
        name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains(['<', '>']) && !name.ends_with('/')
    })
}
