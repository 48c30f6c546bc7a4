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
            | (Tag::Iterate, "index" | "as" | "item")
            | (Tag::Parallel, "index") => bound(attribute, findings),
            (Tag::Loop | Tag::Parallel, "for") => {
                item(attribute, findings);
                list(element, attribute, findings);
            }
            (Tag::Repeat, "for-each") => item(attribute, findings),
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

/// Checks that what is gone over is a list: a name, or items with commas between them. Others also write loops in words.
fn list(element: &Element, attribute: &Attribute, findings: &mut Findings) {
    let written = attribute.value.trim();
    let is_list = |list: &str| list.contains(['{', ',', '[']) || is_path(list);
    let reason = match written.split_once(" in ") {
        Some((item, _)) if !is_name(item.trim()) && !item.contains('{') => {
            format!("`{}` cannot be the name of an item", item.trim())
        }
        Some((_, list)) if !is_list(list.trim()) => format!("`{}` is no list", list.trim()),
        Some(_) => return,
        // A list alone binds `item`.
        None if written.starts_with('{') || written.contains(',') => return,
        None => format!("`{written}` does not say what is gone over"),
    };
    let severity = match element.tag {
        Tag::Parallel => Severity::Error,
        _ => Severity::Warning,
    };
    findings.add_as(severity, attribute.value_span, reason).help =
        Some("write `item in {list}`, or `item in one, another`".to_owned());
}

/// Says whether a text is a name, or a part of what one holds.
fn is_path(text: &str) -> bool {
    text.split('.').all(is_name)
}

/// Checks that nothing is handed over twice under one name: one of the values is lost.
pub(super) fn params(element: &Element, findings: &mut Findings) {
    let params = element.elements().filter(|child| child.tag == Tag::Param);
    let names: Vec<&Attribute> = params.filter_map(|param| param.attribute("name")).collect();
    same(&names, "only one of the two values is handed over", findings);
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
