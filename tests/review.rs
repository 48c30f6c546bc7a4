//! The review loop as it runs: scenes with scripted agents, each with the trace of everything that was done.

mod chaos;
mod command;
mod dismissed;
mod golden;
mod hostile;
mod kept;
mod levels;
mod own;
