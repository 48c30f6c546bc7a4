//! The engine for BMAD workflows: parse, lint, draw and execute them.
//!
//! ```text
//! Source ─▶ syntax::parse ─▶ model::workflow ─▶ graph::lower ─▶ Program
//!  text      tree + spans     names, kinds        petgraph        linked
//!    ▲            └────────────────┴──── lint ◀─────┘
//!  project::load                          │
//!                                    Diagnostic ─▶ cli::report
//! ```
//!
//! Rooms, in flow order; a room imports only rooms to its left:
//! source ◀ diagnostic ◀ syntax ◀ model ◀ graph ◀ builtins ◀ lint ◀ host ◀ project ◀ os ◀ cli

pub mod builtins;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod graph;
pub mod host;
pub mod lint;
pub mod model;
pub mod os;
pub mod project;
pub mod source;
pub mod syntax;
