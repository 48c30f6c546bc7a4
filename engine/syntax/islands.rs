//! Markdown in, the tags in it out: which parts of a file may hold tags.

use super::Parsed;
use super::markdown::{Fence, LineKind, Markdown, mark_length};
use super::scan::{Scanner, Setting};
use super::tag::Tag;
use super::tree::Builder;
use crate::source::{Source, Span};
use std::collections::HashMap;

/// Whether what stands in code fences is scanned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fences {
    Skipped,
    Scanned,
}

pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let markdown = std::mem::take(&mut parsed.markdown);
    let mut builder = scan(source, &markdown, Fences::Skipped);
    if is_fenced_workflow(source, &markdown.fences, &mut builder) {
        builder = scan(source, &markdown, Fences::Scanned);
    }
    builder.finish(parsed);
    parsed.markdown = markdown;
}

/// Returns where the text after the byte order mark and the frontmatter starts.
fn body_start(text: &str, markdown: &Markdown) -> usize {
    let matter = markdown
        .lines
        .partition_point(|line| line.kind == LineKind::Frontmatter);
    match markdown.lines.get(matter) {
        Some(first) => first.start as usize,
        None => text.len(),
    }
}

/// Says whether the workflow, task or agent of this file stands inside its code fences.
fn is_fenced_workflow(source: &Source, fences: &[Fence], builder: &mut Builder<'_>) -> bool {
    let mut has_step = false;
    let mut has_root = false;
    for fence in fences.iter().filter(|fence| fence.is_closed()) {
        has_step |= opens(source, fence.body, |tag| tag == Tag::Step);
        has_root |= opens(source, fence.body, Tag::is_root);
    }
    let is_fenced = (has_step && !builder.holds(|tag| tag == Tag::Step))
        || (has_root && !builder.holds(|tag| tag == Tag::Step || tag.is_root()));
    is_fenced && !holds_samples(source, fences)
}

/// Says whether the fences are samples of several workflows: two of them hold a step of the same label.
fn holds_samples(source: &Source, fences: &[Fence]) -> bool {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    fences
        .iter()
        .enumerate()
        .any(|(at, fence)| labels(source.slice(fence.body)).any(|label| *seen.entry(label).or_insert(at) != at))
}

/// Returns the labels of the steps that a text opens.
fn labels(text: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(text.as_bytes(), b"<step ").filter_map(move |at| {
        let tag = text.get(at..)?.split('>').next()?;
        let (_, value) = tag.split_once(" n=")?;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value.get(1..)?.split(quote).next()
    })
}

fn scan<'s>(source: &'s Source, markdown: &Markdown, choice: Fences) -> Builder<'s> {
    let text = source.text();
    let mut builder = Builder::new(source);
    let (mark, start) = (mark_length(text), body_start(text, markdown));
    builder.gap(0..mark);
    builder.gap(start..start);
    let mut scanner = Scanner::new(text, &mut builder);
    let mut at = start;
    // A fence that nothing closes hides nothing: its mark is more likely the mistake.
    for fence in markdown.fences.iter().filter(|fence| fence.is_closed()) {
        let (first, end) = (fence.span.start as usize, fence.span.end as usize);
        at = scanner.scan(at..first.max(at), Setting::Markdown);
        let is_scanned = choice == Fences::Scanned && holds_tags(source, fence);
        if is_scanned && at <= first {
            scanner.scan_fence(fence.body.range());
        }
        at = at.max(end);
    }
    scanner.scan(at..text.len().max(at), Setting::Markdown);
    builder
}

/// Says whether a fence can hold a part of a workflow.
fn holds_tags(source: &Source, fence: &Fence) -> bool {
    source.slice(fence.language).eq_ignore_ascii_case("xml")
        || opens(source, fence.body, |tag| tag == Tag::Step || tag.is_root())
}

/// Says whether the text under `span` opens a tag that is wanted.
fn opens(source: &Source, span: Span, wanted: impl Fn(Tag) -> bool) -> bool {
    let text = source.slice(span);
    memchr::memchr_iter(b'<', text.as_bytes()).any(|at| {
        let rest = text.get(at + 1..).unwrap_or("");
        let length = rest.bytes().take_while(|byte| super::scan::is_name(*byte)).count();
        rest.get(..length).and_then(Tag::named).is_some_and(&wanted)
    })
}

#[cfg(test)]
mod tests;
