//! The questions of a text in, whether one of them stands in a part of it out.

use crate::model::{Lift, LiftKind};
use std::ops::Range;

/// Where the questions of a text begin, in order: each wait in it is compared with them, and there may be many of both.
pub(super) struct Questions(pub(super) Vec<u32>);

impl Questions {
    /// Keeps the questions of some lifts.
    pub(super) fn of(lifts: &[&Lift]) -> Self {
        let asks = lifts.iter().filter(|lift| lift.kind == LiftKind::Ask);
        let mut starts: Vec<u32> = asks.map(|ask| ask.span.start).collect();
        starts.sort_unstable();
        Self(starts)
    }

    /// Says whether one of them begins in a section.
    pub(super) fn is_in(&self, section: &Range<u32>) -> bool {
        let first = self.0.partition_point(|start| *start < section.start);
        self.0.get(first).is_some_and(|start| section.contains(start))
    }
}
