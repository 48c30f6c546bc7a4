//! `SKILL.md`: step files, inline tags, numbered headings or pure prose.

use super::{names, steps};
use crate::model::library::{Document, Library};
use crate::model::role::Role;
use crate::model::workflow::{Dialect, Origin, Workflow};

/// Reads the workflow that a skill declares, together with the `workflow.md` beside it.
pub(super) fn read(library: &Library, document: &Document) -> Workflow {
    let mut workflow = steps::empty(document, Dialect::Skill);
    steps::add_markdown(library, &mut workflow, document);
    let beside = document.source.path().beside("workflow.md");
    let beside = beside.and_then(|path| library.at(&path));
    if let Some(beside) = beside
        && beside.role == Role::WorkflowMarkdown
        && document.source.text().contains("workflow.md")
    {
        drop_prose(&mut workflow);
        steps::add_markdown(library, &mut workflow, beside);
    }
    steps::add_step_files(library, &mut workflow);
    names::add_assigned(&mut workflow);
    workflow
}

/// A skill that only hands over to its `workflow.md` has no step of its own.
fn drop_prose(workflow: &mut Workflow) {
    workflow.steps.retain(|step| step.origin != Origin::Prose);
}
