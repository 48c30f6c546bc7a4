//! How a machine is set up.

use super::key::Digests;
use crate::builtins::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a machine is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// Values for the inputs of the outermost workflow.
    pub inputs: Vec<(String, Value)>,
    /// The configuration, by name.
    pub config: BTreeMap<String, Value>,
    /// The configuration of each workflow that is part of a module, by the position of the workflow; any other sees that of
    /// whoever calls it.
    pub configs: BTreeMap<usize, Arc<BTreeMap<String, Value>>>,
    /// Whether nothing is confirmed: optional steps are done and checkpoints pass.
    pub yolo: bool,
    /// Whether the agent is asked for the names that a text leaves open before the person sees it.
    pub fills: bool,
    /// Whether what an agent says before a question is shown, whether conditions that follow each other are put to one
    /// turn, and whether a file is looked up where the step says it is. Runs that began without go on without: what was paid for them is found again.
    pub whole: bool,
    /// The most operations that a run does.
    pub fuel: u64,
    /// How deep calls may nest; the outermost workflow is 0.
    pub depth: u32,
    /// How many tokens an agent can take in.
    pub room: usize,
    /// How many lanes run at the same time where nothing else is said.
    pub lanes: usize,
    /// Whether the lanes of a list are known by their items and not by their places. Runs of before know them by these.
    pub by_item: bool,
    /// Whether lanes that part are noted.
    pub notes_lanes: bool,
    /// The hash that effects are known by.
    pub digests: Digests,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            config: BTreeMap::new(),
            configs: BTreeMap::new(),
            yolo: false,
            fills: true,
            whole: true,
            fuel: 10_000,
            depth: 3,
            room: 200_000,
            lanes: 3,
            by_item: false,
            notes_lanes: false,
            digests: Digests::default(),
        }
    }
}
