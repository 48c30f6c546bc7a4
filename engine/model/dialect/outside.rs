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
        match before(document, span, &tagged) {
            Before::Nothing => {}
            Before::Context(text) => tagged.rules.insert(0, text),
            Before::Steps(mut steps) => {
                steps.append(&mut tagged.steps);
                tagged.steps = steps;
            }
        }
    }
    tagged
}

/// What the text before the tags is.
enum Before {
    /// Headings, and names with their values, which are read by themselves.
    Nothing,
    /// It says who somebody is and what is there: that holds for everything.
    Context(Span),
    /// It says to do something: a step for each numbered heading, or else a single one.
    Steps(Vec<Step>),
}

fn before(document: &Document, span: Span, tagged: &Tagged) -> Before {
    let is_rule = |element: &&Element| {
        let mut rules = tagged.rules.iter().chain(&tagged.halts);
        rules.any(|rule| element.span.contains(*rule))
    };
    let rules: Vec<Span> = elements(document).filter(is_rule).map(|element| element.span).collect();
    let steps = prose::headed(document, span, &rules);
    if !steps.is_empty() {
        return Before::Steps(steps);
    }
    let (whole, text) = trim(&document.source, unwrapped(&document.source, span));
    let is_named = |line: &str| line.starts_with("- `") && line.contains("` = ");
    let mut lines = text.lines().map(str::trim);
    if lines.all(|line| line.is_empty() || line.starts_with('#') || is_named(line)) {
        return Before::Nothing;
    }
    let is_tagged = elements(document).any(|element| whole.contains(element.span));
    match is_tagged || orders(text) || !lifts(text, whole).is_empty() {
        true => Before::Steps(prose::opening(document, span, &rules).into_iter().collect()),
        false if says(text) => Before::Context(whole),
        false => Before::Nothing,
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

/// Returns the text behind the tags, if it says anything.
fn behind(document: &Document, span: Span) -> Option<Span> {
    let source = &document.source;
    let (span, text) = trim(source, unwrapped(source, span));
    says(text).then_some(span)
}
