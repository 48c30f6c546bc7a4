//! The conditions of a workflow in the engine's own tags: a name that nothing defines is nothing there, and nobody is told.

use super::{Names, is_told};
use crate::diagnostic::Severity;
use crate::lint::{FileUnit, Findings};
use crate::model::is_answer;
use crate::source::Span;
use crate::syntax::{Attribute, HoleKind, each_hole};

/// Finds the names in conditions that nothing defines.
pub(super) fn check(unit: &FileUnit<'_>, known: &Names<'_, '_>, findings: &mut Findings) {
    for test in unit.facts.tests.iter().filter(|_| unit.facts.is_exact) {
        let holes = each_hole(&test.value).filter(|(kind, _, _)| *kind == HoleKind::Single);
        for (_, name, place) in holes {
            let is_setting = || name.contains('.') || unit.subject.library.is_setting(name);
            let is_given = || is_answer(name) || is_setting() || is_told(unit, name);
            // A name that is nearly another is found wherever it stands.
            if !known.knows(name) && known.near(name).is_none() && !is_given() {
                nothing(unit, name, span(test, &place), findings);
            }
        }
    }
}

/// Returns where a name stands; in a value that is written with references, the whole of it.
fn span(test: &Attribute, place: &std::ops::Range<usize>) -> Span {
    match test.value_span.len() == test.value.len() {
        true => test.value_span.inner(place.start, place.end),
        false => test.value_span,
    }
}

/// Says what the condition is decided with. A task that does not say what it is given may be given any name.
fn nothing(unit: &FileUnit<'_>, name: &str, place: Span, findings: &mut Findings) {
    let says_inputs = unit.facts.workflow.is_some_and(|workflow| !workflow.inputs.is_empty());
    let (severity, unless) = match says_inputs {
        true => (Severity::Warning, ""),
        false => (Severity::Hint, " unless a caller hands it over"),
    };
    let message = format!("`{{{name}}}` is not defined, so the condition is decided as if it were empty{unless}");
    findings.add_as(severity, place, message).help =
        Some("set it in a step before this one, let a tag bind it with `into`, or name it as an `<input>`".to_owned());
}
