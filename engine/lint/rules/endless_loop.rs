//! Circles without a way out.

use crate::diagnostic::{Code, Severity};
use crate::graph::NodeKind;
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::Origin;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("endless-loop"),
    severity: Severity::Error,
    summary: "once a step is entered, no path leads out of the circle it is in",
    page: include_str!("../../../spec/rules/endless-loop.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    if unit.workflow.steps.iter().any(|step| step.origin != Origin::Tag) {
        return;
    }
    let ending = unit.graph.ending();
    let mut told: HashSet<Option<usize>> = HashSet::new();
    let mut stuck: Vec<_> = unit.graph.reached().into_iter().filter(|node| !ending.contains(node)).collect();
    stuck.sort();
    for node in stuck {
        let weight = &unit.graph.nodes[node];
        if weight.kind != NodeKind::Step || !told.insert(weight.step) {
            continue;
        }
        findings
            .add(weight.span, "no path leads from this step to an end of the workflow".to_owned())
            .help = Some("give the circle a way out: a condition, an option that exits, or a bound".to_owned());
        return;
    }
}
