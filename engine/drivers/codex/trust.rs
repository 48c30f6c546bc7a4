//! A folder in, what has to be said of it out so that Codex writes nothing about it into the person's own settings.
//!
//! Codex notes a folder that it may write in as trusted, for good, and then obeys what the folder itself sets in
//! `.codex`. Whether it is trusted is for the person to say: where they have not, it is not, for this call alone.

use super::super::cli::Order;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Node, parse};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// Returns the setting of a call in a folder about which the person decided nothing.
pub(super) fn setting(order: &Order<'_>) -> Option<String> {
    let root = undecided(order)?;
    // A text of JSON is a text of TOML.
    let key = Json::from(root.to_string_lossy());
    Some(format!("projects={{{key}={{trust_level=\"untrusted\"}}}}"))
}

/// Says what is not obeyed because of that.
pub(super) fn note(order: &Order<'_>) -> Option<&'static str> {
    let root = undecided(order)?;
    let has_own = order.files.exists(&root.join(".codex"));
    has_own.then_some(
        "what the project sets in `.codex` is not obeyed: start `codex` there once and say that you trust it",
    )
}

/// Returns the folder, where it is one that Codex would note and the person decided nothing about it.
fn undecided(order: &Order<'_>) -> Option<PathBuf> {
    if order.is_reading() {
        return None;
    }
    let root = order.files.resolve(&order.turn.root)?.path;
    let home = match order.variable("CODEX_HOME").filter(|home| !home.is_empty()) {
        Some(home) => PathBuf::from(home),
        None => Path::new(order.variable("HOME")?).join(".codex"),
    };
    let Ok(bytes) = order.files.read(&home.join("config.toml")) else {
        return Some(root);
    };
    let path = ProjectPath::new("config.toml").unwrap_or_else(ProjectPath::root);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let parsed = parse(&Source::new(SourceId(0), path, text), Format::Toml);
    // What is wrong with its settings Codex says itself.
    let settings = parsed.data.filter(|_| parsed.faults.is_empty())?;
    let projects = settings.get("projects");
    let is_decided = |folder: &Path| {
        let own = projects.and_then(|all| all.get(&folder.to_string_lossy()));
        own.and_then(|own| own.get("trust_level"))
            .and_then(Node::text)
            .is_some()
    };
    let decided = is_decided(&root) || repository(order, &root).is_some_and(|folder| is_decided(&folder));
    (!decided).then_some(root)
}

/// Returns the folder of the repository that a folder belongs to; for a second work tree, that of the first.
fn repository(order: &Order<'_>, root: &Path) -> Option<PathBuf> {
    let top = root
        .ancestors()
        .find(|folder| order.files.exists(&folder.join(".git")))?;
    let link = order.files.read(&top.join(".git")).unwrap_or_default();
    let link = String::from_utf8_lossy(&link);
    let first = link
        .trim()
        .strip_prefix("gitdir: ")
        .and_then(|path| path.split_once("/.git/worktrees/"));
    Some(first.map_or_else(|| top.to_path_buf(), |(first, _)| PathBuf::from(first)))
}
