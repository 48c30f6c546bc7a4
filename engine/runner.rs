//! Effects in, outcomes out: the loop between a machine and the world, the journal between them, and the texts that agents
//! get.

mod crew;
mod files;
mod history;
mod own;
mod perform;
mod projection;
mod prompt;
mod readers;
mod run;
mod turns;
mod unfinished;

pub use crew::{Crew, Keep, Left, MakePrompt, PutBack, WithSnapshot};
pub use history::{History, Past, Reuse};
pub use projection::OUTPUT;
pub use prompt::{PROMPTS, PromptError, Prompts, prompt};
pub use run::{Event, RunError, Stopped, Watch, replay, run};
