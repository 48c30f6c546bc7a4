//! Paths that lead nowhere: in keys, frontmatter, invokes, menus, manifests and prose.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Reference, ReferenceKind, Rule, nearest};
use crate::model::{MentionRole, MentionStyle, Resolution, Role};
use crate::source::ProjectPath;

pub(super) const RULE: Rule = Rule {
    code: Code("broken-reference"),
    severity: Severity::Error,
    summary: "a path leads to a file that is not there",
    page: include_str!("../../../spec/rules/broken-reference.md"),
    check: Check::File(check),
};

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    for reference in &unit.facts.references {
        let Resolution::Missing(expected) = &reference.resolution else {
            continue;
        };
        if !is_meant(unit, reference) {
            continue;
        }
        let found = findings.add(reference.span, format!("`{}` leads to no file", reference.text));
        let folder = expected.folder();
        found.help = Some(match alike(unit, expected) {
            Some(path) => format!("expected at `{expected}`; did you mean `{path}`?"),
            None if folder.as_str().is_empty() => format!("expected at `{expected}`"),
            None => format!("expected at `{expected}`; the folder holds no file of that name"),
        });
    }
}

/// Says whether the author means a file that must be there now.
fn is_meant(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    match reference.kind {
        ReferenceKind::Invoke | ReferenceKind::AgentMenu | ReferenceKind::Manifest => true,
        ReferenceKind::Key => is_input_key(&reference.key) && unit.document.role != Role::Other,
        ReferenceKind::Frontmatter => is_input_key(&reference.key),
        ReferenceKind::Prose => is_meant_in_prose(unit, reference),
    }
}

/// Keys that name what will be written, or patterns of what may be there, are no promises.
fn is_input_key(key: &str) -> bool {
    let lower = key.to_lowercase();
    lower != "id" && !["output", "report", "destination", "artifact", "save", "generated", "pattern", "whole", "sharded", "example", "wip", "default"]
        .iter()
        .any(|word| lower.contains(word))
}

fn is_meant_in_prose(unit: &FileUnit<'_>, reference: &Reference) -> bool {
    let Some((style, role)) = reference.mention else {
        return false;
    };
    if !unit.document.role.instructs() || role == MentionRole::Write || is_sample(&reference.text) {
        return false;
    }
    let anchored = reference.text.starts_with("./")
        || reference.text.starts_with("../")
        || reference.text.starts_with("{project-root}")
        || reference.text.starts_with("{installed_path}")
        || reference.text.starts_with("{skill-root}")
        || reference.text.starts_with("{_bmad}")
        || reference.text.starts_with("{bmad_folder}");
    let step = reference.text.rsplit('/').next().is_some_and(|name| name.starts_with("step-"));
    match style {
        MentionStyle::Link => role == MentionRole::Load && (anchored || step),
        MentionStyle::Quoted if role != MentionRole::Load => step,
        MentionStyle::Quoted | MentionStyle::Backticked | MentionStyle::Bare => {
            anchored || step || (role == MentionRole::Load && reference.text.contains('/') && !reference.text.starts_with('{'))
        }
        MentionStyle::Snapshot => true,
        MentionStyle::Braced => false,
    }
}

/// Says whether a path only shows how a path looks.
fn is_sample(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    ["something", "example", "path/to", "relative/path", "filename", "your-", "/my-", "some-", "foo", "placeholder"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Finds a file of almost the same name: in the same folder, or of the same name elsewhere.
fn alike(unit: &FileUnit<'_>, expected: &ProjectPath) -> Option<ProjectPath> {
    let documents = &unit.subject.library.documents;
    let folder = expected.folder();
    let beside = documents.iter().map(|document| document.source.path()).filter(|path| path.folder() == folder);
    let names: Vec<&str> = beside.map(ProjectPath::name).collect();
    if let Some(name) = nearest(expected.name(), names.into_iter()) {
        return folder.join(name);
    }
    let same: Vec<&ProjectPath> = documents
        .iter()
        .map(|document| document.source.path())
        .filter(|path| path.name() == expected.name())
        .collect();
    match same.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    }
}
