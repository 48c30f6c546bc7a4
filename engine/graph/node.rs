//! Nodes and edges.

use crate::source::Span;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::HashMap;

/// Why one node follows another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// Document order, or the next step file.
    Next,
    /// A condition holds.
    Then,
    /// A condition does not hold.
    Else,
    /// An answer was chosen: an option of a menu, by its place among them, or one that is asked for elsewhere.
    Choice(u16),
    /// Another pass, or a menu shown again.
    Again,
    /// A jump.
    Goto,
    /// Into another workflow.
    Call,
    /// Back from one, or out of this one.
    Return,
}

impl Edge {
    /// Returns the name a person reads.
    pub fn name(self) -> &'static str {
        match self {
            Edge::Next => "next",
            Edge::Then => "then",
            Edge::Else => "else",
            Edge::Choice(_) => "choice",
            Edge::Again => "again",
            Edge::Goto => "goto",
            Edge::Call => "call",
            Edge::Return => "return",
        }
    }
}

/// What happens at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// The workflow begins.
    Start,
    /// The workflow ends.
    End,
    /// A step begins.
    Step,
    /// A straight run of prose for an agent.
    Turn,
    /// A condition is decided.
    Decide,
    /// The person is asked.
    Ask,
    /// A menu is shown.
    Menu,
    /// Text is shown or written.
    Show,
    /// A section is produced, saved and checked.
    Save,
    /// A name gets a value.
    Set,
    /// Another workflow, task, skill or built-in runs.
    Call,
    /// A turn is handed to agents.
    Dispatch,
    /// A command of the project runs.
    Run,
    /// A loop decides about another pass.
    Loop,
    /// Lanes part.
    Parallel,
    /// Lanes meet.
    Join,
    /// A place a goto names.
    Anchor,
    /// The run stops.
    Halt,
    /// A jump.
    Jump,
    /// The workflow is left.
    Exit,
}

/// One node.
#[derive(Debug, Clone)]
pub struct GraphNode {
    /// What happens.
    pub kind: NodeKind,
    /// Where it is written.
    pub span: Span,
    /// What to call it in a drawing.
    pub text: String,
    /// The step it is in, by position.
    pub step: Option<usize>,
}

/// A jump that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jump {
    /// The node it is in.
    pub node: NodeIndex,
    /// The label or anchor it names; nothing where it goes on with a step file.
    pub label: String,
    /// Where it is written.
    pub span: Span,
}

/// The graph of one workflow.
#[derive(Debug)]
pub struct Graph {
    /// Nodes and edges.
    pub nodes: DiGraph<GraphNode, Edge>,
    /// Where it begins.
    pub start: NodeIndex,
    /// Where it ends.
    pub end: NodeIndex,
    /// The first node of each step, in document order.
    pub steps: Vec<NodeIndex>,
    /// Jumps that lead nowhere; running one asks the person.
    pub dead: Vec<Jump>,
    /// Jumps that would leave or enter a lane; the run stops at them.
    pub astray: Vec<Jump>,
    /// The keys of each menu's options, in their order; none where nobody draws the graph.
    pub keys: HashMap<NodeIndex, Vec<String>>,
    /// Steps after which a mode ends instead of falling through: (the step, the first step of the next mode).
    pub mode_ends: Vec<(usize, usize)>,
}

impl Graph {
    /// Returns every edge as (from, to, why), in a stable order.
    pub fn edges(&self) -> Vec<(NodeIndex, NodeIndex, Edge)> {
        let mut edges: Vec<_> = self
            .nodes
            .edge_references()
            .map(|edge| (edge.source(), edge.target(), *edge.weight()))
            .collect();
        edges.sort();
        edges.dedup();
        edges
    }

    /// Returns what an edge says in a drawing: a choice its key, or that the condition holds which asks for it; document order
    /// says nothing.
    pub fn says(&self, from: NodeIndex, edge: Edge) -> &str {
        match edge {
            Edge::Next => "",
            Edge::Choice(at) => {
                let keys = self.keys.get(&from);
                let key = keys.and_then(|keys| keys.get(usize::from(at)));
                key.map_or(Edge::Then.name(), String::as_str)
            }
            Edge::Then | Edge::Else | Edge::Again | Edge::Goto | Edge::Call | Edge::Return => edge.name(),
        }
    }
}
