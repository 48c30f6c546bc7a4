//! Paths as authors write them, turned into paths of the project.

use super::library::Library;
use super::names::{Scope, is_settled};
use crate::source::{ProjectPath, near_byte, near_either, near_last, near_places};
use std::borrow::Cow;

/// What became of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// It leads to a file or folder of the project, or to an embedded file of the core module.
    Found(ProjectPath),
    /// It leads nowhere; this is where it was expected.
    Missing(ProjectPath),
    /// It depends on a value known only when running.
    Dynamic,
    /// It is made by an installer or belongs to the user's own project.
    Outside,
    /// It names a module that is not here.
    UnknownModule(String),
    /// It leads out of the project.
    Escapes,
}

/// Folders below an install root that an installer or a user fills.
const GENERATED: &[&str] = &["_config", "_cfg", "_memory", "custom", "render", "_custom", "docs"];

/// Where a path is written: the file's folder, and the folder its workflow is declared in.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The file.
    pub file: &'a ProjectPath,
    /// The folder of the workflow or skill it belongs to.
    pub home: &'a ProjectPath,
}

impl Library {
    /// Finds what a path written at `place` leads to. Between its parts a backslash is as good as a slash.
    pub fn resolve(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Resolution {
        let found = self.look_up(text, place, scope);
        self.found_or_below(found, text, place, scope)
    }

    /// Finds what a path leads to, and says whether it leads there whatever names in braces come to stand for.
    pub(super) fn resolve_for_good(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> (Resolution, bool) {
        let found = self.look_up(text, place, scope);
        let is_for_good = matches!(found, Resolution::Found(_)) && is_settled(text);
        (self.found_or_below(found, text, place, scope), is_for_good)
    }

    /// Returns what was found, or else what the same path leads to below the folder that the workflow is installed in, or
    /// with slashes.
    fn found_or_below(&self, found: Resolution, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Resolution {
        match &found {
            Resolution::Found(_) => return found,
            Resolution::Outside | Resolution::UnknownModule(_) => {
                if let Some(own) = self.below_installed(text, place, scope) {
                    return own;
                }
            }
            Resolution::Missing(_) | Resolution::Dynamic | Resolution::Escapes => {}
        }
        match near_byte(b'\\', text.as_bytes()) {
            Some(_) => self.resolve(&text.replace('\\', "/"), place, scope),
            None => found,
        }
    }

    fn look_up(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Resolution {
        let text = text.trim();
        let text = text.strip_prefix("file:").unwrap_or(text);
        if text.is_empty() || is_pattern(text) {
            return Resolution::Dynamic;
        }
        if let Some(rest) = text.strip_prefix("{installed_path}/")
            && self.is_installed_at_home(place, scope)
        {
            return self.below(place.home, rest);
        }
        let expanded = scope.expand(text);
        if let Cow::Owned(expanded) = &expanded
            && expanded != text
            && is_pattern(expanded)
        {
            return Resolution::Dynamic;
        }
        let text = expanded.trim_end_matches(['.', ',', ';', ':', ')']);
        if text.starts_with('{') {
            return self.below_variable(text, place, scope);
        }
        if near_either(b'{', b'}', text.as_bytes()).is_some() {
            return Resolution::Dynamic;
        }
        self.relative(text, place)
    }

    /// Finds what a path leads to that begins with a variable without a value of its own.
    fn below_variable(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Resolution {
        let Some(close) = near_byte(b'}', text.as_bytes()) else {
            return Resolution::Dynamic;
        };
        let rest = &text[close + 1..];
        match &text[1..close] {
            "project-root" | "project_root" => self.below_root(rest, place),
            "_bmad" | "bmad_folder" | "bmad-root" => self.below_install(rest, place, None),
            "skill-root" | "skill_root" => self.below(place.home, rest),
            "installed_path" | "workflow_path" | "workflow-path" if scope.is_installed() => {
                self.below(place.home, rest)
            }
            _ => Resolution::Dynamic,
        }
    }

    /// Says whether `installed_path` names the very folder of the workflow: what is missing there is missing.
    fn is_installed_at_home(&self, place: Place<'_>, scope: &Scope<'_>) -> bool {
        let value = scope
            .value("installed_path")
            .filter(|value| !value.contains("{installed_path}"));
        value.is_some_and(|value| self.resolve(value, place, scope) == Resolution::Found(place.home.clone()))
    }

    /// Finds what a path leads to whose folder is the one that the workflow says it is installed in, where a part of the
    /// project was given alone: seen from a root further up, that is the workflow's own folder.
    fn below_installed(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Option<Resolution> {
        let installed = scope.value("installed_path")?;
        let installed = scope.expand(installed);
        let rest = scope.expand(text.trim());
        let rest = rest.strip_prefix(&*installed)?.strip_prefix('/')?;
        let tail = after_any(&installed, &["{project-root}/", "{project_root}/"])?;
        let (first, after) = split_first(tail);
        let (tail, is_module) = match self.is_install_root(first) {
            true => (split_first(after).1, true),
            false => (tail, false),
        };
        let home = place.home.as_str();
        let is_own = !is_open(tail) && (is_end(tail, home) || is_module && !tail.is_empty() && is_end(home, tail));
        is_own.then(|| self.below(place.home, rest))
    }

    fn below(&self, folder: &ProjectPath, rest: &str) -> Resolution {
        if is_open(rest) {
            return Resolution::Dynamic;
        }
        let rest = rest.trim_start_matches('/');
        let found = |path: &str| self.kept(path).ok_or_else(|| ProjectPath::keep(path));
        match folder.find_below(rest, found) {
            Some(Ok(path)) => Resolution::Found(path),
            Some(Err(path)) => self
                .compiled(&path)
                .map_or(Resolution::Missing(path), Resolution::Found),
            None => Resolution::Escapes,
        }
    }

    /// Returns what is there under a path, as seen from a folder.
    fn there(&self, folder: &ProjectPath, text: &str) -> Option<ProjectPath> {
        folder.find_below(text, |path| self.kept(path))?
    }

    /// An agent is written as `x.agent.yaml` and installed as `x.md`.
    fn compiled(&self, path: &ProjectPath) -> Option<ProjectPath> {
        let stem = path.name().strip_suffix(".md")?;
        let written = path.beside(&format!("{stem}.agent.yaml"))?;
        self.exists(&written).then_some(written)
    }

    fn below_root(&self, rest: &str, place: Place<'_>) -> Resolution {
        let rest = rest.trim_start_matches('/');
        let (first, after) = split_first(rest);
        if self.is_install_root(first) {
            return self.below_install(after, place, Some(first));
        }
        if is_open(rest) {
            return Resolution::Dynamic;
        }
        match ProjectPath::find(rest, |path| self.kept(path)) {
            Some(Some(path)) => Resolution::Found(path),
            Some(None) => Resolution::Outside,
            None => Resolution::Escapes,
        }
    }

    /// Says whether a name is that of a folder BMAD is installed in.
    pub fn is_install_root(&self, name: &str) -> bool {
        matches!(name, "_bmad" | ".bmad" | "bmad" | "{bmad_folder}" | "{_bmad}")
            || self.roots.iter().any(|root| root.name() == name)
    }

    /// Reads the module out of a path to its configuration: `{project-root}/_bmad/<module>/config.yaml`.
    pub fn configured_module<'t>(&self, path: &'t str) -> Option<&'t str> {
        let path = path.strip_prefix("{project-root}/")?;
        let (root, rest) = path.split_at(near_byte(b'/', path.as_bytes())?);
        let code = &rest[1..][..near_byte(b'/', &rest.as_bytes()[1..])?];
        self.is_install_root(root).then_some(code)
    }

    fn below_install(&self, rest: &str, place: Place<'_>, root: Option<&str>) -> Resolution {
        let rest = rest.trim_matches('/');
        let (code, inside) = split_first(rest);
        if GENERATED.contains(&code) || is_generated_file(rest) {
            return Resolution::Outside;
        }
        if is_open(rest) {
            return Resolution::Dynamic;
        }
        let module = self.module(code, place.file);
        if let Some(own) = module.filter(|module| place.file.is_in(&module.folder))
            && let Some(path) = self.there(&own.folder, inside)
        {
            return Resolution::Found(path);
        }
        let is_meant = |folder: &&ProjectPath| root.is_none_or(|name| folder.name() == name);
        for folder in self.roots.iter().filter(is_meant) {
            if let Some(path) = self.there(folder, rest) {
                return Resolution::Found(path);
            }
        }
        let Some(folder) = module.map_or_else(|| self.beside_modules(code), |module| Some(module.folder.clone()))
        else {
            return self
                .embedded(code, inside)
                .unwrap_or_else(|| Resolution::UnknownModule(code.to_owned()));
        };
        let found = self.below(&folder, inside);
        match found {
            Resolution::Missing(_) => self.elsewhere(code, inside).unwrap_or(found),
            Resolution::Found(_)
            | Resolution::Dynamic
            | Resolution::Outside
            | Resolution::UnknownModule(_)
            | Resolution::Escapes => found,
        }
    }

    /// Looks among the embedded files of the core module, which a project without one can count on.
    fn embedded(&self, code: &str, inside: &str) -> Option<Resolution> {
        let known = code == "core" && self.standard.iter().any(|path| path.as_str() == inside);
        let path = known.then(|| ProjectPath::new(&format!("_bmad/core/{inside}")))??;
        Some(Resolution::Found(path))
    }

    /// Looks in every module of that code: a tree may hold one as source and one as installed.
    fn elsewhere(&self, code: &str, inside: &str) -> Option<Resolution> {
        self.modules
            .iter()
            .filter(|module| module.code == code)
            .find_map(|module| self.there(&module.folder, inside))
            .map(Resolution::Found)
    }

    /// Returns the folder of that name beside the modules.
    fn beside_modules(&self, code: &str) -> Option<ProjectPath> {
        if code.is_empty() {
            return None;
        }
        let mut modules = self.modules.iter();
        modules.find_map(|module| module.folder.find_beside(code, |path| self.kept(path))?)
    }

    fn relative(&self, text: &str, place: Place<'_>) -> Resolution {
        let hidden = text.starts_with('.') && !text.starts_with("./") && !text.starts_with("../");
        let made = text.starts_with("_bmad-output") || is_generated_file(text);
        if text.starts_with(['/', '~']) || is_address(text) || hidden || made {
            return Resolution::Outside;
        }
        let (first, after) = split_first(text);
        if first.len() < text.len() && self.is_install_root(first) {
            return self.below_install(after, place, Some(first));
        }
        let expected = place
            .file
            .find_beside(text, |path| self.kept(path).ok_or_else(|| ProjectPath::keep(path)));
        let expected = match expected {
            None => return Resolution::Escapes,
            Some(Ok(found)) => return Resolution::Found(found),
            Some(Err(expected)) => expected,
        };
        if text.starts_with("../") {
            return Resolution::Missing(expected);
        }
        let below = |folder: &ProjectPath| self.there(folder, text);
        below(place.home)
            .or_else(|| ProjectPath::find(text, |path| self.kept(path))?)
            .or_else(|| below(&self.module_of(place.file)?.folder))
            .map_or(Resolution::Missing(expected), Resolution::Found)
    }
}

fn after_any<'a>(text: &'a str, prefixes: &[&str]) -> Option<&'a str> {
    prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))
}

