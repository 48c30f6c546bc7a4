//! Options that are offered and lead nowhere.

use crate::diagnostic::{Code, Label, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule};
use crate::model::unhandled;

pub(super) const RULE: Rule = Rule {
    code: Code("option-without-handler"),
    severity: Severity::Warning,
    summary: "a menu offers an option that no handler answers",
    page: include_str!("../../../spec/rules/option-without-handler.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let document = unit.document;
    in_tags(unit, findings);
    if !document.instructs_in_prose() {
        return;
    }
    let menus = document.menus();
    for option in unhandled(menus) {
        if is_told_of(document.source.text(), option.span.end as usize, &option.key) {
            continue;
        }
        let found = findings.add(
            option.span,
            format!("option `{}` is offered and nothing handles it", option.key),
        );
        found.help = Some(format!(
            "add a handler such as `- IF {}: …`, or take the option away",
            option.key
        ));
        let handlers = menus
            .handlers
            .iter()
            .filter(|handler| handler.branches && !handler.any_other);
        found.labels.extend(handlers.take(1).map(|handler| Label {
            span: handler.span,
            text: "other options are handled here".to_owned(),
        }));
    }
}

/// Finds options of an `<ask>` that none of the checks behind it asks about.
fn in_tags(unit: &FileUnit<'_>, findings: &mut Findings) {
    for asked in &unit.facts.asked {
        for option in &asked.unhandled {
            let message = format!("option `{}` is offered and nothing handles it", option.key);
            let found = findings.add(option.span, message);
            found.help = Some("add a `<check>` for it, or one for the rest, or take the option away".to_owned());
            found.labels.push(Label {
                span: asked.first,
                text: "other options are handled here".to_owned(),
            });
        }
    }
}

/// Says whether a sentence soon after the option speaks of handling it.
fn is_told_of(text: &str, from: usize, key: &str) -> bool {
    let near: String = text.get(from..).unwrap_or("").chars().take(400).collect();
    near.lines().any(|line| {
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).collect();
        words.iter().any(|word| word.eq_ignore_ascii_case("handle")) && words.contains(&key)
    })
}
