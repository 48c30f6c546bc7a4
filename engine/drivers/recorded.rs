//! A recorded run of an agent in, what its driver makes of it out: the same ears as for a live one.

use super::cli::{Order, listen, settle};
use super::ear::{Ear, Lines};
use super::heard::Heard;
use super::process::{Ended, Killed};
use super::{DRIVERS, Make, Options};
use crate::host::{Call, Turn};
use crate::machine::Failure;

/// A run of an agent that is over.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    /// What it wrote to its standard output.
    pub out: Vec<u8>,
    /// What it wrote to its standard error.
    pub err: Vec<u8>,
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// Whether it was ended because its time was over.
    pub is_late: bool,
    /// The turn it took.
    pub turn: Turn,
}

/// What a driver makes of a run.
#[derive(Debug, Clone)]
pub struct Told {
    /// How the agent ended, whether or not its reply is an envelope.
    pub ended: Result<(), Failure>,
    /// The call, as the engine sees it.
    pub call: Call,
}

/// Lets the driver of this name hear a recorded run; none where there is no such agent with a command line.
pub fn hear(name: &str, recorded: &Recorded, options: &Options) -> Option<Told> {
    let kind = DRIVERS.iter().find(|kind| kind.name == name)?;
    let Make::Cli(agent) = kind.make else { return None };
    let settings = options.settings(name);
    let order = Order {
        turn: &recorded.turn,
        settings: &settings,
        model: None,
        schema: None,
        scratch: &options.scratch,
        files: &*options.workspace,
        environment: &options.environment,
    };
    let mut heard = Heard::default();
    let mut ear = Lines::new(|line: &[u8]| listen(agent, line, &mut heard));
    ear.hear(&recorded.out);
    ear.end();
    let ended = Ended {
        err: recorded.err.clone(),
        code: recorded.code,
        killed: recorded.is_late.then_some(Killed::Late),
    };
    agent.after(&order, &ended, &mut heard);
    let counted = settle(agent.card(), &recorded.turn, &mut heard);
    let now = options.clock.as_ref().map_or(0, |clock| clock.now());
    let title = agent.card().title;
    Some(Told {
        ended: heard.class(title, &ended),
        call: heard.call(title, &ended, counted, now),
    })
}
