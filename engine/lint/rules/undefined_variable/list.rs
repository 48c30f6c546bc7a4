//! The lists that the engine's own tags go over: one that nothing defines has no items, and nobody is told.

use super::{DEFINE, Names, is_told, is_told_besides, misspelt_hole};
use crate::diagnostic::Severity;
use crate::lint::{FileUnit, Findings};
use crate::source::Span;
use crate::syntax::{Attribute, Element, HoleKind, Tag, each_hole, is_name};

/// Finds the lists of loops, lanes and collects that nothing defines.
pub(super) fn check(unit: &FileUnit<'_>, known: &Names<'_, '_>, findings: &mut Findings) {
    for element in &unit.facts.lists {
        if let Some(list) = list_of(element) {
            judge(unit, element.tag, list, known, findings);
        }
    }
}

/// Returns what a tag goes over.
fn list_of(element: &Element) -> Option<&Attribute> {
    match element.tag {
        Tag::Loop => element.attribute("for").or_else(|| element.attribute("over")),
        Tag::Parallel => element.attribute("for"),
        Tag::Collect => element.attribute("from"),
        _ => None,
    }
}

fn judge(unit: &FileUnit<'_>, tag: Tag, list: &Attribute, known: &Names<'_, '_>, findings: &mut Findings) {
    let Some((name, is_hole)) = name(tag, &list.value) else {
        return;
    };
    let subject = unit.subject;
    let is_setting = || name.contains('.') || subject.library.is_setting(name);
    // Replies come from tags and callers alone; any other list may be told of in a sentence, or stand in a table of the
    // settings.
    let is_given = || match tag {
        Tag::Collect => subject.program.is_handed(subject.workflows, name),
        _ if is_hole => is_setting() || is_told(unit, name),
        // A bare word would tell of itself.
        _ => is_setting() || is_told_besides(unit, name, &spans(unit)),
    };
    if known.knows(name) || is_given() {
        return;
    }
    // In braces, a name that is nearly another is found wherever it stands.
    match known.near(name) {
        Some(_) if is_hole => {}
        Some(near) => misspelt_hole(list.value_span, name, near, findings),
        None => {
            let word = || format!(", or write `[{name}]` to go over the word itself");
            let or = if is_hole || tag == Tag::Collect {
                String::new()
            } else {
                word()
            };
            nothing(unit, list, (name, tag), &or, findings);
        }
    }
}

/// Returns where the lists of a file stand.
fn spans(unit: &FileUnit<'_>) -> Vec<Span> {
    let lists = unit.facts.lists.iter().filter_map(|element| list_of(element));
    lists.map(|list| list.value_span).collect()
}

/// Says that a list has no items. A task that does not say what it is given may be given any name.
fn nothing(unit: &FileUnit<'_>, list: &Attribute, (name, tag): (&str, Tag), or: &str, findings: &mut Findings) {
    let says_inputs = unit.facts.workflow.is_some_and(|workflow| !workflow.inputs.is_empty());
    let (severity, unless) = match says_inputs {
        true => (Severity::Warning, ""),
        false => (Severity::Hint, " unless a caller hands it over"),
    };
    let message = format!(
        "`{{{name}}}` is not defined, so `<{}>` goes over nothing{unless}",
        tag.name()
    );
    findings.add_as(severity, list.value_span, message).help = Some(format!("{DEFINE}{or}"));
}

/// Returns the one name that a list is, and whether it stands in braces.
fn name(tag: Tag, written: &str) -> Option<(&str, bool)> {
    let list = written.rsplit_once(" in ").map_or(written, |(_, list)| list).trim();
    let hole = each_hole(list).find(|(kind, _, place)| *kind == HoleKind::Single && place.len() == list.len());
    match hole {
        Some((_, name, _)) => Some((name, true)),
        None if tag == Tag::Collect => (!list.is_empty() && !list.contains('{')).then_some((list, false)),
        None => is_name(list).then_some((list, false)),
    }
}
