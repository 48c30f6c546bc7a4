//! A command of the project in, what came of it out: only what somebody trusts runs.

use super::crew::Crew;
use crate::host::{CommandLine, Commands};
use crate::machine::{CommandEnd, Effect, Issued, Key, Outcome, Returned};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Says why a command may not run; nothing where it may.
pub type Refuse = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Who runs the commands of a project, and which of them may run.
#[derive(Clone)]
pub struct ProjectCommands {
    /// Who runs them.
    pub shell: Arc<dyn Commands>,
    /// Which of them may not run.
    pub refuse: Refuse,
}

impl fmt::Debug for ProjectCommands {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ProjectCommands").finish_non_exhaustive()
    }
}

/// Answers what comes of an effect that nobody allows; nothing for any other.
pub(super) fn refused(issued: &Issued, crew: &Crew) -> Option<Outcome> {
    let Effect::Run { command, .. } = &issued.effect else {
        return None;
    };
    let why = match &crew.commands {
        Some(commands) => (commands.refuse)(command)?,
        None => "nobody runs commands here".to_owned(),
    };
    Some(Outcome::Ran {
        end: CommandEnd::Unstarted(why),
        output: String::new(),
    })
}

/// Returns the key and the text of a command that was kept from running.
pub(super) fn unrun(returned: &Returned) -> Option<(Key, String)> {
    let Effect::Run { command, .. } = &returned.issued.effect else {
        return None;
    };
    is_unrun(&returned.outcome).then(|| (returned.issued.key.clone(), command.clone()))
}

/// Says whether an outcome is that of a command which was kept from running.
pub(super) fn is_unrun(outcome: &Outcome) -> bool {
    let Outcome::Ran { end, .. } = outcome else {
        return false;
    };
    matches!(end, CommandEnd::Unstarted(_))
}

/// Runs a command for so many seconds at most, or as many as whoever called the workflow has left.
pub(super) async fn ran(command: &str, seconds: u32, limit: Option<u32>, crew: &Crew) -> Option<Outcome> {
    let commands = crew.commands.as_ref()?;
    let seconds = limit.map_or(seconds, |limit| limit.min(seconds));
    let line = CommandLine {
        text: command.to_owned(),
        root: crew.root.clone(),
        variables: Vec::new(),
        limit: Duration::from_secs(u64::from(seconds)),
        token: crew.token.clone(),
        input: String::new(),
    };
    let ran = commands.shell.run(Arc::new(line)).await;
    let output = match (ran.out.is_empty(), ran.err.is_empty()) {
        (_, true) => ran.out,
        (true, false) => ran.err,
        (false, false) => format!("{}\n{}", ran.out.trim_end(), ran.err),
    };
    Some(Outcome::Ran { end: ran.end, output })
}
