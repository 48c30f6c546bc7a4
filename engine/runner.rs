//! Effects in, outcomes out: the loop between a machine and the world, the journal between them, and the texts that agents
//! get.

mod files;
mod history;
mod hooks;
mod perform;
mod projection;
mod prompt;
mod run;
mod turns;
mod unfinished;

pub use history::{History, Past, Reuse};
pub use hooks::{Hooks, RunHook};
pub use projection::OUTPUT;
pub use prompt::{PROMPTS, PromptError, Prompts, prompt};
pub use run::{Crew, Event, Keep, MakePrompt, RunError, Stopped, Watch, WithSnapshot, replay, run};
