//! What stands around the tags of a Markdown file: what is before them is done first, what is behind them holds for all.

use super::around::says;
use super::loose::unwrapped;
use super::tagged::Tagged;
use super::{prose, tagged};
use crate::model::library::Document;
use crate::model::lift::lifts;
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
        match standing(document, span, &tagged) {
            Standing::Nothing => {}
            Standing::Context(text) => tagged.rules.insert(0, text),
            Standing::Orders => {
                let mut steps = before(document, span, &tagged);
                steps.append(&mut tagged.steps);
                tagged.steps = steps;
            }
        }
    }
    tagged
}

/// What the text before the tags is.
enum Standing {
    /// Headings, and names with their values, which are read by themselves.
    Nothing,
    /// It says who somebody is and what is there: that holds for everything.
    Context(Span),
    /// It says to do something.
    Orders,
}

fn standing(document: &Document, span: Span, tagged: &Tagged) -> Standing {
    let source = &document.source;
    let (span, text) = trim(source, unwrapped(source, span));
    let is_named = |line: &str| line.starts_with("- `") && line.contains("` = ");
    let mut lines = text.lines().map(str::trim);
    if lines.all(|line| line.is_empty() || line.starts_with('#') || is_named(line)) {
        return Standing::Nothing;
    }
    let is_tagged = elements(document).any(|element| span.contains(element.span));
    let numbered = !prose::headed(document, span, &[]).is_empty();
    match is_tagged || numbered || !lifts(text, span).is_empty() || orders(text) {
        true => Standing::Orders,
        false if tagged.steps.is_empty() || !says(text) => Standing::Nothing,
        false => Standing::Context(span),
    }
}

/// Says whether a line of a text tells somebody to load or to find something.
fn orders(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "Load", "Read", "Find", "Search", "Check", "Scan", "Resolve", "Run", "Execute",
    ];
    let mut lines = text
        .lines()
        .map(|line| line.trim_start_matches([' ', '-', '*', '>', '1', '2', '3', '.']));
    lines.any(|line| {
        let first = line.split(|at: char| !at.is_alphanumeric()).next().unwrap_or_default();
        VERBS.contains(&first)
    })
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
