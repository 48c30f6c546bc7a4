//! Attributes that take only some values: numbers, seconds, words.

use super::explain;
use crate::diagnostic::Severity;
use crate::lint::Findings;
use crate::machine::CLEANUP;
use crate::syntax::{Attribute, Element, Tag};

/// Checks that the most passes of what repeats are a number, as far as they are written out: no other value is ever one.
pub(super) fn bound(element: &Element, findings: &mut Findings) {
    let repeats_step = || element.attribute("repeat").or(element.attribute("for-each")).is_some();
    let repeats =
        matches!(element.tag, Tag::Loop | Tag::Repeat | Tag::ForEach) || element.tag == Tag::Step && repeats_step();
    let Some(max) = element
        .attribute("max")
        .filter(|max| repeats && !max.value.contains('{'))
    else {
        return;
    };
    let written = max.value.trim();
    let is_number = |number: f64| number.is_finite() && number >= 0.0;
    if !written.parse().is_ok_and(is_number) {
        let message = format!("`max` is a number, 0 or more, not `{written}`");
        findings.add(max.value_span, message).help = Some("write digits alone, or a variable".to_owned());
    }
}

/// Checks the time of a call, as far as it is written out: some seconds of it are kept to clean up.
pub(super) fn time(element: &Element, findings: &mut Findings) {
    let calls = matches!(element.tag, Tag::Call | Tag::InvokeTask | Tag::InvokeWorkflow);
    let Some(time) = element
        .attribute("timeout")
        .filter(|time| calls && !time.value.contains('{'))
    else {
        return;
    };
    let kept = CLEANUP / 1000;
    let written = time.value.trim();
    let runs = element.attribute("builtin").is_none();
    if runs
        && written
            .parse::<u32>()
            .is_ok_and(|seconds| seconds > 0 && u64::from(seconds) <= kept)
    {
        let message = format!("`timeout` is {written} s, and {kept} s of a call are kept to clean up: it always fails");
        findings.add(time.value_span, message).help = Some(format!("say more than {kept}"));
        return;
    }
    number(time, findings);
}

/// Checks where inputs stand, and the values of one: a word that is not known would be taken for its absence.
pub(super) fn input(element: &Element, parent: Option<Tag>, findings: &mut Findings) {
    if let Some(parent) = parent.filter(|parent| element.tag == Tag::Inputs && !parent.is_root()) {
        let message = format!("`<inputs>` stands in `<{}>`, so nothing is handed over", parent.name());
        findings.add_as(Severity::Warning, element.open, message).help =
            Some("put it right below the root of the file".to_owned());
    }
    for attribute in element.attributes.iter().filter(|_| element.tag == Tag::Input) {
        check(Tag::Input, attribute, findings);
    }
}

/// Checks that a value is a whole number above zero.
fn number(attribute: &Attribute, findings: &mut Findings) {
    let written = attribute.value.trim();
    if !written.parse::<u32>().is_ok_and(|number| number > 0) {
        let message = format!("`{}` is a whole number above zero, not `{written}`", attribute.name);
        findings.add(attribute.value_span, message).help = Some("write digits alone, or a variable".to_owned());
    }
}

/// Checks the value of an attribute that takes only some.
pub(super) fn check(tag: Tag, attribute: &Attribute, findings: &mut Findings) {
    let written = attribute.value.trim();
    if written.contains('{') {
        return;
    }
    let words: &[&str] = match (tag, &*attribute.name) {
        (Tag::Dispatch, "mode") => &["fresh", "session"],
        (Tag::Dispatch, "access") => &["read", "write"],
        (Tag::Choice, "again" | "default") | (Tag::Input, "required") => &["true", "false"],
        (Tag::Input, "kind") => &["file", "files", "text"],
        (Tag::Dispatch | Tag::Parallel | Tag::Run, "max" | "timeout") => return number(attribute, findings),
        (_, _) => return,
    };
    if !words.contains(&written) {
        let either = words.join("` or `");
        // An input that says another word is one that need not be given, and the run goes on.
        let severity = match tag {
            Tag::Input => Severity::Warning,
            _ => Severity::Error,
        };
        findings
            .add_as(
                severity,
                attribute.value_span,
                format!("`{}` is `{either}`, not `{written}`", attribute.name),
            )
            .help = Some(explain(tag.name(), "attributes"));
    }
}
