//! What a sentence says about control flow in, what the engine makes of it out.

use super::compile::Compiler;
use crate::graph::is_trouble;
use crate::model::{Lift, LiftKind};

/// Says whether the engine does something itself because of a lift.
pub(super) fn acts(lift: &Lift) -> bool {
    match lift.kind {
        LiftKind::Goto { .. }
        | LiftKind::Halt { .. }
        | LiftKind::Exit
        | LiftKind::Return
        | LiftKind::Set { .. }
        | LiftKind::Follow { .. }
        | LiftKind::Skill { .. } => true,
        LiftKind::Store { .. } | LiftKind::Ask | LiftKind::Wait => false,
    }
}

/// Says whether a lift is a stop.
pub(super) fn is_halt(lift: &Lift) -> bool {
    matches!(lift.kind, LiftKind::Halt { .. })
}

/// Says whether two lifts depend on the same words.
pub(super) fn is_same_case(one: &Lift, other: &Lift) -> bool {
    one.condition.is_some() && one.condition == other.condition
}

impl Compiler<'_> {
    /// Says whether a stop in small letters that nothing decides about tells of no trouble: who comes there is at the end.
    /// `Stop and report the results.`
    pub(super) fn ends_calmly(&self, stop: &Lift) -> bool {
        let is_small = self.library.slice(stop.span).contains(char::is_lowercase);
        let text = self.library.source(stop.span.source).text();
        let line = text[stop.span.start as usize..].split('\n').next().unwrap_or_default();
        let sentence = line.split(". ").next().unwrap_or_default();
        is_halt(stop) && is_small && sentence.contains(" and ") && !is_trouble(sentence)
    }
}
