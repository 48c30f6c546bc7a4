//! A file in, whether somebody follows what it says out.

use crate::lint::FileUnit;
use crate::model::{Document, MentionRole, Role};
use crate::source::ProjectPath;
use crate::syntax::Format;

/// Says whether the file gives instructions, or is part of what does: it lies in the folder of a skill, or a file beside it
/// or above it says to load it.
pub(super) fn is_read(unit: &FileUnit<'_>) -> bool {
    if unit.document.role.instructs() {
        return true;
    }
    let is_page = unit.document.role == Role::Other && unit.document.parsed.format == Format::Markdown;
    is_page && !is_for_people(unit.document.source.path()) && (unit.skill().is_some() || is_loaded(unit))
}

/// Says whether a file of the same workflow says to load this one, or the workflow is validated by it.
fn is_loaded(unit: &FileUnit<'_>) -> bool {
    let name = unit.document.source.path().name();
    let id = unit.document.source.id();
    if unit.facts.workflow.is_some_and(|workflow| workflow.goes_through(id)) {
        return true;
    }
    let is_near = |document: &&Document| document.role.instructs() && document.source.path().is_in(&unit.facts.home);
    let mut near = unit.subject.library.documents().filter(is_near);
    near.any(|document| {
        let mut mentions = document.mentions().iter();
        mentions.any(|mention| {
            let is_named = mention.text.rsplit('/').next() == Some(name);
            is_named && mention.role == MentionRole::Load && !mention.example && !mention.fenced
        })
    })
}

/// Says whether a file is for people, an introduction or a list of changes, or shows how files look.
fn is_for_people(path: &ProjectPath) -> bool {
    const NAMES: &[&str] = &["readme", "changelog", "license", "contributing"];
    const FOLDERS: &[&str] = &["docs", "templates", "template", "samples", "tests"];
    let name = path.name().to_ascii_lowercase();
    let is_shown = name.contains("example") || path.folder().parts().any(|part| FOLDERS.contains(&part));
    is_shown || NAMES.iter().any(|start| name.starts_with(start))
}
