//! Arguments and three streams in, an exit code out: the program as a value.
//!
//! Commands write to the session they are given and touch nothing else of the process.

mod answer;
mod args;
mod brief;
mod completions;
mod doctor;
mod drivers;
mod exec;
mod explain;
mod failure;
mod fmt;
mod graph;
mod hook;
mod launch;
mod lint;
mod log;
mod new;
mod outlet;
mod pick;
mod plan;
mod record;
mod rehearse;
pub mod report;
mod resume;
mod review;
mod rollback;
mod runs;
mod schema;
mod session;
mod show;
mod svg;
mod trust;
mod verify;

pub use args::grammar;
pub use session::{Environment, Streams};

use failure::Failure;
use session::Session;
use std::ffi::OsString;
use std::io::{self, Write};

/// How a run of the program ended, as the process tells its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done, and nothing to complain about.
    Clean = 0,
    /// There are findings, or the work failed.
    Findings = 1,
    /// The command line or the configuration makes no sense.
    Usage = 2,
    /// A run waits for a person.
    Waiting = 3,
    /// The journal of a run is damaged.
    Damaged = 4,
    /// A limit stopped a run.
    Limit = 5,
    /// Somebody interrupted a run.
    Interrupted = 130,
}

/// Runs the program and returns its exit code. `args` starts with the name it was called by.
pub fn run(args: Vec<OsString>, streams: Streams<'_>) -> u8 {
    let mut session = Session::new(&args, streams);
    let outcome = perform(args, &mut session);
    let flushed = session.output.flush().and_then(|()| session.errors.flush());
    let outcome = outcome.and_then(|exit| flushed.map(|()| exit).map_err(Failure::from));
    let exit = match outcome {
        Ok(exit) => exit,
        Err(failure) => complain(&failure, &mut session),
    };
    exit as u8
}

fn perform(args: Vec<OsString>, session: &mut Session<'_>) -> Result<Exit, Failure> {
    match args::read(args, session.look.width) {
        Ok(arguments) => arguments.command.run(session),
        Err(answer) => Ok(answer_with(&answer, session)?),
    }
}

/// Prints what clap answers instead of arguments: help, a version, or what is wrong with the command line.
fn answer_with(answer: &clap::Error, session: &mut Session<'_>) -> io::Result<Exit> {
    let text = answer.render();
    let exit = if answer.use_stderr() { Exit::Usage } else { Exit::Clean };
    let to: &mut dyn Write = match exit {
        Exit::Clean => &mut session.output,
        Exit::Findings | Exit::Usage | Exit::Waiting | Exit::Damaged | Exit::Limit | Exit::Interrupted => {
            &mut session.errors
        }
    };
    if session.look.color {
        write!(to, "{}", text.ansi())?;
    } else {
        write!(to, "{text}")?;
    }
    Ok(exit)
}

fn complain(failure: &Failure, session: &mut Session<'_>) -> Exit {
    // When even the error stream is gone, the exit code is all that is left to say.
    match write!(
        session.errors,
        "{}",
        session.secrets.masked_loosely(&failure.to_string())
    )
    .and_then(|()| session.errors.flush())
    {
        Ok(()) | Err(_) => failure.exit,
    }
}
