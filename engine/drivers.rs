//! Turns in, replies out: every agent the engine can drive, in one list.
//!
//! A driver answers with an envelope or with a failure of a known kind. It never answers for a person.

mod argument;
mod card;
mod cassette;
mod chaos;
mod claude_code;
mod cli;
mod command;
mod ear;
mod heard;
mod manual;
mod offline;
mod options;
mod pids;
mod process;
mod relayed;
pub mod reply;
mod reset;
mod schema;
mod script;
pub mod secret;
mod shell;
mod trouble;

pub use card::{ABILITIES, Can, Card, Version};
pub use cassette::{Cassette, Record};
pub use chaos::{Chaos, Understudy};
pub use command::Command;
pub use manual::Manual;
pub use offline::Offline;
pub use options::{DriverError, Options, Paste, Show};
pub use pids::end_survivors;
pub use script::Script;
pub use shell::Shell;

use crate::diagnostic::nearest;
use crate::host::Driver;
use crate::machine::{Failure, FailureKind};

/// One kind of driver.
pub struct Kind {
    /// Its name: what stands before the first `:` of a spec.
    pub name: &'static str,
    /// How its spec is written.
    pub usage: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    make: Make,
}

type Make = fn(&str, &Options) -> Result<Box<dyn Driver>, DriverError>;

/// Every kind of driver, in the order people are told about them.
pub const DRIVERS: &[Kind] = &[
    Kind {
        name: "offline",
        usage: "offline",
        summary: "built in, no account: does what needs no model, checks documents, marks the rest as gaps",
        make: Offline::from_options,
    },
    Kind {
        name: "script",
        usage: "script:FILE, script:--ack, script:FILE --ack --judge=true",
        summary: "replies from a file, or acknowledges everything",
        make: Script::from_words,
    },
    Kind {
        name: "manual",
        usage: "manual",
        summary: "shows the prompt and takes the reply that a person brings, from any chat",
        make: Manual::from_options,
    },
    Kind {
        name: "claude-code",
        usage: "claude-code, claude-code:MODEL",
        summary: "Claude Code, by its command line",
        make: claude_code::ClaudeCode::driver,
    },
    Kind {
        name: "command",
        usage: "command:PROGRAM ARGUMENTS…",
        summary: "runs any program: the prompt on its input, the reply on its output",
        make: Command::from_line,
    },
    Kind {
        name: "record",
        usage: "record:FILE:AGENT",
        summary: "puts everything another agent replies on a tape",
        make: Record::from_pair,
    },
    Kind {
        name: "cassette",
        usage: "cassette:FILE",
        summary: "replays a tape exactly",
        make: Cassette::from_file,
    },
    Kind {
        name: "chaos",
        usage: "chaos:SEED",
        summary: "replies at random, the same for the same seed",
        make: Chaos::from_seed,
    },
];

/// Makes the driver that a spec such as `offline`, `script:replies.yaml` or `command:my-agent -p` names.
pub fn named(spec: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
    let (name, argument) = spec.split_once(':').unwrap_or((spec, ""));
    let name = name.trim();
    let Some(kind) = DRIVERS.iter().find(|kind| kind.name == name) else {
        return Err(DriverError::Unknown {
            name: name.to_owned(),
            near: nearest(name, DRIVERS.iter().map(|kind| kind.name)),
        });
    };
    (kind.make)(argument.trim(), options)
}

fn failed(kind: FailureKind, message: impl Into<String>) -> Failure {
    Failure {
        kind,
        message: message.into(),
    }
}
