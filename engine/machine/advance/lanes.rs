//! Lanes that part, and meet where they end.

use super::Machine;
use crate::builtins::Value;
use crate::machine::lane::{Lane, Last, Parted, State};

impl<'p> Machine<'p> {
    /// Starts lanes that part from one, as many as may run at the same time.
    pub(super) fn part(&mut self, at: usize, parted: Parted<'p>) {
        let max = parted.max.min(parted.waiting.len());
        self.lanes[at].state = State::Parted(parted);
        for _ in 0..max {
            self.start_next(at);
        }
        self.meet(at);
    }

    fn start_next(&mut self, at: usize) {
        let State::Parted(parted) = &mut self.lanes[at].state else {
            return;
        };
        let Some(mut lane) = parted.waiting.pop() else {
            return;
        };
        lane.parent = lane.parent.map(|(_, place)| (at, place));
        lane.frames[0].left = self.lanes[at].left();
        let index = self.free_place(lane);
        self.ready.push_back(index);
    }

    /// Puts a lane where an earlier one ended, so that a long run does not grow.
    fn free_place(&mut self, lane: Lane<'p>) -> usize {
        let free = self.lanes.iter().position(|lane| matches!(lane.state, State::Over));
        match free {
            Some(at) => {
                self.lanes[at] = lane;
                at
            }
            None => {
                self.lanes.push(lane);
                self.lanes.len() - 1
            }
        }
    }

    /// Goes on after a fork once all its lanes ended.
    fn meet(&mut self, at: usize) {
        let State::Parted(parted) = &mut self.lanes[at].state else {
            return;
        };
        if parted.open > 0 {
            return;
        }
        let results = Value::List(std::mem::take(&mut parted.results));
        let (into, join) = (parted.into.take(), parted.join);
        self.lanes[at].state = State::Ready;
        if let Some(into) = into {
            self.frame(at).variables.insert(into, results.clone());
        }
        self.lanes[at].last = Last::Value(results);
        self.frame(at).pc = join;
    }

    /// A lane ended with a result.
    pub(super) fn over(&mut self, at: usize, result: Value) {
        self.lanes[at].state = State::Over;
        let left = self.lanes[at].left();
        let Some((parent, place)) = self.lanes[at].parent else {
            return;
        };
        if let State::Parted(parted) = &mut self.lanes[parent].state {
            parted.results[place] = result;
            parted.open -= 1;
        }
        self.lanes[parent].charge_for(left);
        self.start_next(parent);
        self.meet(parent);
        self.ready.push_back(parent);
    }
}
