//! Effects in, outcomes out: the loop between a machine and the world, and the journal between them.

mod files;
mod history;
mod perform;
mod projection;
mod run;

pub use history::{History, Past, Reuse};
pub use run::{Crew, Event, RunError, Stopped, Watch, run};
