//! Workflows that say nothing to do.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::syntax::Format;

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
    let is_written = matches!(home.parsed.format, Format::Xml | Format::Markdown);
    let says = !workflow.protocols.is_empty() || workflow.steps.iter().any(|step| !step.body.is_empty());
    // What could not be read may say it.
    if !is_written || says || !home.parsed.faults.is_empty() {
        return;
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
