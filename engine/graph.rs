//! Workflows in, graphs out: what can follow what, and programs linked by their calls.

mod caption;
mod draw;
mod lower;
mod mode;
mod node;
mod outline;
mod program;
mod wire;

pub use draw::{dot, edge_text, label, mermaid};
pub use lower::{Lowered, lower};
pub use node::{Edge, Graph, GraphNode, Jump, NodeKind};
pub use outline::outline;
pub use program::{CallSite, Program, link};

pub use petgraph::graph::NodeIndex;
