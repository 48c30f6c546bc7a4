//! A graph and where to start in, the nodes a path leads to out.

use super::node::{Graph, NodeKind};
use petgraph::Direction;
use petgraph::graph::NodeIndex;

/// Some nodes of one graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSet {
    /// Whether each node of the graph is one of them, by position.
    members: Vec<bool>,
}

impl NodeSet {
    /// Says whether a node is one of them.
    pub fn contains(&self, node: NodeIndex) -> bool {
        self.members.get(node.index()).copied().unwrap_or(false)
    }

    /// Returns the nodes, in the order of the graph.
    pub fn iter(&self) -> impl Iterator<Item = NodeIndex> {
        let members = self.members.iter().enumerate().filter(|(_, member)| **member);
        members.map(|(at, _)| NodeIndex::new(at))
    }

    /// Adds a node; says whether it is new.
    fn insert(&mut self, node: NodeIndex) -> bool {
        let member = self.members.get_mut(node.index());
        member.is_some_and(|member| !std::mem::replace(member, true))
    }
}

impl Graph {
    /// Returns the nodes that can be reached from the start.
    pub fn reached(&self) -> NodeSet {
        self.spread(vec![self.start], Direction::Outgoing)
    }

    /// Returns the nodes from which the end, a halt or an exit can be reached.
    pub fn ending(&self) -> NodeSet {
        let ends = |node: &NodeIndex| matches!(self.nodes[*node].kind, NodeKind::End | NodeKind::Halt | NodeKind::Exit);
        self.spread(self.nodes.node_indices().filter(ends).collect(), Direction::Incoming)
    }

    /// Returns the nodes that can be reached from a node; the node itself only where a path leads back to it.
    pub fn after(&self, node: NodeIndex) -> NodeSet {
        let next = self.nodes.neighbors_directed(node, Direction::Outgoing);
        self.spread(next.collect(), Direction::Outgoing)
    }

    /// Returns some nodes and all that edges of one direction lead to from there.
    fn spread(&self, from: Vec<NodeIndex>, direction: Direction) -> NodeSet {
        let mut seen = NodeSet {
            members: vec![false; self.nodes.node_count()],
        };
        let mut waiting = from;
        waiting.retain(|node| seen.insert(*node));
        while let Some(node) = waiting.pop() {
            for next in self.nodes.neighbors_directed(node, direction) {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen
    }
}
