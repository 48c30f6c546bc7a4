//! A graph in, the same graph with its steps, their parts and its calls only out: for drawings of large workflows.

use super::node::{Edge, Graph, NodeKind};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet, VecDeque};

/// Keeps where a workflow begins and ends, its steps, their parts and what it calls; whatever lies between becomes one edge.
pub fn outline(graph: &Graph) -> Graph {
    let mut nodes = DiGraph::new();
    let mut kept: HashMap<NodeIndex, NodeIndex> = HashMap::new();
    for node in graph.nodes.node_indices().filter(|node| is_kept(graph, *node)) {
        kept.insert(node, nodes.add_node(graph.nodes[node].clone()));
    }
    let mut outgoing: HashMap<NodeIndex, Vec<(NodeIndex, Edge)>> = HashMap::new();
    for (from, to, edge) in graph.edges() {
        outgoing.entry(from).or_default().push((to, edge));
    }
    for node in graph.nodes.node_indices() {
        let Some(from) = kept.get(&node) else {
            continue;
        };
        let next = next_kept(graph, &outgoing, node);
        // Where there is one way on, nothing is decided.
        let only = next.len() == 1;
        for (to, edge) in next {
            if let Some(to) = kept.get(&to) {
                nodes.add_edge(*from, *to, if only && edge != Edge::Goto { Edge::Next } else { edge });
            }
        }
    }
    let renamed = |node: &NodeIndex| kept.get(node).copied().unwrap_or_default();
    Graph {
        nodes,
        start: renamed(&graph.start),
        end: renamed(&graph.end),
        steps: graph.steps.iter().map(renamed).collect(),
        keys: HashMap::new(),
        dead: Vec::new(),
        astray: Vec::new(),
        mode_ends: graph.mode_ends.clone(),
    }
}

fn is_kept(graph: &Graph, node: NodeIndex) -> bool {
    match graph.nodes[node].kind {
        NodeKind::Start
        | NodeKind::End
        | NodeKind::Step
        | NodeKind::Anchor
        | NodeKind::Call
        | NodeKind::Dispatch
        | NodeKind::Run => true,
        NodeKind::Turn
        | NodeKind::Decide
        | NodeKind::Ask
        | NodeKind::Menu
        | NodeKind::Show
        | NodeKind::Save
        | NodeKind::Set
        | NodeKind::Loop
        | NodeKind::Parallel
        | NodeKind::Join
        | NodeKind::Halt
        | NodeKind::Jump
        | NodeKind::Exit => false,
    }
}

/// Finds the kept nodes that can follow a node with no kept one between; an exit counts as the end.
fn next_kept(
    graph: &Graph,
    outgoing: &HashMap<NodeIndex, Vec<(NodeIndex, Edge)>>,
    from: NodeIndex,
) -> Vec<(NodeIndex, Edge)> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([(from, Edge::Next)]);
    while let Some((node, so_far)) = waiting.pop_front() {
        if graph.nodes[node].kind == NodeKind::Exit && seen.insert(graph.end) {
            found.push((graph.end, Edge::Return));
        }
        for (next, edge) in outgoing.get(&node).into_iter().flatten() {
            // The last thing that was decided on the way says more than the order of the text.
            let why = if *edge == Edge::Next { so_far } else { *edge };
            if !seen.insert(*next) {
                continue;
            }
            if is_kept(graph, *next) {
                found.push((*next, why));
            } else {
                waiting.push_back((*next, why));
            }
        }
    }
    found
}
