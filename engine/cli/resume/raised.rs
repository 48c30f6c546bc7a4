//! The limits that a run had in, those that it goes on with out. An agent can write into `bmad.toml` like anybody else:
//! what was raised while the run was at work counts only once a person agrees. A price that was lowered raises a ceiling
//! of money, and is treated in the same way.

use super::Args;
use crate::cli::brief::with_state;
use crate::cli::failure::Failure;
use crate::cli::launch::{self, Project};
use crate::cli::session::Session;
use crate::host::{Noted, Raised};
use crate::model::SETTINGS;
use crate::os::journal::Ends;
use crate::os::snapshot::changed_at;
use std::io::Write as _;

/// Finds the limits and prices that a run goes on with, and tells which of them hold back less than they did.
pub(super) fn limits(args: &Args, ends: &Ends, project: &Project, session: &mut Session<'_>) -> Result<Noted, Failure> {
    let set = launch::set(&project.root, session)?;
    let mut lowered = set.clone();
    let raised = lowered.lower_to(&ends.begun.limits);
    if raised.is_empty() {
        return Ok(set.noted());
    }
    // Nobody of the run was at work any more when a file changed after the run had stopped.
    let stopped = ends.stopped.as_ref().map(|_| ends.at);
    let changed = changed_at(&project.root.join(SETTINGS));
    let is_after = stopped.zip(changed).is_some_and(|(stopped, changed)| changed > stopped);
    let counts = is_after || args.raise || !args.args.is_unattended();
    for Raised { key, was, is } in &raised {
        let holds = match counts {
            true => String::new(),
            false => format!("; {was} holds"),
        };
        writeln!(
            session.errors,
            "note: `{key}` in `{SETTINGS}` is {is}, and was {was} before{holds}"
        )?;
    }
    if counts {
        return Ok(set.noted());
    }
    let state = args.args.state_dir.as_deref();
    let resume = with_state(format!("bmad resume {} --raise", ends.begun.run), state);
    let why = match changed {
        Some(_) => "it was changed while the run was at work, by an agent or by you",
        // Nothing tells when a file went.
        None => "it is not there any more, and an agent may have removed it as well as you",
    };
    writeln!(session.errors, "  {why}; where you want it so: {resume}")?;
    Ok(lowered.noted())
}
