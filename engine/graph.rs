//! Workflows in, graphs out: what can follow what, and programs linked by their calls.

mod caption;
mod draw;
mod groups;
mod lower;
mod mode;
mod node;
mod outline;
mod program;
mod reach;
mod target;
mod wire;

pub use draw::{dot, label, mermaid};
pub(crate) use groups::groups;
pub use lower::{Lowered, lower, lower_unnamed};
pub(crate) use lower::{come_back, is_maybe, is_one_case, is_way_on};
pub(crate) use mode::mode_ends;
pub use node::{Edge, Graph, GraphNode, Jump, NodeKind};
pub use outline::outline;
pub use program::{CallSite, Program, link};
pub use reach::NodeSet;
pub(crate) use target::{Targets, Want, plain as plain_label};

pub use petgraph::graph::NodeIndex;
