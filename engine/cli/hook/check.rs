//! The hook, looked at: where it is, whether it answers, whether its agent runs it. No model is asked.

use super::place::{self, Settings};
use super::target::{self, Installed};
use super::{CheckArgs, HookAgent, PLUGIN, plugin, proof, settings};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::launch;
use crate::cli::session::{Session, tidy};
use crate::drivers::{self, HookTrust};
use crate::policy::stop::{LoopState, tally};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Whether an agent runs the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fires {
    /// Nothing keeps it from that.
    Yes,
    /// It does not, and why.
    No(String),
    /// It cannot be told from here, and why.
    Unknown(String),
}

/// How a hook comes to be run by Codex.
const TRUST: &str = "start `codex` in this folder, trust the folder, then the hook; `/hooks` lists it there";

impl Fires {
    /// Tells it, and what the person can do.
    pub(super) fn tell(&self, agent: HookAgent, session: &mut Session<'_>) -> Result<(), Failure> {
        let words = match self {
            Fires::Yes => "yes".to_owned(),
            Fires::No(why) => format!("no: {why}"),
            Fires::Unknown(why) => format!("not known: {why}"),
        };
        writeln!(session.output, "  fires     {words}")?;
        match (self, agent) {
            (Fires::Yes, _) | (_, HookAgent::ClaudeCode) => {}
            (Fires::No(_) | Fires::Unknown(_), HookAgent::Codex) => writeln!(session.output, "  first     {TRUST}")?,
        }
        Ok(())
    }
}

pub(super) fn run(args: &CheckArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let place = place::here(session);
    let is_meant = |found: &Installed| args.agent.is_none_or(|agent| agent == found.agent);
    let mut found = target::installed(&place, session);
    found.retain(is_meant);
    let mut exit = Exit::Clean;
    for installed in &found {
        if !tell(installed, &place, session)? {
            exit = Exit::Findings;
        }
    }
    let usual = place.root.join(PLUGIN);
    let is_meant = args.agent.is_none_or(|agent| agent == HookAgent::ClaudeCode);
    let plugin = match &args.plugin {
        Some(folder) => Some(tidy(&session.folder().join(folder))),
        None => (is_meant && plugin::is_ours(&usual, session)).then_some(usual),
    };
    if let Some(folder) = &plugin {
        if !tell_plugin(folder, session)? {
            exit = Exit::Findings;
        }
    } else if found.is_empty() {
        writeln!(
            session.output,
            "the hook is not installed; `bmad hook install --agent AGENT` sets it up"
        )?;
        exit = Exit::Findings;
    }
    review(&place, session)?;
    Ok(exit)
}

/// Tells of one file; answers whether the hook works there.
fn tell(found: &Installed, place: &Settings, session: &mut Session<'_>) -> Result<bool, Failure> {
    writeln!(session.output, "{}: {}", found.agent.name(), place.seen(&found.path))?;
    let mut works = true;
    for command in &found.commands {
        let failure = proof::failure(command, &[], session);
        works &= failure.is_none();
        writeln!(session.output, "  command   {command}")?;
        writeln!(session.output, "  answers   {}", answers(failure))?;
    }
    let fires = fires(found.agent, &found.path, place, session);
    fires.tell(found.agent, session)?;
    Ok(works && !matches!(fires, Fires::No(_)))
}

fn tell_plugin(folder: &Path, session: &mut Session<'_>) -> Result<bool, Failure> {
    writeln!(session.output, "claude-code: {}", folder.display())?;
    if !plugin::is_ours(folder, session) {
        writeln!(session.output, "  answers   no: the plugin is not there")?;
        return Ok(false);
    }
    let failure = plugin::failure(folder, session);
    let works = failure.is_none();
    writeln!(session.output, "  command   {}", plugin::COMMAND)?;
    writeln!(session.output, "  answers   {}", answers(failure))?;
    writeln!(
        session.output,
        "  fires     where Claude Code is started with this plugin"
    )?;
    Ok(works)
}

fn answers(failure: Option<String>) -> String {
    failure.map_or_else(|| "as it should".to_owned(), |why| format!("no: {why}"))
}

/// Tells where the review stands.
fn review(place: &Settings, session: &mut Session<'_>) -> Result<(), Failure> {
    let path = place.state_file();
    let text = path.and_then(|path| target::read(&path, session).ok().flatten());
    let line = match text.as_deref().map(LoopState::read) {
        None => "no review is on".to_owned(),
        Some(Err(error)) => format!("the state file of the review cannot be read: {error}"),
        Some(Ok(state)) if !state.active => "no review is on".to_owned(),
        Some(Ok(state)) => {
            let tracker = state.tracker.as_ref().map(|tracker| place.root.join(tracker));
            let text = tracker.and_then(|path| target::read(&path, session).ok().flatten());
            let open = text
                .and_then(|text| tally(&text).ok())
                .map_or(state.pending, |tally| tally.open);
            format!(
                "a review is on: round {} of {}, {open} open",
                state.round, state.max_rounds
            )
        }
    };
    writeln!(session.output, "{line}")?;
    Ok(())
}

/// Says whether an agent runs the hook of a file.
pub(super) fn fires(agent: HookAgent, path: &Path, place: &Settings, session: &Session<'_>) -> Fires {
    match agent {
        HookAgent::ClaudeCode => claude_code(place, session),
        HookAgent::Codex => codex(path, place, session),
    }
}

/// Claude Code runs the hooks of a folder once the person trusted the folder, unless somebody turned all hooks off.
fn claude_code(place: &Settings, session: &Session<'_>) -> Fires {
    let own = session
        .variable("HOME")
        .map(|home| Path::new(home).join(".claude/settings.json"));
    let files = HookAgent::ClaudeCode.files().iter().map(|file| place.root.join(file));
    let all: Vec<PathBuf> = files.chain(own).collect();
    let is_off = |path: &&PathBuf| {
        let text = target::read(path, session).ok().flatten();
        text.is_some_and(|text| settings::are_off(&text))
    };
    match all.iter().find(is_off) {
        Some(path) => Fires::No(format!("`disableAllHooks` is set in `{}`", path.display())),
        None => Fires::Yes,
    }
}

/// Codex runs the hooks of a folder once the person trusted the folder and each hook; it is asked whether so.
fn codex(path: &Path, place: &Settings, session: &Session<'_>) -> Fires {
    let options = match launch::agents_at(&place.root, None, session) {
        Ok(options) => options,
        Err(_) => return Fires::Unknown("`bmad.toml` cannot be read; `bmad doctor` says why".to_owned()),
    };
    let listed = match drivers::codex_hooks(&place.root, &options) {
        Ok(listed) => listed,
        Err(why) => return Fires::Unknown(format!("{why}, and it passes over hooks that nobody trusts")),
    };
    let host = session.host();
    let real = |path: &Path| host.resolve(path).map(|found| found.path);
    let file = real(path);
    let own = listed
        .iter()
        .find(|hook| hook.event == "stop" && real(&hook.file) == file);
    match own {
        None => Fires::No("Codex finds no hook here: nobody trusts the folder yet, or hooks are turned off".to_owned()),
        Some(hook) if !hook.is_enabled => Fires::No("it is turned off in Codex".to_owned()),
        Some(hook) => match hook.trust {
            HookTrust::Trusted => Fires::Yes,
            HookTrust::Untrusted => Fires::No("nobody trusts it in Codex yet".to_owned()),
            HookTrust::Changed => Fires::No("it changed since somebody trusted it in Codex".to_owned()),
        },
    }
}
