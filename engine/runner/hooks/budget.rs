//! What hooks wrote in, whether it is kept out: a step has room for so much and no more.

use crate::host::Ran;
use std::collections::HashMap;

/// The most bytes that the hooks of one step may write together.
const MAX_STEP: u64 = 256 * 1024;

/// What is told where a step has no room left.
pub(super) const EXHAUSTED: &str = "Hook output budget exhausted (256KB); some output discarded";

/// How much the hooks of each lane wrote in the step it is in.
#[derive(Debug, Default)]
pub(super) struct Budget {
    lanes: HashMap<String, Used>,
}

#[derive(Debug, Default)]
struct Used {
    step: String,
    bytes: u64,
    is_over: bool,
}

impl Budget {
    /// Drops what a hook wrote where it does not fit; answers, once a step, that something is dropped.
    pub(super) fn keep(&mut self, lane: &str, step: &str, ran: &mut Ran) -> bool {
        let used = self.lanes.entry(lane.to_owned()).or_default();
        if used.step != step {
            *used = Used {
                step: step.to_owned(),
                ..Used::default()
            };
        }
        let size = (ran.out.len() + ran.err.len()) as u64;
        if size == 0 {
            return false;
        }
        if !used.is_over && used.bytes + size <= MAX_STEP {
            used.bytes += size;
            return false;
        }
        ran.out.clear();
        ran.err.clear();
        !std::mem::replace(&mut used.is_over, true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, MAX_STEP};
    use crate::host::{CommandEnd, Ran};

    fn ran(size: usize) -> Ran {
        Ran {
            end: CommandEnd::Exit(0),
            out: "x".repeat(size),
            err: String::new(),
            size: size as u64,
        }
    }

    /// Returns whether it is told, and how much is kept.
    fn kept(budget: &mut Budget, step: &str, size: usize) -> (bool, usize) {
        let mut ran = ran(size);
        let told = budget.keep("0", step, &mut ran);
        (told, ran.out.len())
    }

    #[test]
    fn a_step_has_room_for_exactly_256_kb() {
        let mut budget = Budget::default();
        for _ in 0..4 {
            assert_eq!(kept(&mut budget, "1", 64 * 1024), (false, 64 * 1024));
        }
        assert_eq!(kept(&mut budget, "1", 1), (true, 0));
    }

    #[test]
    fn what_comes_later_is_dropped_and_told_once() {
        let mut budget = Budget::default();
        kept(&mut budget, "1", MAX_STEP as usize - 1);
        assert_eq!(kept(&mut budget, "1", 2), (true, 0));
        assert_eq!(kept(&mut budget, "1", 1), (false, 0));
        assert_eq!(kept(&mut budget, "1", 0), (false, 0));
    }

    #[test]
    fn the_next_step_begins_anew() {
        let mut budget = Budget::default();
        kept(&mut budget, "1", MAX_STEP as usize + 1);
        assert_eq!(kept(&mut budget, "2", 9), (false, 9));
    }
}
