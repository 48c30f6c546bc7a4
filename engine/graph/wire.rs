//! A graph under construction: nodes, loose ends, and jumps that wait for their targets.

use super::node::{Edge, Graph, GraphNode, Jump, NodeKind};
use super::target::{Targets, Want};
use crate::source::Span;
use petgraph::graph::{DiGraph, NodeIndex};
use smallvec::{SmallVec, smallvec};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

/// Ends that the next node is tied to; nearly always there are few.
pub(super) type Ends = SmallVec<[(NodeIndex, Edge); 4]>;

/// Makes the only end of what stands before the next node.
pub(super) fn one(node: NodeIndex, edge: Edge) -> Ends {
    smallvec![(node, edge)]
}

/// Whether nodes are told what a drawing calls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Captions {
    /// They are.
    Written,
    /// They are not: nobody draws the graph.
    Left,
}

/// A graph under construction.
pub(super) struct Wire {
    captions: Captions,
    nodes: DiGraph<GraphNode, Edge>,
    pub(super) start: NodeIndex,
    pub(super) end: NodeIndex,
    pub(super) step: Option<usize>,
    pub(super) steps: Vec<NodeIndex>,
    keys: HashMap<NodeIndex, Vec<String>>,
    targets: Targets<NodeIndex>,
    jumps: Vec<(NodeIndex, Want, Edge, Span)>,
    /// The nodes of each lane.
    lanes: Vec<Range<usize>>,
}

impl Wire {
    /// Begins a graph that will probably have so many nodes.
    pub(super) fn new(span: Span, captions: Captions, expected: usize) -> Self {
        let mut nodes = DiGraph::with_capacity(expected, expected);
        let mut ends = |kind, text: &str| {
            nodes.add_node(GraphNode {
                kind,
                span,
                text: text.to_owned(),
                step: None,
            })
        };
        let start = ends(NodeKind::Start, "start");
        let end = ends(NodeKind::End, "end");
        Self {
            captions,
            nodes,
            start,
            end,
            step: None,
            steps: Vec::new(),
            keys: HashMap::new(),
            targets: Targets::default(),
            jumps: Vec::new(),
            lanes: Vec::new(),
        }
    }

    /// Makes room for some steps, and for the labels and the files that lead to them.
    pub(super) fn expect(&mut self, steps: usize) {
        self.steps.reserve(steps);
        self.targets.reserve(2 * steps);
    }

    /// Returns how many nodes there are: where a lane begins.
    pub(super) fn count(&self) -> usize {
        self.nodes.node_count()
    }

    /// Makes a lane of the nodes that were added since `start`.
    pub(super) fn lane(&mut self, start: usize) {
        self.lanes.push(start..self.count());
    }

    /// Returns the innermost lane of every node: where it begins. A lane lies in another one or beside it; few graphs have
    /// any, and nothing is told of the others.
    fn innermost(&self) -> Vec<Option<usize>> {
        if self.lanes.is_empty() {
            return Vec::new();
        }
        let mut lanes: Vec<&Range<usize>> = self.lanes.iter().filter(|lane| !lane.is_empty()).collect();
        lanes.sort_by_key(|lane| (lane.start, Reverse(lane.end)));
        let mut next = lanes.into_iter().peekable();
        let mut open: Vec<&Range<usize>> = Vec::new();
        let innermost = |node: usize| {
            while open.pop_if(|lane| lane.end <= node).is_some() {}
            while let Some(lane) = next.next_if(|lane| lane.start == node) {
                open.push(lane);
            }
            open.last().map(|lane| lane.start)
        };
        (0..self.count()).map(innermost).collect()
    }

    /// Adds a node and ties the loose ends to it; `caption` tells what a drawing calls it.
    pub(super) fn add(
        &mut self,
        kind: NodeKind,
        span: Span,
        caption: impl FnOnce() -> String,
        from: Ends,
    ) -> NodeIndex {
        let text = match self.captions {
            Captions::Written => caption(),
            Captions::Left => String::new(),
        };
        let node = self.nodes.add_node(GraphNode {
            kind,
            span,
            text,
            step: self.step,
        });
        self.tie(from, node);
        node
    }

    /// Notes the keys of a menu for who draws it.
    pub(super) fn keys(&mut self, menu: NodeIndex, keys: impl FnOnce() -> Vec<String>) {
        if self.captions == Captions::Written {
            self.keys.insert(menu, keys());
        }
    }

    /// Ties loose ends to a node.
    pub(super) fn tie(&mut self, from: Ends, to: NodeIndex) {
        for (node, edge) in &from {
            self.nodes.add_edge(*node, to, *edge);
        }
    }

    /// Makes a node a target of jumps; the first of a name wins.
    pub(super) fn target(&mut self, want: Want, node: NodeIndex) {
        self.targets.add(want, node);
    }

    /// Notes a jump; it is tied when all targets are known.
    pub(super) fn jump(&mut self, from: NodeIndex, want: Want, edge: Edge, span: Span) {
        self.jumps.push((from, want, edge, span));
    }

    /// Returns the kind of a node.
    pub(super) fn kind(&self, node: NodeIndex) -> NodeKind {
        self.nodes[node].kind
    }

    /// Lets a node cover more text.
    pub(super) fn widen(&mut self, node: NodeIndex, span: Span) {
        let node = &mut self.nodes[node];
        if node.span.source == span.source {
            node.span = node.span.to(span);
        }
    }

    /// Ties every jump; those that lead nowhere are kept apart and fall through.
    pub(super) fn finish(mut self, mode_ends: Vec<(usize, usize)>) -> Graph {
        let (mut dead, mut astray) = (Vec::new(), Vec::new());
        let lanes = self.innermost();
        for (from, want, edge, span) in std::mem::take(&mut self.jumps) {
            let found = self.targets.find(&want);
            let crosses = found.is_some_and(|to| lanes.get(from.index()) != lanes.get(to.index()));
            let (label, is_file) = match want {
                Want::Label(_, label) | Want::Part(label) | Want::Anchor(label) => (label, false),
                Want::File(_) => (String::new(), true),
            };
            if let Some(to) = found.filter(|_| !crosses || is_file) {
                self.nodes.add_edge(from, to, edge);
            }
            let jump = Jump {
                node: from,
                label,
                span,
            };
            if crosses {
                astray.push(jump);
            } else if found.is_none() && !is_file {
                dead.push(jump);
                self.fall_through(from);
            }
        }
        Graph {
            nodes: self.nodes,
            start: self.start,
            end: self.end,
            steps: self.steps,
            keys: self.keys,
            dead,
            astray,
            mode_ends,
        }
    }

    /// A dead jump asks which step, or goes on with the next one.
    fn fall_through(&mut self, from: NodeIndex) {
        if self.nodes.neighbors(from).next().is_some() {
            return;
        }
        let next = self.nodes[from]
            .step
            .and_then(|step| self.steps.get(step + 1).copied())
            .unwrap_or(self.end);
        self.nodes.add_edge(from, next, Edge::Next);
    }
}
