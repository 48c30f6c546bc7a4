//! Effects in, outcomes out: the loop between a machine and the world, the journal between them, and the texts that agents
//! get.

mod ahead;
mod back;
mod begun;
mod ceilings;
mod chance;
mod circuit;
mod commands;
mod crew;
mod depart;
mod files;
mod filled;
mod history;
mod hooks;
mod intent;
mod interrupt;
mod ledger;
mod line;
mod own;
mod past;
mod perform;
mod projection;
mod prompt;
mod readers;
mod relative;
mod relay;
mod replay;
mod replayed;
mod reuse;
mod route;
mod run;
mod tries;
mod turns;
mod unfinished;
mod used;
mod writers;
mod written;

pub use ahead::is_still_true;
pub use commands::{ProjectCommands, Refuse};
pub use crew::{
    Back, Crew, EndSurvivors, Event, Keep, Left, MakePrompt, Others, PutBack, RunError, Since, Stood, Stopped, Watch,
    WithSnapshot,
};
pub use history::History;
pub use hooks::{Hooks, IsTrusted, RunHook, TrustBy};
pub use ledger::Ledger;
pub use line::{line, line_of};
pub use past::{Halt, Past, Place, ReadWrites, Wrote};
pub use projection::{OUTPUT, unmarked};
pub use prompt::{PROMPTS, PromptError, Prompts, prompt};
pub use relay::{Member, Patience, Relay};
pub use replay::{Replay, replay};
pub use reuse::{Missed, Reuse};
pub use run::run;
pub use used::Used;
