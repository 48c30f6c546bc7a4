//! The conditions and values of a workflow in the engine's own tags: a name that nothing defines is nothing in a condition,
//! and stays as it is written in a value, and nobody is told.

use super::{DEFINE, Names, is_told};
use crate::diagnostic::Severity;
use crate::lint::{FileUnit, Findings};
use crate::model::is_answer;
use crate::source::Span;
use crate::syntax::{Attribute, HoleKind, each_hole};

/// Names that a run itself gives a value.
const OF_THE_RUN: &[&str] = &["now", "elapsed", "document", "unvalidated"];

/// Finds the names in conditions and in values that nothing defines.
pub(super) fn check(unit: &FileUnit<'_>, known: &Names<'_, '_>, findings: &mut Findings) {
    if !unit.facts.is_exact {
        return;
    }
    for test in &unit.facts.tests {
        each(unit, known, test, So::Empty, findings);
    }
    for value in &unit.facts.values {
        each(unit, known, value, So::Braces, findings);
    }
}

/// What becomes of an attribute with a name that nothing defines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum So {
    /// A condition is decided as if it were empty.
    Empty,
    /// A value has the braces in its place, which may be meant so where they are only a part of it.
    Braces,
}

/// Finds the names in an attribute that nothing defines, and says what becomes of it.
fn each(unit: &FileUnit<'_>, known: &Names<'_, '_>, attribute: &Attribute, so: So, findings: &mut Findings) {
    let holes = each_hole(&attribute.value).filter(|(kind, _, _)| *kind == HoleKind::Single);
    for (_, name, place) in holes {
        // A name that is nearly another is found wherever it stands.
        let is_known = known.knows(name) || known.is_shouted(name) || known.near(name).is_some();
        let is_of_the_run = || is_answer(name) || OF_THE_RUN.contains(&name);
        let is_setting = || name.contains('.') || unit.subject.library.is_setting(name);
        if !is_known && !is_of_the_run() && !is_setting() && !is_told(unit, name) {
            let means = match so {
                So::Empty => "the condition is decided as if it were empty",
                So::Braces => "the value has the braces in its place",
            };
            let is_meant = so == So::Braces && place.len() < attribute.value.trim().len();
            let message = format!("`{{{name}}}` is not defined, so {means}");
            add(unit, (message, is_meant), span(attribute, &place), findings);
        }
    }
}

/// Returns where a name stands; in a value that is written with references, the whole of it.
pub(super) fn span(attribute: &Attribute, place: &std::ops::Range<usize>) -> Span {
    match attribute.value_span.len() == attribute.value.len() {
        true => attribute.value_span.inner(place.start, place.end),
        false => attribute.value_span,
    }
}

/// Says what becomes of a name, and how loud: it may be meant so. A task that does not say what it is given may be given
/// any name.
fn add(unit: &FileUnit<'_>, (message, is_meant): (String, bool), place: Span, findings: &mut Findings) {
    let says_inputs = unit.facts.workflow.is_some_and(|workflow| !workflow.inputs.is_empty());
    let (severity, unless) = match (says_inputs, is_meant) {
        (true, false) => (Severity::Warning, ""),
        (true, true) => (Severity::Hint, ""),
        (false, _) => (Severity::Hint, " unless a caller hands it over"),
    };
    findings.add_as(severity, place, message + unless).help = Some(DEFINE.to_owned());
}