/// Says whether a path ends with the parts of another one.
fn is_end(path: &str, end: &str) -> bool {
    let before = path.trim_end_matches('/').strip_suffix(end);
    before.is_some_and(|before| before.is_empty() || end.is_empty() || before.ends_with('/'))
}

/// Says whether a path waits for the value of a variable.
fn is_open(path: &str) -> bool {
    near_byte(b'{', path.as_bytes()).is_some()
}

/// Splits a path behind its first name.
fn split_first(path: &str) -> (&str, &str) {
    near_byte(b'/', path.as_bytes()).map_or((path, ""), |slash| (&path[..slash], &path[slash + 1..]))
}

/// How many bytes are looked at together for those of a pattern.
const WINDOW: usize = 16;

/// Says whether a text is no path, but a pattern: it has what stands for several, or for what is left out.
fn is_pattern(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk() else {
        let mut room = [0; 2 * WINDOW + 2];
        room[..bytes.len()].copy_from_slice(bytes);
        return has_pattern_at(&room, 0) || has_pattern_at(&room, WINDOW);
    };
    let mut at = 0;
    while at + WINDOW + 2 < bytes.len() {
        if has_pattern_at(bytes, at) {
            return true;
        }
        at += WINDOW;
    }
    let end = &bytes[bytes.len() - 2..];
    has_pattern(last) || begins_pattern(end) || begins_pattern(&end[1..])
}

