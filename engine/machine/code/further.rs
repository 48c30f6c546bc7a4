//! Conditions of checks that follow one another to the turn before the first of them.
//!
//! Whoever did the work knows best what came of it. What a branch between them changes is judged anew when it runs.

use super::Op;
use super::compile::Compiler;
use super::statement::Statement;
use crate::model::{Act, Condition, Instruction, Test};

impl<'p> Compiler<'p> {
    /// Puts what somebody judges about the instructions that follow to the turn right before them.
    pub(super) fn decided_by(&mut self, following: &'p [Instruction]) {
        let between = following.iter().take_while(|next| stays(next));
        let conditions: Vec<&'p Condition> = between.filter_map(|next| next.condition.as_deref()).collect();
        let Some(first) = conditions.first() else {
            return;
        };
        let last = self
            .code
            .ops
            .iter_mut()
            .enumerate()
            .rev()
            .find_map(|(at, op)| match op {
                Op::Turn(turn) => Some((at, turn)),
                _ => None,
            });
        let Some((at, turn)) = last else {
            return;
        };
        // What the engine does itself may stand between a turn and the first condition that was put to it.
        if self.open != Some(at) && !turn.conditions.contains(&Statement::Words(first.span)) {
            return;
        }
        for condition in conditions {
            judged(&condition.test, &mut turn.further);
        }
    }
}

/// Says whether what was judged before an instruction still holds behind it, where it has no condition or is not done.
fn stays(next: &Instruction) -> bool {
    next.condition.is_some() || matches!(next.act, Act::Rule { .. } | Act::Show { file: None, .. })
}

/// Gathers the words of a condition that somebody judges.
fn judged<'p>(test: &'p Test, found: &mut Vec<&'p str>) {
    match test {
        Test::Judged(words) => found.push(words),
        Test::Not(inner) => judged(inner, found),
        Test::All(parts) | Test::Any(parts) => parts.iter().for_each(|part| judged(part, found)),
        Test::Compare { .. }
        | Test::Member { .. }
        | Test::Flag(_)
        | Test::Chosen(_)
        | Test::Exists { .. }
        | Test::Otherwise => {}
    }
}
