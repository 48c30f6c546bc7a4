//! A call of a file below the root of the project in, where that file is missing out.
//!
//! What lies below the root belongs to the person, and nobody knows what they have. A call is different where it leads to
//! a folder in which the project keeps what can be called.

use super::prose;
use crate::lint::{FileUnit, Reference, ReferenceKind};
use crate::model::{MentionRole, Role};
use crate::source::ProjectPath;

/// Returns where the target of a call was expected, where it can only be in the project.
pub(super) fn expected(unit: &FileUnit<'_>, reference: &Reference<'_>) -> Option<ProjectPath> {
    if !is_call(unit, reference) {
        return None;
    }
    let expanded = unit.facts.scope(unit).expand(&reference.text).replace('\\', "/");
    let rest = ["{project-root}/", "{project_root}/"]
        .iter()
        .find_map(|root| expanded.trim().strip_prefix(root))?;
    let path = ProjectPath::new(rest)?;
    let library = unit.subject.library;
    let first = path.parts().next()?;
    let is_ours = !library.is_install_root(first) && holds_callable(unit, &path.folder());
    is_ours.then_some(path)
}

/// Says whether somebody goes to a path to do what is written there.
fn is_call(unit: &FileUnit<'_>, reference: &Reference<'_>) -> bool {
    match reference.kind {
        ReferenceKind::Invoke => reference.key == "path",
        ReferenceKind::AgentMenu => true,
        ReferenceKind::Prose => {
            let loads = reference.mention.is_some_and(|(_, role)| role == MentionRole::Load);
            loads && prose::is_told_to_follow(unit, reference)
        }
        ReferenceKind::Key | ReferenceKind::Frontmatter | ReferenceKind::Manifest | ReferenceKind::Table => false,
    }
}

/// Says whether a folder holds what can be called, itself or in a folder of its own. The root holds everything, so only
/// what lies right in it counts.
fn holds_callable(unit: &FileUnit<'_>, folder: &ProjectPath) -> bool {
    let is_root = folder.as_str().is_empty();
    unit.subject.library.documents().any(|document| {
        let own = document.source.path().folder();
        let is_there = own == *folder || !is_root && own.folder() == *folder;
        is_there && (document.role.instructs() || document.role == Role::WorkflowYaml)
    })
}
