//! Protocols that are invoked and not there.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{Invoked, STANDARD_PROTOCOLS, Words};

pub(super) const RULE: Rule = Rule {
    code: Code("unknown-protocol"),
    severity: Severity::Error,
    summary: "a protocol is invoked that neither the workflow nor the core has",
    page: include_str!("../../../spec/rules/unknown-protocol.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let invokes = unit.acts.invokes.iter();
    for (_, invoke) in invokes.filter(|(_, invoke)| invoke.what == Invoked::Protocol) {
        judge(&invoke.target, unit, findings);
    }
}

fn judge(name: &Words, unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let known = known(unit);
    if name.text.is_empty() || name.text.contains('{') || known.contains(&name.text.as_str()) {
        return;
    }
    let found = findings.add(name.span, format!("no protocol is named `{}`", name.text));
    found.help = Some(match nearest(&name.text, known.into_iter()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "write `<protocol name=\"{}\">` into this file, with its steps",
            name.text
        ),
    });
}

/// Returns the protocols that a workflow can invoke: its own, and those of the task that every workflow is run by.
fn known<'a>(unit: &WorkflowUnit<'a>) -> Vec<&'a str> {
    let workflows = unit.subject.workflows.iter();
    let cores = workflows.filter(|workflow| workflow.is_core(unit.subject.library));
    let own = std::iter::once(unit.workflow).chain(cores);
    let names = own
        .flat_map(|workflow| &workflow.protocols)
        .map(|protocol| protocol.name.as_str());
    names.chain(STANDARD_PROTOCOLS.iter().copied()).collect()
}
