//! Stretches of code that jumps do not cross like any other: protocols, lanes, loops.

use super::compile::Compiler;
use super::{Code, Op, Pc};
use crate::graph::{Targets, Want};
use crate::model::{Step, Workflow};
use std::ops::Range;

/// A protocol: its steps have labels of their own.
#[derive(Debug)]
pub(in crate::machine) struct Room<'p> {
    pub(super) range: Range<Pc>,
    pub(super) targets: Targets<Pc>,
    pub(super) steps: Vec<(&'p Step, Pc)>,
}

/// The stretches of one workflow.
#[derive(Debug, Default)]
pub(in crate::machine) struct Regions<'p> {
    pub(super) rooms: Vec<Room<'p>>,
    pub(super) lanes: Vec<Range<Pc>>,
    /// From the operation that begins a loop to the one behind it.
    pub(super) loops: Vec<Range<Pc>>,
}

impl<'p> Code<'p> {
    fn room(&self, at: Pc) -> Option<&Room<'p>> {
        self.regions.rooms.iter().find(|room| room.range.contains(&at))
    }

    /// Returns what a jump from here can name.
    pub(in crate::machine) fn targets_from(&self, at: Pc) -> &Targets<Pc> {
        self.room(at).map_or(&self.targets, |room| &room.targets)
    }

    /// Returns the steps that a jump from here can lead to, with where they begin.
    pub(in crate::machine) fn steps_from(&self, at: Pc, workflow: &'p Workflow) -> Vec<(&'p Step, Pc)> {
        match self.room(at) {
            Some(room) => room.steps.clone(),
            None => workflow.steps.iter().zip(self.steps.iter().copied()).collect(),
        }
    }

    /// Says whether a jump would leave or enter a lane.
    pub(in crate::machine) fn crosses_lanes(&self, from: Pc, to: Pc) -> bool {
        let lane = |at: Pc| {
            let around = self.regions.lanes.iter().filter(|lane| lane.contains(&at));
            around.map(|lane| lane.start).max()
        };
        lane(from) != lane(to)
    }

    /// Returns the loops that a jump enters, the outermost first: where each begins.
    pub(in crate::machine) fn loops_entered(&self, from: Pc, to: Pc) -> Vec<Pc> {
        let is_entered = |round: &&Range<Pc>| round.start < to && round.contains(&to) && !round.contains(&from);
        let mut entered: Vec<Pc> = self
            .regions
            .loops
            .iter()
            .filter(is_entered)
            .map(|round| round.start)
            .collect();
        entered.sort_unstable();
        entered
    }

    /// Returns where a step is left that has no other behind it.
    pub(in crate::machine) fn way_out(&self, from: Pc) -> Pc {
        let exit = self
            .ops
            .iter()
            .skip(from)
            .position(|op| matches!(op, Op::Exit | Op::End));
        exit.map_or(self.ops.len() - 1, |at| from + at)
    }
}

impl<'p> Compiler<'p> {
    /// The steps of a protocol, which only jumps inside of it can name.
    pub(super) fn room(&mut self, start: Pc, steps: &'p [Step]) -> Room<'p> {
        let targets = std::mem::take(&mut self.code.targets);
        let jumps = std::mem::take(&mut self.jumps);
        let mut begun = Vec::new();
        for step in steps {
            self.origin = step.origin;
            let here = self.here();
            begun.push((step, here));
            self.code
                .targets
                .add(Want::Label(step.origin, step.label.clone()), here);
            self.one_step(step);
        }
        let last = self.emit(Op::End);
        self.settle();
        self.jumps = jumps;
        Room {
            range: start..last + 1,
            targets: std::mem::replace(&mut self.code.targets, targets),
            steps: begun,
        }
    }
}
