//! Steps that begin in, the step that something happened in out.
//!
//! A step of a workflow and one of a workflow that it calls may have the same label, and nothing says that a call is
//! over: what happens next in the workflow around it does.

use std::collections::HashMap;

/// In which steps the lanes of a run are.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// Of each lane the steps that it is in, the innermost last.
    lanes: HashMap<String, Vec<Within>>,
}

/// A step that a lane is in.
#[derive(Debug, Clone)]
pub(super) struct Within {
    /// Its place among all steps of the run.
    pub(super) at: usize,
    /// Its workflow.
    pub(super) workflow: String,
    /// Its label.
    pub(super) label: String,
    /// How many calls it is away from the outermost workflow.
    pub(super) depth: u32,
}

impl Standing {
    /// Notes that a step begins: those before it, and what they called, are over.
    pub(super) fn enter(&mut self, lane: &str, step: Within) {
        let within = self.lane(lane);
        within.retain(|other| other.depth < step.depth);
        within.push(step);
    }

    /// Returns the place of the step that something happened in: the innermost of its label, and of its workflow where
    /// that is known. The calls of that step are over.
    pub(super) fn find(&mut self, lane: &str, label: &str, workflow: Option<&str>) -> Option<usize> {
        let within = self.lane(lane);
        let is_of = |step: &Within| workflow.is_none_or(|workflow| step.workflow == workflow);
        let same = |step: &Within| step.label == label;
        let found = within
            .iter()
            .rposition(|step| same(step) && is_of(step))
            .or_else(|| within.iter().rposition(same))?;
        within.truncate(found + 1);
        within.last().map(|step| step.at)
    }

    /// Returns the steps that a lane is in; it begins in those of the lane that it parted from.
    fn lane(&mut self, lane: &str) -> &mut Vec<Within> {
        if !self.lanes.contains_key(lane) {
            let mut around = lane;
            let mut within = Vec::new();
            while let Some((parent, _)) = around.rsplit_once('.') {
                if let Some(known) = self.lanes.get(parent) {
                    within.clone_from(known);
                    break;
                }
                around = parent;
            }
            self.lanes.insert(lane.to_owned(), within);
        }
        self.lanes.entry(lane.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Standing, Within};

    fn step(at: usize, workflow: &str, depth: u32) -> Within {
        Within {
            at,
            workflow: workflow.to_owned(),
            label: "1".to_owned(),
            depth,
        }
    }

    #[test]
    fn after_a_turn_of_the_workflow_around_it_a_call_is_over() {
        let mut standing = Standing::default();
        standing.enter("0", step(0, "outer", 0));
        standing.enter("0", step(1, "inner", 1));
        assert_eq!(standing.find("0", "1", None), Some(1));
        assert_eq!(standing.find("0", "1", Some("outer")), Some(0));
        assert_eq!(standing.find("0", "1", None), Some(0));
    }

    #[test]
    fn lanes_side_by_side_are_in_steps_of_their_own() {
        let mut standing = Standing::default();
        standing.enter("0", step(0, "outer", 0));
        standing.enter("0.1.0", step(1, "inner", 1));
        assert_eq!(standing.find("0.1.1", "1", None), Some(0));
        assert_eq!(standing.find("0.1.0", "1", None), Some(1));
        assert_eq!(standing.find("0.1.0", "2", None), None);
    }
}
