//! The name of an agent in, a table out: how its driver takes everything that can go wrong with a program.
//!
//! A stand-in speaks like the agent and misbehaves on purpose; the driver that hears it is the real one. Nothing is spent.

mod scenario;
mod scenarios;
mod script;
mod stage;
mod voice;
pub(super) mod voices;

pub use stage::{Finding, Report};
pub(super) use voice::Voice;

use super::{DRIVERS, Options};
use scenarios::SCENARIOS;
use stage::Stage;
use std::path::Path;

/// Returns the names of all scenarios, in their order.
pub fn scenarios() -> impl ExactSizeIterator<Item = &'static str> {
    SCENARIOS.iter().map(|scenario| scenario.name)
}

/// Says whether there is a stand-in for an agent.
pub fn knows(agent: &str) -> bool {
    voice(agent).is_some()
}

/// Puts the driver of an agent through every scenario whose name contains `only`. Files go below `folder`, which is the
/// caller's to remove.
///
/// # Errors
/// Answers why the stand-in could not be put on its stage.
pub fn certify(agent: &str, only: &str, options: &Options, folder: &Path) -> Result<Report, String> {
    let names: Vec<&str> = DRIVERS
        .iter()
        .map(|kind| kind.name)
        .filter(|name| knows(name))
        .collect();
    let voice =
        voice(agent).ok_or_else(|| format!("there is no stand-in for `{agent}`; there are {}", names.join(", ")))?;
    let stage = Stage::new(agent, voice, options, folder);
    let chosen = SCENARIOS.iter().filter(|scenario| scenario.name.contains(only));
    let findings = chosen
        .map(|scenario| stage.play(scenario))
        .collect::<Result<Vec<Finding>, String>>()?;
    Ok(Report {
        agent: agent.to_owned(),
        findings,
    })
}

fn voice(agent: &str) -> Option<&'static dyn Voice> {
    DRIVERS.iter().find(|kind| kind.name == agent)?.voice
}
