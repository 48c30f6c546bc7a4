//! Turns in, replies out: every agent the engine can drive, in one list.
//!
//! A driver answers with an envelope or with a failure of a known kind. It never answers for a person.

mod acp;
mod argument;
mod card;
mod cassette;
mod chaos;
mod claude_code;
mod cli;
mod codex;
mod command;
mod copilot;
mod cursor;
mod described;
mod ear;
mod gemini;
mod heard;
pub mod lab;
mod listed;
mod manual;
mod mouth;
mod offline;
mod opencode;
mod options;
mod pids;
mod probe;
mod process;
mod recorded;
mod relayed;
pub mod reply;
mod reset;
mod schema;
mod script;
mod shell;
mod starter;
mod trouble;

pub use card::{ABILITIES, Can, Card, Version};
pub use cassette::{Cassette, Record};
pub use chaos::{Chaos, Understudy};
pub use command::Command;
pub use listed::{HookTrust, ListedHook, Unanswered, codex_hooks};
pub use manual::Manual;
pub use offline::Offline;
pub use options::{DriverError, Options, Paste, Show};
pub use pids::{end_survivors, is_open_elsewhere, is_over};
pub use probe::{Login, Probe, Unusable, probe};
pub use recorded::{Recorded, Told, hear};
pub use script::Script;
pub use shell::Shell;

use crate::diagnostic::nearest;
use crate::host::{Driver, Spec};
use crate::machine::{Failure, FailureKind};
use cli::{Agent, Cli};
use lab::{Voice, voices};

/// One kind of driver.
pub struct Kind {
    /// Its name: what stands before the first `:` of a spec.
    pub name: &'static str,
    /// How its spec is written.
    pub usage: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What is known of its program, where it has one of its own.
    pub card: Option<&'static Card>,
    /// How a stand-in for it speaks in the lab, where there is one.
    voice: Option<&'static dyn Voice>,
    make: Make,
}

/// How a driver is made.
#[derive(Clone, Copy)]
enum Make {
    /// From what stands after its name.
    Own(Build),
    /// As an agent with a command line; what stands after its name is the model.
    Cli(&'static dyn Agent),
}

type Build = fn(&str, &Options) -> Result<Box<dyn Driver>, DriverError>;

impl Kind {
    const fn cli(
        agent: &'static dyn Agent,
        card: &'static Card,
        voice: &'static dyn Voice,
        usage: &'static str,
        summary: &'static str,
    ) -> Self {
        Self {
            name: card.name,
            usage,
            summary,
            card: Some(card),
            voice: Some(voice),
            make: Make::Cli(agent),
        }
    }
}

/// Every kind of driver, in the order people are told about them.
pub const DRIVERS: &[Kind] = &[
    Kind {
        name: "offline",
        usage: "offline",
        summary: "built in, no account: does what needs no model, checks documents, marks the rest as gaps",
        card: None,
        voice: None,
        make: Make::Own(Offline::from_options),
    },
    Kind {
        name: "script",
        usage: "script:FILE, script:--ack, script:FILE --ack --judge=true",
        summary: "replies from a file, or acknowledges everything",
        card: None,
        voice: None,
        make: Make::Own(Script::from_words),
    },
    Kind {
        name: "manual",
        usage: "manual",
        summary: "shows the prompt and takes the reply that a person brings, from any chat",
        card: None,
        voice: None,
        make: Make::Own(Manual::from_options),
    },
    Kind::cli(
        &claude_code::ClaudeCode,
        &claude_code::CARD,
        &voices::ClaudeCode,
        "claude-code, claude-code:MODEL",
        "Claude Code, by its command line",
    ),
    Kind::cli(
        &codex::Codex,
        &codex::CARD,
        &voices::Codex,
        "codex, codex:MODEL",
        "Codex, by its command line",
    ),
    Kind::cli(
        &opencode::OpenCode,
        &opencode::CARD,
        &voices::OpenCode,
        "opencode, opencode:PROVIDER/MODEL",
        "OpenCode, by its command line",
    ),
    Kind::cli(
        &gemini::Gemini,
        &gemini::CARD,
        &voices::Gemini,
        "gemini, gemini:MODEL",
        "Gemini CLI, by its command line",
    ),
    Kind::cli(
        &copilot::Copilot,
        &copilot::CARD,
        &voices::Copilot,
        "copilot, copilot:MODEL",
        "Copilot CLI, by its command line",
    ),
    Kind::cli(
        &cursor::Cursor,
        &cursor::CARD,
        &voices::Cursor,
        "cursor, cursor:MODEL",
        "Cursor CLI, by its command line; untested",
    ),
    Kind {
        name: "acp",
        usage: "acp:PROGRAM ARGUMENTS…, acp:NAME",
        summary: "any agent that speaks the Agent Client Protocol",
        card: Some(&acp::CARD),
        voice: Some(&voices::Acp),
        make: Make::Own(acp::Acp::driver),
    },
    Kind {
        name: "command",
        usage: "command:PROGRAM ARGUMENTS…",
        summary: "runs any program: the prompt on its input, the reply on its output",
        card: None,
        voice: Some(&voices::Command),
        make: Make::Own(Command::from_line),
    },
    Kind {
        name: "record",
        usage: "record:FILE:AGENT",
        summary: "puts everything another agent replies on a tape",
        card: None,
        voice: None,
        make: Make::Own(Record::from_pair),
    },
    Kind {
        name: "cassette",
        usage: "cassette:FILE",
        summary: "replays a tape exactly",
        card: None,
        voice: None,
        make: Make::Own(Cassette::from_file),
    },
    Kind {
        name: "chaos",
        usage: "chaos:SEED",
        summary: "replies at random, the same for the same seed",
        card: None,
        voice: None,
        make: Make::Own(Chaos::from_seed),
    },
];

/// Makes the driver that a spec such as `offline`, `script:replies.yaml` or `command:my-agent -p` names.
pub fn named(spec: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
    let Spec { name, argument } = Spec::parse(spec);
    match kind(name)?.make {
        Make::Own(make) => make(argument, options),
        Make::Cli(agent) => Ok(Box::new(Cli::new(agent, argument, options))),
    }
}

/// Returns the kind of driver of a name.
fn kind(name: &str) -> Result<&'static Kind, DriverError> {
    let near = || nearest(name, names()).or_else(|| names().find(|own| !name.is_empty() && own.starts_with(name)));
    DRIVERS
        .iter()
        .find(|kind| kind.name == name)
        .ok_or_else(|| DriverError::Unknown {
            name: name.to_owned(),
            near: near(),
        })
}

fn names() -> impl Iterator<Item = &'static str> {
    DRIVERS.iter().map(|kind| kind.name)
}

/// Returns what is known of an agent by name, where it is one with a command line.
pub fn card(name: &str) -> Option<&'static Card> {
    DRIVERS.iter().find(|kind| kind.name == name)?.card
}

/// Returns the program that the agent of a spec is, where it is one; of one that is recorded, the one that does the work.
pub fn program(spec: &str, options: &Options) -> Option<String> {
    let spec = Spec::parse(spec).innermost();
    match spec.name {
        "command" | "acp" => {
            let own = spec.table().and_then(|table| options.settings(&table).program);
            own.or_else(|| argument::words(spec.argument)?.into_iter().next())
        }
        name => {
            let card = card(name)?;
            options.settings(name).program.or_else(|| Some(card.program.to_owned()))
        }
    }
}

fn failed(kind: FailureKind, message: impl Into<String>) -> Failure {
    Failure {
        kind,
        message: message.into(),
    }
}