fn has_pattern_at(bytes: &[u8], at: usize) -> bool {
    bytes[at..].first_chunk().is_some_and(has_pattern)
}

/// Says whether a pattern begins in some bytes, the last two of which only go on with it. All are looked at whatever is
/// found, as many at once as the processor can.
fn has_pattern(bytes: &[u8; WINDOW + 2]) -> bool {
    (0..WINDOW).fold(false, |found, at| {
        let (one, next, third) = (bytes[at], bytes[at + 1], bytes[at + 2]);
        // One bit alone tells `>` from `?`.
        let is_mark = (one == b'*') | (one == b'<') | ((one | 1) == b'?') | (one == b'|') | (one == b'$');
        let is_list = (one == b'[') | (one == b']');
        let is_hole = (one == b'{') & (next == b'{');
        let is_left_out = (one == b'.') & (next == b'.') & (third == b'.');
        found | is_mark | is_list | is_hole | is_left_out
    })
}

/// Says whether a pattern begins with the first of some bytes.
fn begins_pattern(bytes: &[u8]) -> bool {
    match bytes.first() {
        Some(b'*' | b'<' | b'>' | b'[' | b']' | b'|' | b'$' | b'?') => true,
        Some(b'{') => bytes.get(1) == Some(&b'{'),
        Some(b'.') => bytes.starts_with(b"..."),
        Some(_) | None => false,
    }
}

