//! A graph as text that other tools draw: Mermaid and DOT.

use super::node::{Edge, Graph, GraphNode, NodeKind};
use petgraph::graph::NodeIndex;
use std::fmt::Write as _;

/// Writes a graph as a Mermaid flowchart.
pub fn mermaid(graph: &Graph) -> String {
    let mut text = String::from("flowchart TD\n");
    for node in graph.nodes.node_indices() {
        let (open, close) = mermaid_shape(graph.nodes[node].kind);
        let label = mermaid_text(&label(&graph.nodes[node]));
        writeln!(text, "  n{}{open}\"{label}\"{close}", node.index()).unwrap_or_default();
    }
    for (from, to, edge, says) in arrows(graph) {
        let arrow = match edge {
            Edge::Next => "-->".to_owned(),
            Edge::Then | Edge::Else | Edge::Goto | Edge::Call | Edge::Return => format!("-->|{says}|"),
            Edge::Choice(_) => format!("-->|\"{}\"|", mermaid_text(&says)),
            Edge::Again => format!("-.->|{says}|"),
        };
        writeln!(text, "  n{} {arrow} n{}", from.index(), to.index()).unwrap_or_default();
    }
    text
}

/// Returns every edge with what it says; choices that lead to one place are one edge that says them all.
fn arrows(graph: &Graph) -> Vec<(NodeIndex, NodeIndex, Edge, String)> {
    let mut arrows: Vec<(NodeIndex, NodeIndex, Edge, String)> = Vec::new();
    for (from, to, edge) in graph.edges() {
        let says = graph.says(from, edge);
        match arrows.last_mut() {
            Some((before, there, Edge::Choice(_), keys))
                if (*before, *there) == (from, to) && matches!(edge, Edge::Choice(_)) =>
            {
                keys.extend([" / ", says]);
            }
            Some(_) | None => arrows.push((from, to, edge, says.to_owned())),
        }
    }
    arrows
}

fn mermaid_shape(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Start | NodeKind::End => ("([", "])"),
        NodeKind::Step => ("[[", "]]"),
        NodeKind::Decide | NodeKind::Loop => ("{", "}"),
        NodeKind::Ask | NodeKind::Menu => ("{{", "}}"),
        NodeKind::Call | NodeKind::Dispatch | NodeKind::Run => ("[/", "/]"),
        NodeKind::Save => ("[(", ")]"),
        NodeKind::Halt | NodeKind::Exit => ("(((", ")))"),
        NodeKind::Turn
        | NodeKind::Show
        | NodeKind::Set
        | NodeKind::Parallel
        | NodeKind::Join
        | NodeKind::Anchor
        | NodeKind::Jump => ("[", "]"),
    }
}

fn mermaid_text(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '"' => safe.push_str("#quot;"),
            '<' => safe.push_str("#lt;"),
            '>' => safe.push_str("#gt;"),
            '#' => safe.push_str("#35;"),
            '`' => safe.push_str("#96;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Writes a graph in the DOT language.
pub fn dot(graph: &Graph) -> String {
    let mut text = String::from("digraph workflow {\n  node [fontname=\"sans-serif\"];\n");
    for node in graph.nodes.node_indices() {
        let weight = &graph.nodes[node];
        let shape = dot_shape(weight.kind);
        let label = dot_text(&label(weight));
        writeln!(text, "  n{} [shape={shape}, label=\"{label}\"];", node.index()).unwrap_or_default();
    }
    for (from, to, edge, says) in arrows(graph) {
        let style = if edge == Edge::Again { ", style=dashed" } else { "" };
        writeln!(
            text,
            "  n{} -> n{} [label=\"{}\"{style}];",
            from.index(),
            to.index(),
            dot_text(&says)
        )
        .unwrap_or_default();
    }
    text.push_str("}\n");
    text
}

fn dot_shape(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Start | NodeKind::End => "oval",
        NodeKind::Step => "box3d",
        NodeKind::Decide | NodeKind::Loop => "diamond",
        NodeKind::Ask | NodeKind::Menu => "hexagon",
        NodeKind::Call | NodeKind::Dispatch | NodeKind::Run => "parallelogram",
        NodeKind::Save => "cylinder",
        NodeKind::Halt | NodeKind::Exit => "doublecircle",
        NodeKind::Turn
        | NodeKind::Show
        | NodeKind::Set
        | NodeKind::Parallel
        | NodeKind::Join
        | NodeKind::Anchor
        | NodeKind::Jump => "box",
    }
}

fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns what a node says in a drawing.
pub fn label(node: &GraphNode) -> String {
    let verb = match node.kind {
        NodeKind::Start | NodeKind::End | NodeKind::Step | NodeKind::Jump | NodeKind::Join | NodeKind::Parallel => "",
        NodeKind::Turn => "do",
        NodeKind::Decide => "if",
        NodeKind::Ask => "ask",
        NodeKind::Menu => "menu",
        NodeKind::Show => "show",
        NodeKind::Save => "save",
        NodeKind::Set => "set",
        NodeKind::Call => "call",
        NodeKind::Dispatch => "dispatch",
        NodeKind::Run => "run",
        NodeKind::Loop => "loop",
        NodeKind::Anchor => "at",
        NodeKind::Halt => "halt",
        NodeKind::Exit => "exit",
    };
    match (verb, node.text.as_str()) {
        ("", text) => text.to_owned(),
        (verb, text) if text.is_empty() || text == verb => verb.to_owned(),
        (verb, text) => format!("{verb}: {text}"),
    }
}
