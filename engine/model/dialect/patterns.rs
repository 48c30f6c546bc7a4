//! Texts between fences behind a menu that leads elsewhere: the work before the menu is done by them.

use crate::model::instruction::{Act, Instruction};
use crate::model::library::Document;
use crate::model::lift::LiftKind;
use crate::source::Span;
use crate::syntax::trim;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// What a line begins with that opens or closes a text between fences.
static FENCE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\n```"));

/// Puts what is to be filled in before the last menu, where an answer leads elsewhere: `## Content` with a text between
/// fences, which the work before the menu is done by.
pub(super) fn tell_first(document: &Document, read: &mut Vec<Instruction>) {
    let Some(menu) = read.iter().rposition(|one| matches!(one.act, Act::Menu(_))) else {
        return;
    };
    let follows = |one: &Instruction| match &one.act {
        Act::Do { lifts, .. } => lifts.iter().any(|lift| {
            let words = || document.source.slice(lift.span);
            matches!(lift.kind, LiftKind::Follow { .. }) && !lift.goes_back(words())
        }),
        _ => false,
    };
    let Act::Menu(choice) = &read[menu].act else {
        return;
    };
    // Who goes on behind the menu is told it there.
    let goes_on = choice.branches.iter().any(|branch| branch.onward);
    if goes_on || !choice.branches.iter().any(|branch| branch.body.iter().any(follows)) {
        return;
    }
    let rest = read[menu + 1..].iter().map(|one| one.span);
    let found: Vec<Span> = rest.flat_map(|span| sections(document, span)).collect();
    let found = found.into_iter().map(|span| Instruction::prose(span, Vec::new()));
    read.splice(menu..menu, found);
}

/// Returns the sections of a stretch that hold a text between fences.
fn sections(document: &Document, span: Span) -> Vec<Span> {
    let source = &document.source;
    let has_fence = |section: Span| {
        let text = source.slice(section);
        text.starts_with("```") || FENCE.find(text.as_bytes()).is_some()
    };
    if !has_fence(span) {
        return Vec::new();
    }
    let headings = document.parsed.markdown.headings.iter();
    let inside = headings.filter(|heading| span.contains(heading.span));
    let starts: Vec<u32> = inside.map(|heading| heading.span.start).collect();
    let ends = starts.iter().skip(1).copied().chain([span.end]);
    let sections = starts.iter().zip(ends).map(|(start, end)| Span {
        start: *start,
        end,
        ..span
    });
    sections
        .filter(|section| has_fence(*section))
        .map(|section| trim(source, section).0)
        .collect()
}
