//! One test binary: the tree, the program, and what they do together.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests look at real files and stop at the first surprise"
)]

mod agents;
mod architecture;
mod bench;
mod checks;
mod cli;
mod corpus;
mod documents;
mod drivers;
mod fixes;
mod fuzz;
mod hostile;
#[cfg(target_os = "linux")]
mod kill;
mod machine;
mod memory;
mod packages;
mod rapidfuzz;
mod review;
mod spec;
#[cfg(target_os = "linux")]
mod terminal;
mod verdicts;
mod workflows;
