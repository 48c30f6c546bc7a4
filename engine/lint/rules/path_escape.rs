//! Paths that lead out of the project.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Reference, ReferenceKind, Rule};
use crate::model::{MentionRole, Place, Resolution, SETTINGS};
use crate::source::{ProjectPath, Span};
use crate::syntax::{Child, Tag};

pub(super) const RULE: Rule = Rule {
    code: Code("path-escape"),
    severity: Severity::Error,
    summary: "a path leads out of the project",
    page: include_str!("../../../spec/rules/path-escape.md"),
    check: Check::File(check),
};

/// What a folder holds that a project begins in.
const MARKS: &[&str] = &[".git", "package.json", SETTINGS];

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    let mut found: Vec<(Span, &str)> = Vec::new();
    for reference in &unit.facts.references {
        if reference.resolution == Resolution::Escapes && is_meant(unit, reference) {
            found.push((reference.span, &reference.text));
        }
    }
    if unit.document.role.instructs() {
        files(unit, &unit.document.parsed.tree, &mut found);
    }
    if found.is_empty() {
        return;
    }
    let whole = is_whole(unit);
    for (span, text) in found {
        let is_named = text.starts_with("{project");
        if is_named || whole && !unit.subject.library.is_around(unit.document.source.path(), text) {
            findings.add(span, format!("`{text}` leads out of the project")).help =
                Some("the engine reads and writes only inside the project; remove the extra `../`".to_owned());
        }
    }
}

/// In prose only what is read or written counts; a path may also be shown as a warning.
fn is_meant(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    match reference.kind {
        ReferenceKind::Key
        | ReferenceKind::Frontmatter
        | ReferenceKind::Invoke
        | ReferenceKind::AgentMenu
        | ReferenceKind::Manifest => true,
        ReferenceKind::Table => false,
        ReferenceKind::Prose => {
            let used = reference
                .mention
                .is_some_and(|(_, role)| matches!(role, MentionRole::Load | MentionRole::Write));
            unit.document.role.instructs() && used
        }
    }
}

/// Says whether the root is that of a project: seen from a lone folder, `../` may lead to what is simply not looked at.
fn is_whole(unit: &FileUnit<'_>) -> bool {
    let library = unit.subject.library;
    let marked = |name: &&str| ProjectPath::new(name).is_some_and(|path| library.exists(&path));
    !library.roots.is_empty() || MARKS.iter().any(marked)
}

/// Collects the files that tags read and write.
fn files<'a>(unit: &FileUnit<'a>, tree: &'a [Child], found: &mut Vec<(Span, &'a str)>) {
    for child in tree {
        let Child::Element(element) = child else {
            continue;
        };
        if matches!(element.tag, Tag::Output | Tag::TemplateOutput | Tag::Set)
            && let Some(file) = element.attribute("file")
        {
            let place = Place {
                file: unit.document.source.path(),
                home: &unit.facts.home,
            };
            if unit
                .subject
                .library
                .resolve(&file.value, place, &unit.facts.scope(unit))
                == Resolution::Escapes
            {
                found.push((file.value_span, &file.value));
            }
        }
        files(unit, &element.children, found);
    }
}
