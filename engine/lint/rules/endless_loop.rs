//! Circles without a way out.

mod same_step;

use crate::diagnostic::{Code, Label, Severity};
use crate::graph::{NodeIndex, NodeKind, NodeSet};
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, LiftKind, Origin, Target, visit};
use crate::source::Span;
use std::collections::HashSet;

pub(super) const RULE: Rule = Rule {
    code: Code("endless-loop"),
    severity: Severity::Error,
    summary: "once a step is entered, no path leads out of the circle it is in",
    page: include_str!("../../../spec/rules/endless-loop.md"),
    check: Check::Workflow(check),
};

/// Words that tell of an end in prose that nothing was lifted from.
const ENDS: &[&str] = &[
    "exit", "quit", "done", "finish", "stop", "end ", "leave", "complete", "halt",
];

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    same_step::check(unit, findings);
    if unit.workflow.steps.iter().any(|step| step.origin != Origin::Tag) {
        return;
    }
    let ending = unit.graph.ending();
    let reached = unit.graph.reached();
    let stuck = reached.iter().filter(|node| !ending.contains(*node));
    let mut told: HashSet<NodeIndex> = HashSet::new();
    for node in stuck {
        if unit.graph.nodes[node].kind != NodeKind::Step || told.contains(&node) {
            continue;
        }
        let circle = unit.graph.after(node);
        if !circle.contains(node) {
            continue;
        }
        told.extend(circle.iter());
        report(unit, node, &circle, findings);
    }
}

fn report(unit: &WorkflowUnit<'_>, node: NodeIndex, circle: &NodeSet, findings: &mut Findings) {
    let nodes = &unit.graph.nodes;
    let asks = circle
        .iter()
        .any(|node| matches!(nodes[node].kind, NodeKind::Ask | NodeKind::Menu));
    let tells = circle
        .iter()
        .filter(|node| nodes[*node].kind == NodeKind::Turn)
        .any(|node| {
            let text = unit.subject.library.slice(nodes[node].span).to_lowercase();
            ENDS.iter().any(|word| text.contains(word))
        });
    if tells || unit.graph.dead.iter().any(|jump| circle.contains(jump.node)) {
        return;
    }
    let (severity, message) = if asks {
        (
            Severity::Warning,
            "no answer leads from this step to an end of the workflow",
        )
    } else {
        (
            Severity::Error,
            "no path leads from this step to an end of the workflow",
        )
    };
    let found = findings.add_as(severity, nodes[node].span, message.to_owned());
    found.help =
        Some("give the circle a way out: a condition, an option that exits, or a `<loop>` with a bound".to_owned());
    if let Some(span) = way_back(unit, node, circle) {
        found.labels.push(Label {
            span,
            text: "this leads back to it".to_owned(),
        });
    }
}

/// Finds the last jump of the circle that names the step.
fn way_back(unit: &WorkflowUnit<'_>, node: NodeIndex, circle: &NodeSet) -> Option<Span> {
    let label = &unit.workflow.steps.get(unit.graph.nodes[node].step?)?.label;
    let mut found = None;
    for (step, _) in unit
        .workflow
        .steps
        .iter()
        .zip(&unit.graph.steps)
        .filter(|(_, node)| circle.contains(**node))
    {
        visit(&step.body, &mut |instruction| {
            if let Act::Goto {
                target: Target::Step(to),
                ..
            } = &instruction.act
                && to.text == *label
            {
                found = found.max(Some(instruction.span));
            }
            if let Act::Do { lifts, .. } = &instruction.act {
                let jumps = lifts
                    .iter()
                    .filter(|lift| matches!(&lift.kind, LiftKind::Goto { label: to, .. } if to == label));
                found = jumps.map(|lift| Some(lift.span)).fold(found, Option::max);
            }
        });
    }
    found
}
