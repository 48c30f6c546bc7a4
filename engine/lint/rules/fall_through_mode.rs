//! Modes that would run on into the next one.

use crate::diagnostic::{Code, Label, Severity};
use crate::graph::Edge;
use crate::lint::{Check, Findings, Rule, WorkflowUnit};

pub(super) const RULE: Rule = Rule {
    code: Code("fall-through-mode"),
    severity: Severity::Warning,
    summary: "the last step of a mode has no end, and the next step belongs to another mode",
    page: include_str!("../../../spec/rules/fall-through-mode.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let steps = &unit.workflow.steps;
    for (last, first) in &unit.graph.mode_ends {
        let falls = unit.graph.edges().iter().any(|(from, to, edge)| {
            *to == unit.graph.end
                && unit.graph.nodes[*from].step == Some(*last)
                && matches!(
                    edge,
                    Edge::Next | Edge::Else | Edge::Return | Edge::Choice(_) | Edge::Then
                )
        });
        if !falls {
            continue;
        }
        let (Some(ending), Some(starting)) = (steps.get(*last), steps.get(*first)) else {
            continue;
        };
        let found = findings.add(
            ending.head,
            format!(
                "step `{}` ends its mode without saying so; read in order, step `{}` would run next",
                ending.label, starting.label
            ),
        );
        found.labels.push(Label {
            span: starting.head,
            text: format!("step `{}` is a mode of its own, reached by a jump", starting.label),
        });
        found.help = Some(
            "the engine ends the workflow here; end the step with `Exit workflow` so that every reader does".to_owned(),
        );
    }
}
