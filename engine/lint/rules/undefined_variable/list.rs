//! The lists that the engine's own tags go over: one that nothing defines has no items, and nobody is told.

use super::{is_known, is_told, misspelt};
use crate::diagnostic::{Severity, first_nearest};
use crate::lint::{FileUnit, Findings};
use crate::model::Role;
use crate::source::Span;
use crate::syntax::{Attribute, Child, HoleKind, Node, Tag, each_hole};

/// Finds the lists of loops, lanes and collects that nothing defines.
pub(super) fn check(unit: &FileUnit<'_>, known: &[&str], findings: &mut Findings) {
    walk(unit, &unit.document.parsed.tree, known, findings);
}

fn walk(unit: &FileUnit<'_>, tree: &[Child], known: &[&str], findings: &mut Findings) {
    for child in tree {
        let Child::Element(element) = child else { continue };
        let list = match element.tag {
            Tag::Loop => element.attribute("for").or_else(|| element.attribute("over")),
            Tag::Parallel => element.attribute("for"),
            Tag::Collect => element.attribute("from"),
            _ => None,
        };
        if let Some(list) = list {
            judge(unit, element.tag, list, known, findings);
        }
        walk(unit, &element.children, known, findings);
    }
}

fn judge(unit: &FileUnit<'_>, tag: Tag, list: &Attribute, known: &[&str], findings: &mut Findings) {
    let Some((name, is_hole)) = name(tag, &list.value) else {
        return;
    };
    // Replies come from tags alone; any other list may be told of in a sentence, or stand in a table of the settings.
    if is_known(name, known) || tag != Tag::Collect && (is_setting(unit, name) || is_told(unit, name)) {
        return;
    }
    // In braces, a name that is nearly another is found wherever it stands.
    match first_nearest(name, known.iter().copied()) {
        Some(_) if is_hole => {}
        Some(near) => misspelt(list.value_span, name, near, findings),
        None => nothing(list.value_span, name, tag, findings),
    }
}

/// Says whether a name is a value of the settings, or one in a table of them.
fn is_setting(unit: &FileUnit<'_>, name: &str) -> bool {
    let documents = unit.subject.library.documents();
    let settings = documents.filter(|document| document.role == Role::ConfigToml);
    let mut data = settings.filter_map(|document| document.parsed.data.as_ref());
    name.contains('.')
        || data.any(|data| {
            let modules = data.get("modules").map(Node::pairs).unwrap_or_default();
            let mut tables = data
                .get("core")
                .into_iter()
                .chain(modules.iter().map(|pair| &pair.node));
            tables.any(|table| table.get(name).is_some())
        })
}

fn nothing(span: Span, name: &str, tag: Tag, findings: &mut Findings) {
    let message = format!("`{{{name}}}` is not defined, so `<{}>` goes over nothing", tag.name());
    findings.add_as(Severity::Warning, span, message).help =
        Some("set it in a step before this one, or let a tag bind it with `into`".to_owned());
}

/// Returns the one name that a list is, and whether it stands in braces.
fn name(tag: Tag, written: &str) -> Option<(&str, bool)> {
    let list = written.rsplit_once(" in ").map_or(written, |(_, list)| list).trim();
    let hole = each_hole(list).find(|(kind, _, place)| *kind == HoleKind::Single && place.len() == list.len());
    match hole {
        Some((_, name, _)) => Some((name, true)),
        None => (tag == Tag::Collect && !list.is_empty() && !list.contains('{')).then_some((list, false)),
    }
}
