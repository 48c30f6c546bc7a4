//! A path that leads nowhere in, what to say about the place where a file was expected out.

use crate::lint::{FileUnit, Reference, nearest};
use crate::source::ProjectPath;

/// Names that many folders hold: a file of such a name elsewhere is another one, unless its folder is alike too.
const COMMON: &[&str] = &[
    "SKILL.md",
    "workflow.md",
    "workflow.yaml",
    "workflow.yml",
    "workflow.xml",
    "instructions.md",
    "instructions.xml",
    "template.md",
    "checklist.md",
    "customize.toml",
    "config.yaml",
    "module.yaml",
    "README.md",
    "index.md",
];

/// Returns where a file was expected: in the folder of the workflow or of the skill where the one beside the file has no
/// such folder.
pub(super) fn place(unit: &FileUnit<'_>, reference: &Reference<'_>, beside: &ProjectPath) -> ProjectPath {
    let is_there = |path: &ProjectPath| unit.subject.library.exists(&path.folder());
    if is_there(beside) || reference.text.starts_with(['.', '{']) {
        return beside.clone();
    }
    let below = |root: ProjectPath| root.join(&reference.text).filter(is_there);
    let home = below(unit.facts.home.clone()).or_else(|| unit.skill().and_then(below));
    home.unwrap_or_else(|| beside.clone())
}

/// Says where a file was expected, and what is there instead.
pub(super) fn help(unit: &FileUnit<'_>, expected: &ProjectPath) -> String {
    let folder = expected.folder();
    match alike(unit, expected) {
        Some(path) => format!("expected at `{expected}`; did you mean `{path}`?"),
        None if folder.as_str().is_empty() => format!("expected at `{expected}`"),
        None if !unit.subject.library.exists(&folder) => {
            format!("expected at `{expected}`; the folder `{folder}` is not there")
        }
        None => format!("expected at `{expected}`; the folder holds no file of that name"),
    }
}

/// Finds a file of almost the same name: in the same folder, or of the same name elsewhere.
fn alike(unit: &FileUnit<'_>, expected: &ProjectPath) -> Option<ProjectPath> {
    let paths = || unit.subject.library.documents().map(|document| document.source.path());
    let here = expected.folder();
    let beside = unit.subject.library.files_in(here.as_str());
    if let Some(name) = nearest(expected.name(), beside.map(|document| document.source.path().name())) {
        return expected.beside(name);
    }
    let is_common = COMMON.contains(&expected.name());
    let is_near = |path: &&ProjectPath| !is_common || are_alike(here.name(), path.folder().name());
    let name = expected.name();
    let namesakes = paths().filter(|path| path.as_str().ends_with(name) && path.name() == name);
    let same: Vec<&ProjectPath> = namesakes.filter(is_near).collect();
    match same.as_slice() {
        [only] => Some((*only).clone()),
        _ => None,
    }
}

/// Says whether two folders have the same name, or nearly so.
fn are_alike(one: &str, other: &str) -> bool {
    one == other || nearest(one, [other].into_iter()).is_some()
}
