//! Questions in the order they come in, places in a list out: in lanes over the items of a list, one after the other.
//!
//! Which lane is faster changes nothing: the first answer is for the first lane, whenever it asks.

use crate::machine::Branch;
use std::collections::{BTreeMap, BTreeSet};

/// The places of a list that were handed out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// The next place of each lane, counted in that lane.
    next: BTreeMap<String, usize>,
    /// The place in the lane above at which the lanes of a fork begin.
    forks: BTreeMap<String, usize>,
    taken: BTreeSet<usize>,
}

impl Places {
    /// Hands out a place to whoever asks in these lanes, the innermost last.
    pub(super) fn take(&mut self, branches: &[Branch]) -> usize {
        let lanes: Vec<&Branch> = branches.iter().filter(|branch| branch.each).collect();
        let name = |depth: usize| match depth {
            0 => String::new(),
            depth => lanes[depth - 1].lane.clone(),
        };
        let own = self.next.entry(name(lanes.len())).or_default();
        let mut place = *own;
        *own += 1;
        for (depth, branch) in lanes.iter().enumerate().rev() {
            let above = self.next.entry(name(depth)).or_default();
            let fork = branch.lane.rsplit_once('.').map_or("", |(fork, _)| fork);
            let first = *self.forks.entry(fork.to_owned()).or_insert(*above);
            // Every lane has a place before the first one has another.
            *above = (*above).max(first + (place + 1) * branch.of);
            place = first + place * branch.of + branch.at;
        }
        self.taken.insert(place);
        place
    }

    /// Says whether nothing was handed out.
    pub(super) fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Says whether a place was handed out.
    pub(super) fn has(&self, place: usize) -> bool {
        self.taken.contains(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::machine::Branch;

    fn lane(lane: &str, at: usize, of: usize) -> Branch {
        Branch {
            lane: lane.to_owned(),
            at,
            of,
            each: true,
            item: String::new(),
        }
    }

    #[test]
    fn the_order_in_which_lanes_ask_changes_nothing() {
        let (slow, fast) = ([lane("0.1.1", 0, 2)], [lane("0.1.2", 1, 2)]);
        for order in [[&slow, &fast, &slow, &fast], [&fast, &fast, &slow, &slow]] {
            let mut places = Places::default();
            assert_eq!(places.take(&[]), 0);
            let mut taken: Vec<(&str, usize)> = order.map(|it| (it[0].lane.as_str(), places.take(it))).to_vec();
            taken.sort_unstable();
            assert_eq!(taken, [("0.1.1", 1), ("0.1.1", 3), ("0.1.2", 2), ("0.1.2", 4)]);
            assert_eq!(places.take(&[lane("0.2.2", 1, 2)]), 6);
            assert_eq!(places.take(&[]), 7);
        }
    }

    #[test]
    fn of_lanes_in_lanes_every_outer_one_has_a_place_before_the_first_has_another() {
        let mut places = Places::default();
        let inner = |outer: usize, at: usize| {
            let name = format!("0.1.{}", outer + 1);
            let own = format!("{name}.1.{}", at + 1);
            [lane(&name, outer, 2), lane(&own, at, 2)]
        };
        let asked = [(1, 1), (0, 1), (1, 0), (0, 0)];
        assert_eq!(asked.map(|(outer, at)| places.take(&inner(outer, at))), [3, 2, 1, 0]);
    }

    #[test]
    fn branches_that_are_no_items_of_a_list_count_as_they_come() {
        let mut places = Places::default();
        let branch = Branch {
            each: false,
            ..lane("0.1.2", 1, 2)
        };
        assert_eq!([places.take(&[branch]), places.take(&[])], [0, 1]);
    }
}
