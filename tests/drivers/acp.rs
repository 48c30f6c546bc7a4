//! Agents that speak the Agent Client Protocol: a stand-in that plays recordings, over real pipes.
#![cfg(unix)]

mod faults;
mod recordings;
mod stand;
mod turns;

use super::{Yard, task, wait};
use bmad::drivers::{Options, named};
use bmad::host::{AgentSettings, Call, Permission, Turn};
use bmad::machine::{Access, Task};
use std::sync::Arc;

/// A turn with the stand-in.
struct Scene {
    yard: Yard,
    settings: AgentSettings,
    turn: Turn,
}

impl Scene {
    /// Prepares a turn in which the stand-in plays a script.
    fn new(script: &str) -> Self {
        let yard = Yard::new(&[("script.txt", script)]);
        let turn = Turn {
            task: Task {
                access: Access::Write,
                timeout: Some(60),
                ..task(&[])
            },
            ..yard.turn(task(&[]))
        };
        let own = std::env::current_exe().unwrap();
        let set = [
            ("STAND_SCRIPT", yard.root().join("script.txt")),
            ("STAND_HEARD", yard.root().join("heard.txt")),
        ];
        let settings = AgentSettings {
            program: Some(own.to_str().unwrap().to_owned()),
            arguments: stand::arguments(),
            set: set
                .map(|(name, path)| (name.to_owned(), path.to_str().unwrap().to_owned()))
                .into(),
            permission: Permission::All,
            ..AgentSettings::default()
        };
        Self { yard, settings, turn }
    }

    /// Makes it a turn that may change nothing.
    fn reading(mut self) -> Self {
        self.turn.task.access = Access::Read;
        self
    }

    /// Sets a variable of the stand-in.
    fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.set.push((name.to_owned(), value.to_owned()));
        self
    }

    fn take(&self) -> Call {
        let options = Options {
            agents: vec![("stand-in".to_owned(), self.settings.clone())],
            ..self.yard.options()
        };
        let driver = named("acp:stand-in", &options).unwrap();
        wait(driver.perform(Arc::new(self.turn.clone())))
    }

    /// Returns what the stand-in heard, one line each.
    fn heard(&self) -> String {
        self.yard.text("heard.txt")
    }
}

/// Says in one line what came of a call.
fn told(call: &Call) -> String {
    match &call.result {
        Ok(reply) => format!("done: {}", reply.envelope.text),
        Err(failure) => format!("{}: {}", failure.kind.name(), failure.message),
    }
}
