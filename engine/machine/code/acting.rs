//! What a sentence says about control flow in, what the engine makes of it out.

use crate::model::{Lift, LiftKind};

/// Says whether the engine does something itself because of a lift.
pub(super) fn acts(lift: &Lift) -> bool {
    match lift.kind {
        LiftKind::Goto { .. }
        | LiftKind::Section { .. }
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
