//! A graph under construction: nodes, loose ends, and jumps that wait for their targets.

use super::node::{Edge, Graph, GraphNode, Jump, NodeKind};
use crate::model::Origin;
use crate::source::{SourceId, Span};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;

/// Ends that the next node is tied to.
pub(super) type Ends = Vec<(NodeIndex, Edge)>;

/// Where a jump wants to go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Want {
    /// A step, by label; where tags and headings share one, the jump means its own kind.
    Label(Origin, String),
    /// A part of a step, by label.
    Part(String),
    /// An anchor, by name.
    Anchor(String),
    /// A step file of this workflow.
    File(SourceId),
}

/// A graph under construction.
pub(super) struct Wire {
    nodes: DiGraph<GraphNode, Edge>,
    pub(super) start: NodeIndex,
    pub(super) end: NodeIndex,
    pub(super) step: Option<usize>,
    pub(super) steps: Vec<NodeIndex>,
    targets: HashMap<Want, NodeIndex>,
    jumps: Vec<(NodeIndex, Want, Edge, Span)>,
}

impl Wire {
    pub(super) fn new(span: Span) -> Self {
        let mut nodes = DiGraph::new();
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
            nodes,
            start,
            end,
            step: None,
            steps: Vec::new(),
            targets: HashMap::new(),
            jumps: Vec::new(),
        }
    }

    /// Adds a node and ties the loose ends to it.
    pub(super) fn add(&mut self, kind: NodeKind, span: Span, text: String, from: Ends) -> NodeIndex {
        let node = self.nodes.add_node(GraphNode {
            kind,
            span,
            text,
            step: self.step,
        });
        self.tie(from, node);
        node
    }

    /// Ties loose ends to a node.
    pub(super) fn tie(&mut self, from: Ends, to: NodeIndex) {
        for (node, edge) in from {
            self.nodes.add_edge(node, to, edge);
        }
    }

    /// Makes a node a target of jumps; the first of a name wins.
    pub(super) fn target(&mut self, want: Want, node: NodeIndex) {
        self.targets.entry(fold(want)).or_insert(node);
    }

    /// Finds the node that a jump means: its own kind of step first, then any other, then what only bears that name.
    fn find(&self, want: &Want) -> Option<NodeIndex> {
        let exact = self.targets.get(&fold(want.clone())).copied();
        let name = match want {
            Want::Label(_, name) | Want::Part(name) | Want::Anchor(name) => name,
            Want::File(_) => return exact,
        };
        let labels = [Origin::Tag, Origin::Heading, Origin::File, Origin::Prose];
        let others = labels.into_iter().map(|origin| Want::Label(origin, name.clone()));
        exact.or_else(|| {
            others
                .chain([Want::Part(name.clone()), Want::Anchor(name.clone())])
                .find_map(|other| self.targets.get(&fold(other)).copied())
        })
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
        let mut dead = Vec::new();
        for (from, want, edge, span) in std::mem::take(&mut self.jumps) {
            if let Some(to) = self.find(&want) {
                self.nodes.add_edge(from, to, edge);
                continue;
            }
            let label = match want {
                Want::Label(_, label) | Want::Part(label) | Want::Anchor(label) => label,
                Want::File(_) => continue,
            };
            dead.push(Jump {
                node: from,
                label,
                span,
            });
            self.fall_through(from);
        }
        Graph {
            nodes: self.nodes,
            start: self.start,
            end: self.end,
            steps: self.steps,
            dead,
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

/// Makes one name of `Step 03`, `3` and `03`, and of `2A` and `2a`.
fn fold(want: Want) -> Want {
    match want {
        Want::Label(origin, label) => Want::Label(origin, plain(&label)),
        Want::Part(label) => Want::Part(plain(&label)),
        Want::Anchor(id) => Want::Anchor(plain(&id)),
        Want::File(_) => want,
    }
}

fn plain(label: &str) -> String {
    let lower = label.trim().to_lowercase();
    let bare = lower
        .strip_prefix("step")
        .map_or(lower.as_str(), |rest| rest.trim_start_matches([' ', '-']));
    let short = bare.trim_start_matches('0');
    if short.starts_with(|c: char| c.is_ascii_digit()) {
        short.to_owned()
    } else {
        bare.to_owned()
    }
}
