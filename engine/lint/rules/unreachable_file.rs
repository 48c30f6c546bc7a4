//! Step files that no workflow leads to.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, ProjectUnit, Rule};
use crate::model::Role;
use crate::source::ProjectPath;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("unreachable-file"),
    severity: Severity::Warning,
    summary: "no workflow leads to a step file",
    page: include_str!("../../../spec/rules/unreachable-file.md"),
    check: Check::Project(check),
};

fn check(unit: &ProjectUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let workflows = unit.subject.workflows;
    let reached: HashSet<_> = workflows.iter().flat_map(|workflow| workflow.files.iter().copied()).collect();
    let homes: HashSet<ProjectPath> = workflows.iter().map(|workflow| library.source(workflow.home).path().folder()).collect();
    for document in &library.documents {
        if document.role != Role::StepFile || reached.contains(&document.source.id()) {
            continue;
        }
        if !has_home(&document.source.path().folder(), &homes) {
            continue;
        }
        let at = document.parsed.markdown.headings.first().map_or(document.source.span(0, 0), |heading| heading.span);
        findings
            .add(at, "no workflow leads to this step file".to_owned())
            .help = Some("name it where its step is due (`Read fully and follow: ./…`), or delete it".to_owned());
    }
}

/// Says whether a workflow is declared in the folder or up to two above it.
fn has_home(folder: &ProjectPath, homes: &HashSet<ProjectPath>) -> bool {
    let above = folder.folder();
    homes.contains(folder) || homes.contains(&above) || homes.contains(&above.folder())
}
