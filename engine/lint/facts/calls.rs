//! A tag in, the path that it goes to out.

use super::{Reference, ReferenceKind, reference};
use crate::model::Document;
use crate::source::Span;
use crate::syntax::{Element, Tag};

/// Collects the path that a call leads to, or the template that an output is made from.
pub(super) fn gather<'a>(document: &'a Document, element: &'a Element, written: &mut Vec<Reference<'a>>) {
    let name = match element.tag {
        Tag::InvokeWorkflow | Tag::InvokeTask | Tag::Call => "path",
        Tag::Output => "template",
        _ => return,
    };
    if let Some(attribute) = element.attribute(name) {
        written.push(Reference {
            key: name,
            ..reference(ReferenceKind::Invoke, attribute.value_span, &attribute.value)
        });
    } else if matches!(element.tag, Tag::InvokeWorkflow | Tag::InvokeTask)
        && let Some(mention) = document.mentions_in(element.inside()).next()
        && matches!(said_before(document, element, mention.span), "" | "<path>")
    {
        written.push(Reference {
            key: name,
            ..reference(ReferenceKind::Invoke, mention.span, &mention.text)
        });
    }
}

/// Returns what an element says before a place in it.
fn said_before<'a>(document: &'a Document, element: &Element, place: Span) -> &'a str {
    let end = place.start;
    document
        .source
        .slice(Span {
            end,
            ..element.inside()
        })
        .trim()
}
