//! The hook, put into the settings of an agent or taken out of them.

use super::layout::Wrong;
use super::place;
use super::target::{self, Target};
use super::{HookAgent, PLUGIN, TargetArgs, check, plugin, proof, settings};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::os;
use crate::os::before::{Before, Was};
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) fn install(args: &TargetArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let place = place::here(session);
    let (agent, path) = match target::meant(args, &place, session)? {
        Target::Plugin(folder) => return plugin::install(&folder, session),
        Target::File { agent, path } => (agent, path),
    };
    let command = target::command(session)?;
    let before = target::read(&path, session)?;
    let after = match &before {
        Some(text) => settings::with_hook(text, &command).map_err(|wrong| unreadable(&path, &wrong))?,
        None => Some(settings::fresh(&command)),
    };
    if let Some(after) = &after {
        remember(&path, before.as_deref(), after, session);
        write(&path, after.as_bytes(), session)?;
    }
    // What is proven is what stands in the file, not what was meant to.
    let written = target::read(&path, session)?.unwrap_or_default();
    let commands = settings::commands(&written, &command).map_err(|wrong| unreadable(&path, &wrong))?;
    if let Some(why) = commands
        .iter()
        .find_map(|command| proof::failure(command, &[], session))
    {
        if after.is_some() {
            put_back(&path, &was(before.as_deref()), session)?;
        }
        return Err(Failure::work(format!("the hook does not answer as it should: {why}"))
            .with_hint("the settings are as they were before"));
    }
    let seen = place.seen(&path);
    let how = if after.is_some() {
        "installed"
    } else {
        "installed already"
    };
    writeln!(session.output, "{how}: {seen}")?;
    writeln!(session.output, "  command   {command}")?;
    writeln!(session.output, "  answers   as it should")?;
    check::fires(agent, &path, &place, session).tell(agent, session)?;
    writeln!(session.output, "next: bmad hook start")?;
    Ok(Exit::Clean)
}

pub(super) fn uninstall(args: &TargetArgs, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let place = place::here(session);
    let (agent, path) = match target::meant(args, &place, session)? {
        Target::Plugin(folder) => return plugin::uninstall(&folder, session),
        Target::File { agent, path } => (agent, path),
    };
    let is_named = args.project || args.local;
    let found = target::installed(&place, session).into_iter();
    let others = found.filter(|found| !is_named && found.agent == agent && found.path != path);
    let others: Vec<PathBuf> = others.map(|found| found.path).collect();
    let mut taken = false;
    for path in std::iter::once(&path).chain(&others) {
        if take_out(path, session)? {
            writeln!(session.output, "taken out of {}", place.seen(path))?;
            taken = true;
        }
    }
    if !taken {
        writeln!(session.output, "the hook is not in {}", place.seen(&path))?;
    }
    if !is_named && agent == HookAgent::ClaudeCode && plugin::is_ours(&place.root.join(PLUGIN), session) {
        writeln!(
            session.output,
            "it is in a plugin, too; `bmad hook uninstall --agent claude-code --plugin` takes that away"
        )?;
    }
    Ok(Exit::Clean)
}

/// Takes the hook out of a file of settings; answers whether it was there.
fn take_out(path: &Path, session: &Session<'_>) -> Result<bool, Failure> {
    let text = target::read(path, session)?.unwrap_or_default();
    let own = target::command(session).unwrap_or_default();
    let Some(without) = settings::without_hook(&text, &own).map_err(|wrong| unreadable(path, &wrong))? else {
        return Ok(false);
    };
    let found = settings::commands(&text, &own).map_err(|wrong| unreadable(path, &wrong))?;
    let is_fresh = found.first().is_some_and(|command| settings::fresh(command) == text);
    let remembered = memory(session).and_then(|memory| memory.was(path, text.as_bytes()));
    let was = match remembered {
        Some(was) => was,
        None if is_fresh => Was::Missing,
        None => Was::File(without.into_bytes()),
    };
    put_back(path, &was, session)?;
    Ok(true)
}

/// Makes a file what it was, and forgets that it was anything else.
fn put_back(path: &Path, was: &Was, session: &Session<'_>) -> Result<(), Failure> {
    match was {
        Was::Missing => {
            let unremoved = |error| Failure::work(format!("`{}` could not be removed: {error}", path.display()));
            session.host().remove(path).map_err(unremoved)?;
            path.parent().map(os::remove_empty);
        }
        Was::File(bytes) => write(path, bytes, session)?,
    }
    if let Some(memory) = memory(session) {
        let unforgotten = |error: std::io::Error| Failure::work(format!("what the file was is still kept: {error}"));
        memory.forget(path).map_err(unforgotten)?;
    }
    Ok(())
}

/// Keeps what a file was. Where that cannot be kept, the hook can still be taken out of it.
fn remember(path: &Path, before: Option<&str>, after: &str, session: &Session<'_>) {
    let Some(memory) = memory(session) else {
        return;
    };
    // A hook that is only renewed was put in earlier: what counts is what the file was before that.
    let earlier = before.and_then(|before| memory.was(path, before.as_bytes()));
    let kept = memory.keep(path, &earlier.unwrap_or_else(|| was(before)), after.as_bytes());
    if kept.is_err() {
        memory.forget(path).ok();
    }
}

fn was(before: Option<&str>) -> Was {
    before.map_or(Was::Missing, |text| Was::File(text.as_bytes().to_vec()))
}

fn memory(session: &Session<'_>) -> Option<Before> {
    session.state_folder().ok().map(|state| Before::below(&state))
}

fn write(path: &Path, bytes: &[u8], session: &Session<'_>) -> Result<(), Failure> {
    session
        .host()
        .write(path, bytes)
        .map_err(|error| Failure::work(format!("`{}` could not be written: {error}", path.display())))
}

fn unreadable(path: &Path, wrong: &Wrong) -> Failure {
    Failure::usage(format!("{}:{wrong}", path.display())).with_hint("nothing was changed; repair the file first")
}
