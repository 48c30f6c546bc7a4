//! Tags that say too little to be carried out.

use super::explain;
use crate::diagnostic::Severity;
use crate::lint::Findings;
use crate::source::Source;
use crate::syntax::{Attribute, Child, Element, Tag, trim};

/// Checks that a tag says what it is for.
pub(super) fn check(source: &Source, element: &Element, findings: &mut Findings) {
    empty(element, findings);
    let says = |names: &[&str]| {
        names
            .iter()
            .any(|name| element.value(name).is_some_and(|value| !value.trim().is_empty()))
    };
    let lacks = match element.tag {
        Tag::Goto if !says(&["step", "anchor"]) => Some("`<goto>` needs `step` or `anchor`"),
        Tag::InvokeTask if !says(&["path"]) => Some("`<invoke-task>` needs `path`"),
        Tag::InvokeWorkflow if !says(&["path"]) => Some("`<invoke-workflow>` needs `path`"),
        Tag::InvokeProtocol if !says(&["name"]) => Some("`<invoke-protocol>` needs `name`"),
        Tag::Anchor if !says(&["id"]) => Some("`<anchor>` needs `id`"),
        Tag::Ask => Some("`<ask>` has no text, so nobody is told what is asked"),
        Tag::TemplateOutput if element.attributes.is_empty() => Some("`<template-output>` names no section"),
        _ => None,
    };
    let is_known = |attribute: &Attribute| {
        element
            .tag
            .row()
            .attributes
            .iter()
            .any(|known| known.name == &*attribute.name)
    };
    // One that the tag does not have may be meant, and is told of.
    let is_whole = || element.attributes.iter().all(is_known) && element.inner_text(source).1.is_empty();
    if let Some(message) = lacks.filter(|_| is_whole()) {
        // A place that no jump names is passed by, an empty question is asked, and an agent finds a name for a section.
        let severity = match element.tag {
            Tag::Anchor | Tag::Ask | Tag::TemplateOutput => Severity::Warning,
            _ => Severity::Error,
        };
        findings.add_as(severity, element.open, message).help = Some(explain(element.tag.name(), "attributes"));
    }
    if element.tag == Tag::Dispatch {
        prompt(source, element, findings);
    }
}

/// Checks that a condition says something, and that what is written has the name of a file.
fn empty(element: &Element, findings: &mut Findings) {
    for attribute in &element.attributes {
        let value = attribute.value.trim();
        let (severity, message) = match (element.tag, &*attribute.name) {
            (_, "if") | (Tag::Loop, "while" | "until") | (Tag::Repeat, "until") if value.is_empty() => {
                (Severity::Warning, "says nothing, so nobody can decide it")
            }
            (Tag::Output | Tag::TemplateOutput, "file") if value.is_empty() => (Severity::Error, "names no file"),
            (Tag::Output | Tag::TemplateOutput, "file") if value.ends_with('/') => {
                (Severity::Error, "names a folder, and no file in it")
            }
            _ => continue,
        };
        let message = format!("`{}` {message}", attribute.name);
        findings.add_as(severity, attribute.name_span, message).help = Some("fill it in, or remove it".to_owned());
    }
}

/// Checks that a dispatch has a prompt, that no parameter stands in it, and nothing but parameters around it: what
/// stands between its first words and its last is told as it is written, anything else is not told.
fn prompt(source: &Source, element: &Element, findings: &mut Findings) {
    let is_text = |child: &Child| match child {
        Child::Text(span) => {
            let text = trim(source, *span).1;
            !text.is_empty() && !text.starts_with("<!--")
        }
        Child::Element(_) => false,
    };
    let first = element.children.iter().position(is_text);
    let last = element.children.iter().rposition(is_text);
    let Some((first, last)) = first.zip(last) else {
        findings
            .add(element.open, "`<dispatch>` has no text, so its agent is told nothing")
            .help = Some("write what the agent shall do between `<dispatch>` and `</dispatch>`".to_owned());
        return;
    };
    for (at, child) in element.children.iter().enumerate() {
        let Child::Element(inner) = child else { continue };
        let name = inner.tag.name();
        let (message, help) = match (inner.tag, first < at && at < last) {
            (Tag::Param, true) => (
                format!("`<{name}>` stands in the middle of the prompt, and is told as it is written"),
                "put it behind the prompt",
            ),
            (Tag::Param, false) | (_, true) => continue,
            (_, false) => (
                format!("`<{name}>` stands beside the prompt, so it is not told"),
                "put it between words of the prompt, or write it without the tag",
            ),
        };
        findings.add_as(Severity::Warning, inner.open, message).help = Some(help.to_owned());
    }
}
