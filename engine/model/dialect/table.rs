//! Tables of where to go on, as the files have them that take up a document again.

use crate::model::instruction::{Act, Instruction};
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind};

/// The fewest files that make a table of where to go on.
const TABLE: usize = 2;

/// Hands a table of where to go on (`If lastStep = 2 → load …`) to the answer of a later menu that says to go by it.
pub(super) fn defer(document: &Document, read: &mut [Instruction]) {
    let Some(at) = read.iter().position(|one| matches!(one.act, Act::Menu(_))) else {
        return;
    };
    let (before, from) = read.split_at_mut(at);
    let Some(answer) = from.first_mut().and_then(|menu| unled(document, menu)) else {
        return;
    };
    let is_row = |lift: &Lift| lift.condition.is_some() && matches!(lift.kind, LiftKind::Follow { .. });
    let rows = |one: &Instruction| match &one.act {
        Act::Do { lifts, .. } => lifts.iter().filter(|lift| is_row(lift)).count(),
        _ => 0,
    };
    if before.iter().map(rows).sum::<usize>() < TABLE {
        return;
    }
    for one in before {
        if let Act::Do { lifts, .. } = &mut one.act {
            answer.extend(lifts.extract_if(.., |lift| is_row(lift)));
        }
    }
}

/// Returns the lifts of the answer of a menu that says to follow a step file, and not which.
fn unled<'a>(document: &Document, menu: &'a mut Instruction) -> Option<&'a mut Vec<Lift>> {
    let Act::Menu(menu) = &mut menu.act else {
        return None;
    };
    let bodies = menu.branches.iter_mut().filter(|branch| branch.option.is_some());
    bodies
        .flat_map(|branch| &mut branch.body)
        .find_map(|one| match &mut one.act {
            Act::Do { text, lifts, .. } if lifts.is_empty() => {
                let said = document.source.slice(*text).to_lowercase();
                let follows = said.contains("follow") || said.contains("load");
                (follows && said.contains("step")).then_some(lifts)
            }
            _ => None,
        })
}
