//! Menus of options: what stands in them, and that every answer means one option.

use super::attributes;
use crate::diagnostic::{Label, Severity};
use crate::lint::Findings;
use crate::source::{Source, Span};
use crate::syntax::{Element, Tag};
use std::collections::HashMap;

/// Checks a menu of options; one of items is an agent's.
pub(super) fn check(source: &Source, element: &Element, findings: &mut Findings) {
    if element.child(Tag::Choice).is_none() {
        return nothing(source, element, findings);
    }
    attributes(element, findings);
    let is_remark = |tag: Tag| matches!(tag, Tag::Note | Tag::Critical | Tag::Mandate | Tag::Rule | Tag::Example);
    for other in element
        .elements()
        .filter(|child| child.tag != Tag::Choice && !is_remark(child.tag))
    {
        let name = other.tag.name();
        findings
            .add(
                other.open,
                format!("`<{name}>` stands in a menu beside its options, so it is never done"),
            )
            .help = Some("put it before the menu, or into an option".to_owned());
    }
    let options: Vec<&Element> = element.elements().filter(|child| child.tag == Tag::Choice).collect();
    keys(&options, findings);
    defaults(&options, findings);
}

/// Checks that a menu of the engine offers something.
fn nothing(source: &Source, element: &Element, findings: &mut Findings) {
    let is_own = ["name", "text", "into"]
        .iter()
        .any(|name| element.attribute(name).is_some());
    if is_own && element.child(Tag::MenuItem).is_none() && element.inner_text(source).1.is_empty() {
        findings
            .add(element.open, "this menu has no `<option>`, so it is passed over")
            .help = Some("write `<option key=\"…\" label=\"…\"/>` into it".to_owned());
    }
}

/// Checks that an answer means one option: no two have one key, and none has the key of another as an alias.
fn keys(options: &[&Element], findings: &mut Findings) {
    let mut seen: HashMap<String, Span> = HashMap::new();
    let written = |option: &'_ &Element| option.attribute("key").is_some_and(|key| !key.value.contains('{'));
    for option in options.iter().filter(|option| written(option)) {
        let Some(key) = option.attribute("key") else { continue };
        if let Some(first) = seen.insert(key.value.trim().to_lowercase(), key.value_span) {
            let message = format!("two options of this menu have the key `{}`", key.value);
            let found = findings.add(key.value_span, message);
            found.labels.push(Label {
                span: first,
                text: "only this one can be chosen".to_owned(),
            });
            found.help = Some("give one of them another key".to_owned());
        }
    }
    for option in options.iter().filter(|option| option.attribute("if").is_none()) {
        let (Some(aliases), own) = (option.attribute("aliases"), option.value("key")) else {
            continue;
        };
        let own = own.map(|own| own.trim().to_lowercase());
        let mut names = aliases.value.split(',').map(|name| name.trim().to_lowercase());
        let taken = names.find_map(|name| (own.as_ref() != Some(&name)).then(|| seen.get_key_value(&name))?);
        if let Some((name, first)) = taken {
            let found = findings.add_as(
                Severity::Warning,
                aliases.value_span,
                format!("`{name}` is the key of another option of this menu, so it never means this one"),
            );
            found.labels.push(Label {
                span: *first,
                text: "this one is chosen by it".to_owned(),
            });
            found.help = Some("take it out of `aliases`".to_owned());
        }
    }
}

/// Checks that at most one option is taken without a person, among those that are always offered.
fn defaults(options: &[&Element], findings: &mut Findings) {
    let is_default = |option: &&&Element| option.value("default") == Some("true") && option.attribute("if").is_none();
    let mut defaults = options
        .iter()
        .filter(is_default)
        .filter_map(|option| option.attribute("default"));
    let Some(first) = defaults.next() else { return };
    for other in defaults {
        let found = findings.add_as(
            Severity::Warning,
            other.name_span,
            "two options of this menu are its default",
        );
        found.labels.push(Label {
            span: first.name_span,
            text: "the other one".to_owned(),
        });
        found.help = Some("mark the one that is taken without a person".to_owned());
    }
}

pub(super) fn loose_option(element: &Element, findings: &mut Findings) {
    if element.attribute("key").is_some() {
        findings
            .add(
                element.open,
                "`<option>` stands in no `<menu>`, so nobody can choose it",
            )
            .help = Some("put `<menu>` around the options".to_owned());
    }
}
