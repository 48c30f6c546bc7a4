//! Jumps, by tag or in prose, to a step or an anchor that does not exist.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, Findings, Rule, WorkflowUnit, nearest};
use crate::model::{Act, Step, visit};

pub(super) const RULE: Rule = Rule {
    code: Code("dead-goto"),
    severity: Severity::Error,
    summary: "a jump leads to a step or an anchor that does not exist",
    page: include_str!("../../../spec/rules/dead-goto.md"),
    check: Check::Workflow(check),
};

/// How many labels one message lists.
const MANY: usize = 20;

fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let mut labels: Vec<&str> = Vec::new();
    for step in &unit.workflow.steps {
        if !labels.contains(&step.label.as_str()) {
            labels.push(&step.label);
        }
    }
    let places = places(&unit.workflow.steps);
    for jump in &unit.graph.dead {
        let found = findings.add(
            jump.span,
            format!("no step or anchor `{}` in this workflow", jump.label),
        );
        let there = listed(&labels);
        let near = nearest(&jump.label, places.iter().copied());
        found.help = Some(match near.or_else(|| like(&jump.label, &labels)) {
            Some(near) => format!("did you mean `{near}`? {there}"),
            None => there,
        });
    }
}

fn listed(labels: &[&str]) -> String {
    let (shown, more) = labels.split_at(labels.len().min(MANY));
    let names = shown.join(", ");
    match more.len() {
        0 if shown.len() < 2 => format!("the only step is {names}"),
        0 => format!("the steps are {names}"),
        more => format!("the steps are {names} and {more} more"),
    }
}

/// Returns the names of everything a jump can lead to: steps, parts of steps, anchors.
fn places(steps: &[Step]) -> Vec<&str> {
    let mut names: Vec<&str> = steps.iter().map(|step| step.label.as_str()).collect();
    for step in steps {
        visit(&step.body, &mut |instruction| {
            if let Act::Anchor { id } = &instruction.act {
                names.push(id);
            }
            if let Act::Group { label: Some(label), .. } = &instruction.act {
                names.push(&label.text);
            }
        });
    }
    names
}

/// Finds the step with the same number: `2` for `2a`.
fn like<'a>(wanted: &str, labels: &[&'a str]) -> Option<&'a str> {
    let number = |label: &str| label.trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_owned();
    let wanted = number(wanted);
    labels
        .iter()
        .copied()
        .find(|label| !wanted.is_empty() && number(label) == wanted)
}