/// Says whether a text names something on the web.
fn is_address(text: &str) -> bool {
    near_places(b':', text.as_bytes()).any(|colon| text.as_bytes()[colon..].starts_with(b"://"))
}

fn is_generated_file(rest: &str) -> bool {
    let name = near_last(b'/', rest.as_bytes()).map_or(rest, |slash| &rest[slash + 1..]);
    matches!(
        name,
        "config.yaml" | "config.toml" | "config.user.toml" | "manifest.yaml" | "bmad-help.csv"
    ) || name.ends_with("-manifest.csv")
}

#[cfg(test)]
mod tests {
    use super::{begins_pattern, is_pattern};

    #[test]
    fn a_pattern_is_found_wherever_it_stands() {
        let marks = [
            "*", "<", ">", "[", "]", "|", "$", "?", "{{", "...", "{", "..", ". ..", "{a{", "é", "\0", "",
        ];
        for mark in marks {
            for before in 0..70 {
                for after in [0, 1, 2, 15, 16, 17] {
                    let text = ["a".repeat(before).as_str(), mark, "a".repeat(after).as_str()].concat();
                    let expected = (0..text.len()).any(|at| begins_pattern(&text.as_bytes()[at..]));
                    assert_eq!(is_pattern(&text), expected, "{text}");
                }
            }
        }
    }
}
