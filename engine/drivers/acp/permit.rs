//! What an agent wants to do in, whether it may out.
//!
//! A choice is made by the kind of what it offers, never by its place or its name.

use super::super::argument::{needs_shell, words};
use super::super::heard::{at, text};
use super::super::offline::allows;
use crate::host::{AgentSettings, Permission};
use serde_json::{Value as Json, json};
use std::path::{Component, Path, PathBuf};

/// Kinds of tools that change nothing.
const READING: &[&str] = &["read", "search", "think", "fetch"];
/// Kinds of tools that change files.
const CHANGING: &[&str] = &["edit", "delete", "move"];

/// What an agent may do in a turn.
pub(super) struct Permit<'a> {
    pub(super) is_reading: bool,
    pub(super) settings: &'a AgentSettings,
    /// The folder that it may change.
    pub(super) root: &'a Path,
}

/// Something an agent wants to do.
struct Wish<'j> {
    kind: &'j str,
    tool: &'j str,
    title: &'j str,
    /// The command line, where it wants to run one.
    command: Option<String>,
    paths: Vec<&'j str>,
}

impl Permit<'_> {
    /// Answers a request for permission; what is not allowed is named too.
    pub(super) fn answer(&self, params: &Json) -> (Json, Option<String>) {
        let wish = Wish::of(at(params, &["toolCall"]).unwrap_or(&Json::Null));
        let is_allowed = self.allows(&wish);
        let kinds = match is_allowed {
            true => ["allow_once", "allow_always"],
            false => ["reject_once", "reject_always"],
        };
        let offered = at(params, &["options"]).and_then(Json::as_array);
        let find = |kind: &&str| {
            let fits = |option: &&Json| text(option, &["kind"]) == Some(*kind);
            text(offered?.iter().find(fits)?, &["optionId"])
        };
        let outcome = match kinds.iter().find_map(find) {
            Some(id) => json!({"outcome": "selected", "optionId": id}),
            None => json!({"outcome": "cancelled"}),
        };
        (json!({"outcome": outcome}), (!is_allowed).then(|| wish.to_string()))
    }

    fn allows(&self, wish: &Wish<'_>) -> bool {
        if self.settings.deny.iter().any(|entry| wish.is_hit_by(entry)) {
            return false;
        }
        if READING.contains(&wish.kind) {
            return true;
        }
        if self.is_reading {
            return false;
        }
        match self.settings.permission {
            Permission::All => true,
            Permission::Edit if CHANGING.contains(&wish.kind) => wish.paths.iter().all(|path| self.is_inside(path)),
            Permission::Edit => self.settings.allow.iter().any(|entry| wish.is_named_by(entry)),
        }
    }

    /// Says whether a path stays in the folder, by its words alone.
    fn is_inside(&self, path: &str) -> bool {
        straight(&self.root.join(path)).starts_with(straight(self.root))
    }
}

impl<'j> Wish<'j> {
    fn of(call: &'j Json) -> Self {
        let of = |key: &str| text(call, &[key]).unwrap_or_default();
        let kind = of("kind");
        let lists = [at(call, &["locations"]), at(call, &["content"])];
        let items = lists.into_iter().flatten().filter_map(Json::as_array).flatten();
        Self {
            kind,
            tool: of("name"),
            title: of("title"),
            command: (kind == "execute").then(|| command(call).unwrap_or_else(|| of("title").to_owned())),
            paths: items.filter_map(|item| text(item, &["path"])).collect(),
        }
    }

    /// Says whether an entry of a list forbids it: a part of a command is enough.
    fn is_hit_by(&self, entry: &str) -> bool {
        let line = self.command.as_deref().unwrap_or(self.title);
        let parts = line.split([';', '|', '&', '\n', '(', ')', '`', '{', '}']);
        [self.kind, self.tool, line]
            .into_iter()
            .chain(parts.map(str::trim))
            .any(|it| allows(entry, it))
    }

    /// Says whether an entry of a list allows it: all of a command has to fit. What a shell makes more of is allowed
    /// only word for word.
    fn is_named_by(&self, entry: &str) -> bool {
        match &self.command {
            Some(line) => allows(entry, line) && (entry == line || !needs_shell(line)),
            None => !entry.is_empty() && (entry == self.tool || entry == self.title),
        }
    }
}

impl std::fmt::Display for Wish<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const LONGEST: usize = 200;
        let tool = [self.tool, self.kind].into_iter().find(|it| !it.is_empty());
        let what = self.command.as_deref().or(self.paths.first().copied());
        let what: String = what.unwrap_or(self.title).chars().take(LONGEST).collect();
        match tool {
            _ if what.is_empty() => write!(formatter, "{}", tool.unwrap_or("a tool")),
            Some(tool) => write!(formatter, "{tool} `{what}`"),
            None => write!(formatter, "`{what}`"),
        }
    }
}

/// Finds the command line of a call: a text, or the words of one, perhaps behind a shell.
fn command(call: &Json) -> Option<String> {
    let given = ["command", "cmd"].iter().find_map(|key| at(call, &["rawInput", key]))?;
    if let Some(line) = given.as_str() {
        return Some(line.to_owned());
    }
    let argv: Vec<&str> = given.as_array()?.iter().filter_map(Json::as_str).collect();
    match argv.as_slice() {
        [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c') => {
            Some((*line).to_owned())
        }
        argv => {
            let line = argv.join(" ");
            // Words that fall apart again are no plain line.
            let is_plain = words(&line).is_some_and(|again| again == argv);
            Some(if is_plain { line } else { format!("{argv:?}") })
        }
    }
}

/// Takes `.` and `..` out of a path.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                straight.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => straight.push(part),
        }
    }
    straight
}

#[cfg(test)]
mod tests;
