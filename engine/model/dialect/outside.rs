//! What stands around the tags of a Markdown file: what is before them is done first, what is behind them holds for all.

use super::around::says;
use super::loose::unwrapped;
use super::tagged::Tagged;
use super::{prose, tagged};
use crate::model::library::Document;
use crate::model::workflow::Step;
use crate::source::Span;
use crate::syntax::{Child, Element, trim};

/// Reads the tags of a Markdown file with the text around them.
pub(super) fn read(document: &Document) -> Tagged {
    let mut tagged = tagged::read(document);
    let body = document.body();
    let roots: Vec<&Element> = elements(document)
        .filter(|element| holds_any(element, &tagged))
        .collect();
    if let Some(last) = roots.last() {
        tagged.rules.extend(behind(
            document,
            Span {
                start: last.span.end,
                ..body
            },
        ));
    }
    if let Some(first) = roots.first() {
        let span = Span {
            end: first.span.start,
            ..body
        };
        let mut steps = before(document, span, &tagged);
        steps.append(&mut tagged.steps);
        tagged.steps = steps;
    }
    tagged
}

fn elements(document: &Document) -> impl Iterator<Item = &Element> {
    document.parsed.tree.iter().filter_map(|child| match child {
        Child::Element(element) => Some(element.as_ref()),
        Child::Text(_) => None,
    })
}

/// Says whether an element holds a step, or is one.
fn holds_any(element: &Element, tagged: &Tagged) -> bool {
    tagged.steps.iter().any(|step| element.span.contains(step.span))
}

/// Reads what stands before the tags as steps: one for each numbered heading, or else a single one.
fn before(document: &Document, span: Span, tagged: &Tagged) -> Vec<Step> {
    let is_rule = |element: &&Element| {
        let mut rules = tagged.rules.iter().chain(&tagged.halts);
        rules.any(|rule| element.span.contains(*rule))
    };
    let rules: Vec<Span> = elements(document).filter(is_rule).map(|element| element.span).collect();
    let found = prose::headed(document, span, &rules);
    match found.is_empty() {
        true => prose::opening(document, span, &rules).into_iter().collect(),
        false => found,
    }
}

/// Returns the text behind the tags, if it says anything.
fn behind(document: &Document, span: Span) -> Option<Span> {
    let source = &document.source;
    let (span, text) = trim(source, unwrapped(source, span));
    says(text).then_some(span)
}
