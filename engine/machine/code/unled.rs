//! What stands before the step files of a workflow in; out whether somebody may come to its end without any of them.

use super::Op;
use super::compile::Compiler;
use super::statement::Statement;
use crate::model::{Act, Lift, LiftKind, Origin};
use crate::source::Span;

/// What decides about an operation.
enum Decider {
    /// Somebody judges, and not what the person answered.
    Judge,
    /// The engine.
    Engine,
    /// The person, or what was decided before.
    Other,
    /// Nothing does.
    Nobody,
}

impl Compiler<'_> {
    /// Returns the first words that lead to a step file from what stands before them all, where nothing but judgements
    /// does: then nothing of the work is done where none holds. What the person chooses, or what is done in another case,
    /// may be all of it.
    pub(super) fn only_judged(&self, ended: usize) -> Option<Span> {
        let is_file = |at: usize| self.workflow.steps.get(at).map(|step| step.origin == Origin::File);
        if is_file(ended) != Some(false) || is_file(ended + 1) != Some(true) || self.has_other_case(ended) {
            return None;
        }
        let mut first = None;
        for (at, op) in self.code.ops.iter().enumerate() {
            match (op, self.decider(at)) {
                (Op::Follow(target, span, _), decider) if self.is_own_step(target, *span) => match decider {
                    Decider::Judge => first = first.or(Some(*span)),
                    Decider::Engine => {}
                    Decider::Other | Decider::Nobody => return None,
                },
                (Op::Follow(..) | Op::Skill(..), Decider::Nobody) => {}
                (op, _) if !is_plain(op) => return None,
                _ => {}
            }
        }
        first
    }

    /// Says whether another file or a skill is for a case, whoever follows it.
    fn has_other_case(&self, ended: usize) -> bool {
        let is_case = |lift: &Lift| lift.condition.is_some_and(|words| words != lift.span);
        let is_other = |lift: &Lift| match &lift.kind {
            LiftKind::Follow { .. } => !self.follows_own(lift),
            kind => matches!(kind, LiftKind::Skill { .. }),
        };
        let told = self.workflow.steps[..=ended].iter().flat_map(|step| &step.body);
        let mut lifts = told.flat_map(|one| match &one.act {
            Act::Do { lifts, .. } => lifts.as_slice(),
            _ => &[],
        });
        lifts.any(|lift| is_case(lift) && is_other(lift))
    }

    fn decider(&self, at: usize) -> Decider {
        let mut before = self.code.ops[..at]
            .iter()
            .rev()
            .skip_while(|op| matches!(op, Op::Mark(..)));
        match (before.next(), before.next()) {
            (Some(Op::Unless(_)), Some(Op::Judge(Statement::Answer { .. }))) => Decider::Other,
            (Some(Op::Unless(_)), Some(Op::Judge(_))) => Decider::Judge,
            (Some(Op::Unless(_)), Some(Op::Decide(_))) => Decider::Engine,
            (Some(Op::Unless(_) | Op::When(_) | Op::WhenMarked(..)), _) => Decider::Other,
            _ => Decider::Nobody,
        }
    }
}

/// Says whether an operation is one of prose that tells, judges or stops.
fn is_plain(op: &Op<'_>) -> bool {
    matches!(
        op,
        Op::Enter(_)
            | Op::Leave(_)
            | Op::Turn(_)
            | Op::Judge(_)
            | Op::Decide(_)
            | Op::Unless(_)
            | Op::Mark(..)
            | Op::WhenMarked(..)
            | Op::SetProse(..)
            | Op::Pause(..)
            | Op::Halt(..)
            | Op::Exit
    )
}
