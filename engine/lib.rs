//! The engine for BMAD workflows: parse, lint, draw and execute them.
//!
//! ```text
//!              ┌─────────────── pure: no clock, files, processes, async ───────────────┐
//! Source ─▶ syntax::parse ─▶ model::workflow ─▶ graph::lower ─▶ Program ─▶ Machine ─▶ Effect
//!  text      tree + spans     names, kinds        petgraph       linked    advance      │
//!    ▲            └────────────────┴──── lint ◀─────┘                         ▲          ▼
//!  project::load                          │                                Outcome ◀─ runner
//!                                    Diagnostic ─▶ cli::report               │          │
//!                                                                         Journal  Driver · Human · Workspace
//! ```
//!
//! Rooms, in flow order; a room imports only rooms to its left:
//! source ◀ diagnostic ◀ syntax ◀ model ◀ graph ◀ builtins ◀ machine ◀ lint ◀ policy ◀ host ◀ project ◀ runner ◀ drivers ◀ os ◀ cli

pub mod builtins;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
#[cfg(feature = "run")]
pub mod drivers;
pub mod graph;
pub mod host;
pub mod lint;
pub mod machine;
pub mod model;
pub mod os;
pub mod policy;
pub mod project;
#[cfg(feature = "run")]
pub mod runner;
pub mod source;
pub mod syntax;
