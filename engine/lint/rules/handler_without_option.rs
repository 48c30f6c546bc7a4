//! Handlers for options that are never offered.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::unoffered;

pub(super) const RULE: Rule = Rule {
    code: Code("handler-without-option"),
    severity: Severity::Warning,
    summary: "a handler answers an option that no menu offers",
    page: include_str!("../../../spec/rules/handler-without-option.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    in_tags(unit, findings);
    if !document.instructs_in_prose() {
        return;
    }
    let menus = document.menus();
    for (handler, key) in unoffered(menus, &document.source) {
        if is_in_a_range(document.source.text(), key) {
            continue;
        }
        let found = findings.add(handler.span, format!("`{key}` is handled, but no menu offers it"));
        found.help = Some(format!("offer `[{key}]` in the menu, or remove the handler"));
        let before = menus.menus.iter().rfind(|menu| menu.span.start < handler.span.start);
        found.labels.extend(before.or(menus.menus.first()).map(|menu| Label {
            span: menu.span,
            text: "this is what is offered".to_owned(),
        }));
    }
}

/// Finds checks behind an `<ask>` that ask about a key it does not offer.
fn in_tags(unit: &FileUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    for asked in &unit.facts.asked {
        for (key, span) in &asked.unoffered {
            if is_in_a_range(library.slice(asked.question), key) {
                continue;
            }
            let found = findings.add(*span, format!("`{key}` is handled, but the question does not offer it"));
            found.help = Some(format!("offer `[{key}]` in the question, or remove the check"));
            found.labels.push(Label {
                span: asked.question,
                text: "this is what is offered".to_owned(),
            });
        }
    }
}

/// Says whether the text offers a range of numbers, such as `[1-7]`, that holds the key.
fn is_in_a_range(text: &str, key: &str) -> bool {
    let Ok(number) = key.parse::<u32>() else {
        return false;
    };
    text.split(['[', '(']).skip(1).any(|rest| {
        let inside = rest.split([']', ')']).next().unwrap_or("");
        let ends = inside
            .split_once(['-', '–'])
            .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        ends.is_some_and(|(low, high): (u32, u32)| (low..=high).contains(&number))
    })
}
