//! Checks whose text is their condition, and what they guard.

use super::loose::loose;
use super::tags::{body, condition};
use crate::model::condition::{Condition, Decider, Test};
use crate::model::instruction::{Act, Instruction};
use crate::model::lift::report;
use crate::source::{Source, Span};
use crate::syntax::{Child, Element, Tag, trim};

/// The longest text of a check that is read as a condition though it does not say so.
const MAX_CONDITION: usize = 1_000;

/// Returns what a check guards: text before its first tag that the engine decides is the condition, and nothing else.
pub(super) fn guarded<'a>(source: &Source, element: &'a Element) -> &'a [Child] {
    match element.children.as_slice() {
        [Child::Text(span), rest @ ..] if element.attribute("if").is_none() && element.tag == Tag::Check => {
            let text = trim(source, *span).1;
            // What stands behind an arrow is to be done.
            let leads = ["→", "->", "=>"].iter().any(|arrow| text.contains(arrow));
            match !leads && is_decided(text) {
                true => rest,
                false => &element.children,
            }
        }
        children => children,
    }
}

/// Returns the text before the first child tag.
pub(super) fn lead<'a>(source: &'a Source, element: &Element) -> (Span, &'a str) {
    match element.children.first() {
        Some(Child::Text(span)) => trim(source, *span),
        Some(Child::Element(_)) | None => trim(
            source,
            Span {
                end: element.open.end,
                start: element.open.end,
                ..element.open
            },
        ),
    }
}

/// Says whether the text of a check is a condition: it says so, or the engine can decide all of it. Anything else is
/// something to do.
pub(super) fn is_condition(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    let says_so = ["if", "when", "else", "otherwise", "unless"]
        .iter()
        .any(|word| first.trim_end_matches(':').eq_ignore_ascii_case(word));
    says_so || text.len() <= MAX_CONDITION && is_decided(text)
}

fn is_decided(text: &str) -> bool {
    let condition = Condition::from_check_text(text, Span::default());
    match condition.test {
        // A word alone may be an order; a variable is none.
        Test::Flag(_) => text.starts_with('{'),
        Test::Otherwise => false,
        _ => condition.decider() != Decider::Judged,
    }
}

/// Says whether a check is of the old form: its text is the condition and the siblings after it are what it guards.
pub(super) fn is_text_check(source: &Source, element: &Element) -> bool {
    element.tag == Tag::Check
        && element.attribute("if").is_none()
        && element.elements().next().is_none()
        && is_condition(element.inner_text(source).1)
}

/// Counts the siblings an old check guards: up to the next check, to a jump or to the end of the step. A section, and what
/// stands behind one or behind a jump, is guarded only where it is set in deeper than the check.
pub(super) fn reach(source: &Source, check: &Element, siblings: &[Child]) -> usize {
    let own = column(source, check);
    let is_inside = |element: &Element| own.is_some_and(|own| column(source, element).is_some_and(|other| other > own));
    // Where the guard ends from the first section or jump on: behind the last tag that is set in.
    let mut end = None;
    for (at, child) in siblings.iter().enumerate() {
        let Child::Element(element) = child else { continue };
        let ends = match element.tag {
            Tag::Check | Tag::Step | Tag::Substep | Tag::Anchor => true,
            Tag::TemplateOutput => !is_inside(element),
            _ => end.is_some() && !is_inside(element),
        };
        if ends {
            return end.unwrap_or(at);
        }
        let jumps = || element.tag == Tag::Goto && condition(source, element).is_none();
        if end.is_some() || element.tag == Tag::TemplateOutput || jumps() {
            end = Some(at + 1);
        }
    }
    end.unwrap_or(siblings.len())
}

/// Returns how far an element is set in, where it begins its line.
fn column(source: &Source, element: &Element) -> Option<usize> {
    let before = &source.text().as_bytes()[..element.span.start as usize];
    let blanks = before
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let line = &before[..before.len() - blanks];
    line.last().is_none_or(|last| *last == b'\n').then_some(blanks)
}

pub(super) fn text_check(source: &Source, element: &Element, guarded: &[Child]) -> Instruction {
    let (span, text) = element.inner_text(source);
    let mut inner = Vec::new();
    if let Some(arrow) = text.find('→') {
        let after = arrow + '→'.len_utf8();
        loose(source, span.inner(after, text.len()), &mut inner);
    }
    inner.extend(body(source, guarded));
    let end = guarded.last().map_or(element.span, Child::span);
    Instruction {
        act: Act::Check { body: inner },
        span: element.span.to(end),
        condition: Some(Box::new(Condition::from_check_text(text, span))),
    }
}

/// Stops where `Stop and report …` is all that is done in a case, but for what is shown.
pub(super) fn stop_in_case(source: &Source, act: &mut Act) {
    let only = match act {
        Act::Check { body } => {
            let mut done = body.iter_mut().filter(|one| !matches!(one.act, Act::Show { .. }));
            match (done.next(), done.next()) {
                (Some(only), None) if only.condition.is_none() => &mut only.act,
                _ => return,
            }
        }
        act => act,
    };
    if let Act::Do { text, lifts, body } = only
        && lifts.is_empty()
        && body.is_empty()
    {
        lifts.extend(report(source.slice(*text), *text));
    }
}
