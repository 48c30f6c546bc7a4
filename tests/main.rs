//! One test binary.

mod corpus;
mod memory;
mod packages;
mod spec;
