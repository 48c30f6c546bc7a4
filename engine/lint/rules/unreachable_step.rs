//! Steps that nothing leads to.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::Origin;

pub(super) const RULE: Rule = Rule {
    code: Code("unreachable-step"),
    severity: Severity::Warning,
    summary: "no path through the workflow leads to a step",
    page: include_str!("../../../spec/rules/unreachable-step.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let reached = unit.graph.reached();
    for (step, node) in unit.workflow.steps.iter().zip(&unit.graph.steps) {
        if reached.contains(node) || step.origin == Origin::File {
            continue;
        }
        findings
            .add(step.head, format!("step `{}` is never reached", step.label))
            .help = Some("every path before it jumps, halts or exits; add a jump to it or remove it".to_owned());
    }
}
