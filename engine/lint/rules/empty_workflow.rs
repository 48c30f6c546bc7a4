//! Workflows that say nothing to do.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Document, Place, Resolution, Scope};
use crate::syntax::{Format, Node};

pub(super) const RULE: Rule = Rule {
    code: Code("empty-workflow"),
    severity: Severity::Warning,
    summary: "a workflow says nothing to do, so a run of it does nothing",
    page: include_str!("../../../spec/rules/empty-workflow.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let workflow = unit.workflow;
    let home = unit.subject.library.document(workflow.home);
    let says = !workflow.protocols.is_empty() || workflow.steps.iter().any(|step| !step.body.is_empty());
    // What could not be read may say it.
    if says || !home.parsed.faults.is_empty() {
        return;
    }
    if !matches!(home.parsed.format, Format::Xml | Format::Markdown) {
        return instructions(unit, home, findings);
    }
    let first = workflow.steps.first();
    let (place, message) = match first {
        Some(step) if home.parsed.format == Format::Xml => (step.head, "none of the steps says what to do"),
        Some(_) => (home.source.span(0, 0), "the file says nothing to do"),
        None => (home.source.span(0, 0), "the workflow has no step"),
    };
    findings.add(place, message).help =
        Some("write what is to be done; `bmad new NAME` makes one to begin with".to_owned());
}

/// Finds instructions that say nothing, or that lie where the project is not looked at. Those that are missing in it are
/// broken references, and those that a value decides are found when running.
fn instructions(unit: &WorkflowUnit<'_>, home: &Document, findings: &mut Findings) {
    let library = unit.subject.library;
    let data = home.parsed.data.as_ref();
    let Some((node, text)) = data
        .and_then(|data| data.get("instructions"))
        .and_then(|node| Some((node, Node::text(node)?)))
        .filter(|(_, text)| !text.trim().is_empty())
    else {
        return;
    };
    let path = home.source.path();
    let place = Place {
        file: path,
        home: &path.folder(),
    };
    let scope = Scope::new(library, Some(unit.workflow), home.source.id());
    let (message, help) = match library.resolve(text, place, &scope) {
        Resolution::Found(path) => match library.at(&path) {
            Some(document) if !document.parsed.faults.is_empty() => return,
            Some(_) => ("the instructions say nothing to do", "write what is to be done"),
            None => (
                "the instructions are no file that is read, so the workflow has no step",
                "name an XML or Markdown file",
            ),
        },
        Resolution::Outside => (
            "the instructions are not in this project, so the workflow has no step",
            "correct `instructions` or `installed_path`: `{installed_path}` is the workflow's own folder",
        ),
        Resolution::Missing(_) | Resolution::Dynamic | Resolution::UnknownModule(_) | Resolution::Escapes => return,
    };
    findings.add(node.inner(&home.source), message).help = Some(help.to_owned());
}
