//! The review loop as it runs: scenes with scripted agents, each with the trace of everything that was done.

mod golden;
mod levels;
mod own;
