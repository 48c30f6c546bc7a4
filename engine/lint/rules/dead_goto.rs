//! Jumps, by tag or in prose, to a step or an anchor that does not exist.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};

pub(super) const RULE: Rule = Rule {
    code: Code("dead-goto"),
    severity: Severity::Error,
    summary: "a jump leads to a step or an anchor that does not exist",
    page: include_str!("../../../spec/rules/dead-goto.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let labels: Vec<&str> = unit.workflow.steps.iter().map(|step| step.label.as_str()).collect();
    for jump in &unit.graph.dead {
        let found = findings.add(jump.span, format!("no step or anchor `{}` in this workflow", jump.label));
        let there = labels.join(", ");
        found.help = Some(match nearest(&jump.label, labels.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? the steps are {there}"),
            None => format!("the steps are {there}"),
        });
    }
}
