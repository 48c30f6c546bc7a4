//! Attributes that give a variable its name: one that no `{name}` can be is never read.

use crate::diagnostic::{Label, Severity};
use crate::lint::Findings;
use crate::syntax::{Attribute, Element, Tag, is_name};
use std::collections::HashMap;

/// Checks the names that a tag binds.
pub(super) fn check(element: &Element, findings: &mut Findings) {
    for attribute in &element.attributes {
        match (element.tag, &*attribute.name) {
            (Tag::Set, "name") if attribute.value.contains('{') => {}
            (Tag::Ask, "response")
            | (Tag::Set, "name")
            | (Tag::Collect, "failed")
            | (Tag::Loop, "index" | "as")
            | (Tag::Parallel, "index") => bound(attribute, findings),
            (Tag::Loop | Tag::Parallel, "for") | (Tag::Repeat, "for-each") => item(attribute, findings),
            (_, "into") => bound(attribute, findings),
            _ => {}
        }
    }
}

/// Checks that a name can be read again.
fn bound(attribute: &Attribute, findings: &mut Findings) {
    let name = attribute.value.trim();
    if name.is_empty() || is_name(name) {
        return;
    }
    let (message, help) = match name.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        Some(bare) => (
            format!(
                "`{}` names a variable without braces: as it is written, no `{{{bare}}}` reads it",
                attribute.name
            ),
            format!("write `{}=\"{bare}\"`", attribute.name),
        ),
        None => (
            format!("`{name}` cannot be the name of a variable: no text in braces reads it"),
            "use letters, digits, `_` and `-`, and begin with a letter".to_owned(),
        ),
    };
    findings.add_as(Severity::Warning, attribute.value_span, message).help = Some(help);
}

/// Checks that the item of `item in {list}` is a name.
fn item(attribute: &Attribute, findings: &mut Findings) {
    let Some((item, list)) = attribute.value.split_once(" in ") else {
        return;
    };
    if let Some(bare) = item.trim().strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
        let message = format!(
            "the item `{}` is named without braces: as it is written, no `{{{bare}}}` reads it",
            item.trim()
        );
        findings.add_as(Severity::Warning, attribute.value_span, message).help =
            Some(format!("write `{}=\"{bare} in {list}\"`", attribute.name));
    }
}

/// Checks that no two anchors have one name: a jump reaches only the first.
pub(super) fn anchors(ids: &[&Attribute], findings: &mut Findings) {
    same(ids, "a jump to it ends here, and never at the second", findings);
}

/// Checks that no two inputs have one name: there is one value for both.
pub(super) fn inputs(inputs: &Element, findings: &mut Findings) {
    let names = inputs.elements().filter(|child| child.tag == Tag::Input);
    let names: Vec<&Attribute> = names.filter_map(|input| input.attribute("name")).collect();
    same(&names, "one value is given to both", findings);
}

fn same(names: &[&Attribute], why: &str, findings: &mut Findings) {
    let mut known: HashMap<&str, &Attribute> = HashMap::new();
    for name in names {
        let written = name.value.trim();
        let first = *known.entry(written).or_insert(name);
        if written.is_empty() || std::ptr::eq(first, *name) {
            continue;
        }
        let message = format!("`{written}` is there twice");
        let found = findings.add_as(Severity::Warning, name.value_span, message);
        found.help = Some("give one of them another name".to_owned());
        found.labels.push(Label {
            span: first.value_span,
            text: why.to_owned(),
        });
    }
}
