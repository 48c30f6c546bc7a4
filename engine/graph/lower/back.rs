//! A menu of prose in, which of its answers come back to it out.

use crate::model::{Act, Branch, Instruction, Library, LiftKind, Menu};
use crate::source::Span;

/// Says whether a file that is followed is a step of the workflow.
pub(crate) type IsOwn<'a> = dyn FnMut(&str, Span) -> bool + 'a;

/// Says of each answer to a menu whether the menu is shown again after it. In prose the answer that goes on says so, and
/// every other one comes back; to the menu around it from one that an answer led to, which is `inside`.
pub(crate) fn come_back(library: &Library, menu: &Menu, inside: bool, is_own: &mut IsOwn<'_>) -> Vec<bool> {
    let branches = menu.branches.iter();
    let onward: Vec<bool> = branches.map(|branch| is_way_on(library, branch, is_own)).collect();
    let told = menu.text.is_none() && !inside && onward.contains(&true);
    let comes_back = |(branch, leads): (&Branch, bool)| {
        let returns = matches!(branch.body.last().map(|last| &last.act), Some(Act::Return { .. }));
        branch.again || told && !leads && !branch.onward && !branch.past && !returns
    };
    menu.branches.iter().zip(onward).map(comes_back).collect()
}

/// Says whether a branch is the one that leads on: not where it only skips the rest of the step.
pub(crate) fn is_way_on(library: &Library, branch: &Branch, is_own: &mut IsOwn<'_>) -> bool {
    !branch.past && leads_on(library, &branch.body, is_own)
}

/// Says whether a branch goes on to another step, or ends the run; one that only leaves or goes back says nothing of the
/// others, and neither does a stop for a case.
fn leads_on(library: &Library, body: &[Instruction], is_own: &mut IsOwn<'_>) -> bool {
    body.iter().any(|instruction| match &instruction.act {
        Act::Do { lifts, .. } => lifts.iter().any(|lift| match &lift.kind {
            LiftKind::Follow { target, target_span } => {
                is_own(target, *target_span) && !lift.goes_back(library.slice(lift.span))
            }
            LiftKind::Halt { .. } => lift.condition.is_none(),
            LiftKind::Section { .. } => false,
            kind => kind.leaves(),
        }),
        Act::Goto { .. } | Act::Halt { .. } => true,
        Act::Menu(menu) => menu.branches.iter().any(|branch| is_way_on(library, branch, is_own)),
        _ => false,
    })
}
