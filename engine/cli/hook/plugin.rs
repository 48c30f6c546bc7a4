//! The hook as a plugin of Claude Code: a folder with everything in it.

use super::{proof, target};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::host::ReadError;
use crate::os;
use crate::project::STDLIB;
use std::io::Write as _;
use std::path::Path;

/// The files of the plugin, and what they are made of.
const FILES: [(&str, &str); 3] = [
    (".claude-plugin/plugin.json", "templates/plugin/plugin.json"),
    ("hooks/hooks.json", "templates/plugin/hooks.json"),
    ("hooks/stop.sh", "templates/plugin/stop.sh"),
];
/// The folders of the plugin, those inside first.
const FOLDERS: [&str; 3] = [".claude-plugin", "hooks", ""];
/// What marks a plugin as this one.
const MARK: &str = "\"name\": \"bmad-stop-hook\"";

/// What an agent runs, as `hooks.json` has it.
pub(super) const COMMAND: &str = "sh \"${CLAUDE_PLUGIN_ROOT}/hooks/stop.sh\"";

pub(super) fn install(folder: &Path, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let host = session.host();
    let known = is_ours(folder, session);
    if !known && !host.list(folder).is_empty() {
        return Err(Failure::usage(format!("`{}` holds something else", folder.display()))
            .with_hint("name a folder that is empty or not there yet"));
    }
    let program = target::program(session)?;
    for (path, template) in FILES {
        let text = STDLIB
            .iter()
            .find(|file| file.path == template)
            .map_or("", |file| file.text);
        let text = text
            .replace("{{version}}", env!("CARGO_PKG_VERSION"))
            .replace("{{program}}", &program);
        host.write(&folder.join(path), text.as_bytes()).map_err(|error| {
            Failure::work(format!(
                "`{}` could not be written: {error}",
                folder.join(path).display()
            ))
        })?;
    }
    if let Some(why) = failure(folder, session) {
        return Err(Failure::work(format!("the hook does not answer as it should: {why}")));
    }
    let how = if known { "installed anew" } else { "installed" };
    let shown = folder.display();
    writeln!(session.output, "{how}: {shown}")?;
    for (path, _) in FILES {
        writeln!(session.output, "  {path}")?;
    }
    writeln!(session.output, "  answers   as it should")?;
    writeln!(session.output, "next: claude --plugin-dir {shown}")?;
    Ok(Exit::Clean)
}

pub(super) fn uninstall(folder: &Path, session: &mut Session<'_>) -> Result<Exit, Failure> {
    let shown = folder.display().to_string();
    if !is_ours(folder, session) {
        writeln!(session.output, "the plugin is not in {shown}")?;
        return Ok(Exit::Clean);
    }
    for (path, _) in FILES {
        let path = folder.join(path);
        session
            .host()
            .remove(&path)
            .map_err(|error| Failure::work(format!("`{}` could not be removed: {error}", path.display())))?;
    }
    for inner in FOLDERS {
        os::remove_empty(&folder.join(inner));
    }
    writeln!(session.output, "taken away: {shown}")?;
    Ok(Exit::Clean)
}

/// Says why the plugin in a folder would not work; nothing where it would.
pub(super) fn failure(folder: &Path, session: &Session<'_>) -> Option<String> {
    let folder = folder.display().to_string();
    proof::failure(COMMAND, &[("CLAUDE_PLUGIN_ROOT", &folder)], session)
}

/// Says whether a folder holds this plugin.
pub(super) fn is_ours(folder: &Path, session: &Session<'_>) -> bool {
    let read: Result<Vec<u8>, ReadError> = session.host().read(&folder.join(FILES[0].0));
    read.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(MARK))
}
