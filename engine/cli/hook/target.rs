//! Where the hook is put down, and where it is.

use super::place::Settings;
use super::{HookAgent, TargetArgs, settings};
use crate::cli::failure::Failure;
use crate::cli::session::{Session, tidy};
use crate::machine::escape;
use std::path::{Path, PathBuf};

/// How many times in a row Claude Code lets a hook keep it from stopping, where nobody says.
pub(super) const CLAUDE_CAP: u64 = 8;

/// A place for the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A file of settings.
    File {
        /// Whose settings they are.
        agent: HookAgent,
        /// The file.
        path: PathBuf,
    },
    /// The folder of a plugin.
    Plugin(PathBuf),
}

/// A file of settings that holds the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Installed {
    /// Whose settings they are.
    pub(super) agent: HookAgent,
    /// The file.
    pub(super) path: PathBuf,
    /// The commands in it that are the hook.
    pub(super) commands: Vec<String>,
}

impl HookAgent {
    /// Returns the name of the agent, as its driver has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            HookAgent::ClaudeCode => "claude-code",
            HookAgent::Codex => "codex",
        }
    }

    /// Returns the files of its settings in a project; the first is for everybody.
    pub(super) fn files(self) -> &'static [&'static str] {
        match self {
            HookAgent::ClaudeCode => &[".claude/settings.json", ".claude/settings.local.json"],
            HookAgent::Codex => &[".codex/hooks.json"],
        }
    }
}

/// Returns the place that is meant.
pub(super) fn meant(args: &TargetArgs, settings: &Settings, session: &Session<'_>) -> Result<Target, Failure> {
    let agent = args.agent;
    let unknown = |what: &str| {
        Err(Failure::usage(format!("{} has no {what}", agent.name())).with_hint("`--project` is for every agent"))
    };
    match (agent, &args.plugin, args.local) {
        (HookAgent::Codex, Some(_), _) => unknown("plugin of this kind"),
        (HookAgent::Codex, None, true) => unknown("settings of your own in a project"),
        (HookAgent::ClaudeCode, Some(folder), _) => Ok(Target::Plugin(tidy(&session.folder().join(folder)))),
        (_, None, local) => {
            let name = agent.files()[usize::from(local)];
            let path = settings.root.join(name);
            Ok(Target::File { agent, path })
        }
    }
}

/// Finds the hook in the settings of a project.
pub(super) fn installed(settings: &Settings, session: &Session<'_>) -> Vec<Installed> {
    let own = command(session).unwrap_or_default();
    let mut found = Vec::new();
    for agent in [HookAgent::ClaudeCode, HookAgent::Codex] {
        for file in agent.files() {
            let path = settings.root.join(file);
            let text = read(&path, session).ok().flatten().unwrap_or_default();
            let commands = settings::commands(&text, &own).unwrap_or_default();
            if !commands.is_empty() {
                found.push(Installed { agent, path, commands });
            }
        }
    }
    found
}

/// Returns the text of a file; none where there is none.
pub(super) fn read(path: &Path, session: &Session<'_>) -> Result<Option<String>, Failure> {
    let bytes = match session.host().read(path) {
        Ok(bytes) => bytes,
        Err(crate::host::ReadError::Missing) => return Ok(None),
        Err(error) => return Err(Failure::work(format!("`{}`: {error}", path.display()))),
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(Failure::work(format!("`{}` is not UTF-8 text", path.display()))
            .with_hint("nothing was changed; save the file as UTF-8")),
    }
}

/// Returns the command that an agent runs: this program by its full path.
pub(super) fn command(session: &Session<'_>) -> Result<String, Failure> {
    Ok(format!("{} hook stop", program(session)?))
}

/// Returns the full path of this program, quoted for a shell.
pub(super) fn program(session: &Session<'_>) -> Result<String, Failure> {
    let path = session.program();
    let unnamed = || {
        Failure::work("it cannot be told where this program is").with_hint("start it by its full path, or reinstall it")
    };
    let text = path.filter(|path| path.is_absolute()).and_then(Path::to_str);
    escape::shell(text.ok_or_else(unnamed)?)
        .map_err(|error| Failure::work(format!("the path of this program cannot be part of a command: {error}")))
}
