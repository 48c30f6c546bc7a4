//! Steps that nothing leads to.

use crate::diagnostic::{Code, Label, Severity};
use crate::graph::NodeKind;
use crate::lint::{Check, Findings, Rule, WorkflowUnit};
use crate::model::{Act, Origin, Step, Target, Workflow, visit};
use crate::source::QuickSet;

pub(super) const RULE: Rule = Rule {
    code: Code("unreachable-step"),
    severity: Severity::Warning,
    summary: "no path through the workflow leads to a step",
    page: include_str!("../../../spec/rules/unreachable-step.md"),
    check: Check::Workflow(check),
};

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    // Only of steps that are tags is anything said.
    let is_told = unit.workflow.steps.iter().any(|step| step.origin == Origin::Tag);
    if !is_told || !unit.graph.dead.is_empty() {
        return;
    }
    let reached = unit.graph.reached();
    let mut lost: Vec<usize> = (0..unit.graph.steps.len())
        .filter(|at| !reached.contains(unit.graph.steps[*at]))
        .collect();
    if !lost.is_empty() {
        let inside: QuickSet<usize> = reached.iter().filter_map(|node| unit.graph.nodes[node].step).collect();
        lost.retain(|at| !inside.contains(at));
    }
    if lost.is_empty() || leads_anywhere(unit.workflow) {
        return;
    }
    for at in lost {
        let Some(step) = unit.workflow.steps.get(at).filter(|step| step.origin == Origin::Tag) else {
            continue;
        };
        if is_named(unit, step) {
            continue;
        }
        let found = findings.add(step.head, format!("step `{}` is never reached", step.label));
        found.help = Some("every path before it jumps, halts or exits; add a jump to it or remove it".to_owned());
        let before = unit
            .graph
            .nodes
            .node_weights()
            .filter(|node| node.step.is_some() && node.step == at.checked_sub(1));
        let leaving = before.filter(|node| matches!(node.kind, NodeKind::Jump | NodeKind::Halt | NodeKind::Exit));
        if let Some(last) = leaving.max_by_key(|node| node.span) {
            found.labels.push(Label {
                span: last.span,
                text: "the step before it leaves here".to_owned(),
            });
        }
    }
}

/// Says whether a jump is described in words alone: it may lead to any step.
fn leads_anywhere(workflow: &Workflow) -> bool {
    let mut found = false;
    for step in &workflow.steps {
        visit(&step.body, &mut |instruction| {
            found |= matches!(
                &instruction.act,
                Act::Goto {
                    target: Target::Prose,
                    ..
                }
            );
        });
    }
    found
}

/// Says whether some other text of the workflow speaks of the step: `run step 5a for each of them`.
fn is_named(unit: &WorkflowUnit<'_>, step: &Step) -> bool {
    unit.workflow.files.iter().any(|file| {
        let source = unit.subject.library.source(*file);
        let bytes = source.text().as_bytes();
        memchr::memmem::find_iter(bytes, b"tep").any(|at| {
            let own = *file == step.span.source && (step.span.start as usize..step.span.end as usize).contains(&at);
            !own && follows(&bytes[at + 3..], &step.label)
        })
    })
}

/// Says whether a label follows the word `step`.
fn follows(text: &[u8], label: &str) -> bool {
    let spaces = text
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'_' | b'-' | b's' | b'#' | b'*'))
        .count();
    let rest = &text[spaces..];
    let after = rest.get(label.len()..).unwrap_or_default();
    let number = after.first() == Some(&b'.') && after.get(1).is_some_and(u8::is_ascii_digit);
    let whole = !number && !after.first().is_some_and(u8::is_ascii_alphanumeric);
    spaces > 0 && rest.starts_with(label.as_bytes()) && whole
}
