//! A fault in, whether its line is filled in before anybody reads it out.

use crate::model::{Document, Role};
use crate::source::Span;
use crate::syntax::{HoleKind, each_hole};

/// Says whether the line of a fault is filled in before anybody reads it: a `{{hole}}` or `{% tag %}` in what is no file of
/// ours, or in a template, where one pair of braces is a hole too.
pub(super) fn awaits_filling(document: &Document, span: Span) -> bool {
    let is_theirs = matches!(document.role, Role::Template | Role::Other);
    let mut folders = document.source.path().parts();
    let is_template = document.role == Role::Template || folders.any(|part| part == "templates" || part == "template");
    if !is_template && !is_theirs {
        return false;
    }
    let text = document.source.text();
    let (before, after) = text.split_at_checked(span.start as usize).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = before.len() + after.find('\n').unwrap_or(after.len());
    let line = text.get(start..end).unwrap_or("");
    line.contains("{{") || line.contains("{%") || (is_template && is_theirs && names_hole(line))
}

/// Says whether a name stands in single braces on a line, and not one that stays there until it is run.
fn names_hole(line: &str) -> bool {
    let stays = |name: &str| matches!(name, "project-root" | "installed_path");
    each_hole(line).any(|(kind, name, _)| kind == HoleKind::Single && !stays(name))
}
