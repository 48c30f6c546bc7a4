//! Steps in, the ends of modes out: where a numbered table stops being one sequence.

use crate::model::{Act, LiftKind, Origin, Step, Target, Workflow, visit};
use std::collections::{HashMap, HashSet};

/// Finds where one mode ends and the next begins, as (the last step of one, the first of the next).
///
/// A mode begins after a wide gap in the numbers, at a step that the first step alone jumps to: 0 to 5, then 20, then 30.
/// A step that others jump to as well is a common end or a detour, and a number or two left out is an edit.
pub(crate) fn mode_ends(workflow: &Workflow) -> Vec<(usize, usize)> {
    let steps = &workflow.steps;
    let Some(router) = steps.iter().position(|step| step.origin == Origin::Tag) else {
        return Vec::new();
    };
    let leaves_out = |at: &usize| {
        let (Some(before), Some(after)) = (number(&steps[at - 1]), number(&steps[*at])) else {
            return false;
        };
        after - before > 4 || after - before > 1 && after % 10 == 0
    };
    let mut gaps = (router + 2..steps.len()).filter(leaves_out).peekable();
    // Most workflows leave no number out, and need not be searched for jumps.
    if gaps.peek().is_none() {
        return Vec::new();
    }
    let jumps = jumps(workflow);
    let only_router = HashSet::from([router]);
    gaps.filter(|at| jumps.get(steps[*at].label.as_str()) == Some(&only_router))
        .map(|at| (at - 1, at))
        .collect()
}

fn number(step: &Step) -> Option<i64> {
    (step.origin == Origin::Tag).then(|| step.label.parse().ok()).flatten()
}

/// Returns every label that a jump names, with the steps that the jumps are in.
fn jumps(workflow: &Workflow) -> HashMap<&str, HashSet<usize>> {
    let mut found: HashMap<&str, HashSet<usize>> = HashMap::new();
    for (at, step) in workflow.steps.iter().enumerate() {
        visit(&step.body, &mut |instruction| match &instruction.act {
            Act::Goto {
                target: Target::Step(label),
                ..
            } => {
                found.entry(&label.text).or_default().insert(at);
            }
            Act::Do { lifts, .. } => {
                for lift in lifts {
                    if let LiftKind::Goto { label, .. } = &lift.kind {
                        found.entry(label).or_default().insert(at);
                    }
                }
            }
            Act::Goto { .. }
            | Act::Check { .. }
            | Act::Ask(_)
            | Act::Show { .. }
            | Act::Rule { .. }
            | Act::Produce(_)
            | Act::Elicit
            | Act::Anchor { .. }
            | Act::Invoke(_)
            | Act::Loop { .. }
            | Act::Group { .. }
            | Act::Menu(_)
            | Act::Set { .. }
            | Act::Dispatch(_)
            | Act::Collect(_)
            | Act::Run(_)
            | Act::Parallel(_)
            | Act::Return { .. }
            | Act::Halt { .. } => {}
        });
    }
    found
}
