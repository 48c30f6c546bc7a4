//! Paths as authors write them, turned into paths of the project.

use super::library::Library;
use super::names::Scope;
use crate::source::{ByteSet, ProjectPath};

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
        match &found {
            Resolution::Found(_) => return found,
            Resolution::Outside | Resolution::UnknownModule(_) => {
                if let Some(own) = self.below_installed(text, place, scope) {
                    return own;
                }
            }
            Resolution::Missing(_) | Resolution::Dynamic | Resolution::Escapes => {}
        }
        match memchr::memchr(b'\\', text.as_bytes()) {
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
        if *expanded != *text && is_pattern(&expanded) {
            return Resolution::Dynamic;
        }
        let text = expanded.trim_end_matches(['.', ',', ';', ':', ')']);
        if text.starts_with('{') {
            return self.below_variable(text, place, scope);
        }
        if memchr::memchr2(b'{', b'}', text.as_bytes()).is_some() {
            return Resolution::Dynamic;
        }
        self.relative(text, place)
    }

    /// Finds what a path leads to that begins with a variable without a value of its own.
    fn below_variable(&self, text: &str, place: Place<'_>, scope: &Scope<'_>) -> Resolution {
        if let Some(rest) = after_any(text, &["{project-root}", "{project_root}"]) {
            return self.below_root(rest, place);
        }
        if let Some(rest) = after_any(text, &["{_bmad}", "{bmad_folder}", "{bmad-root}"]) {
            return self.below_install(rest, place, None);
        }
        if let Some(rest) = after_any(text, &["{skill-root}", "{skill_root}"]) {
            return self.below(place.home, rest);
        }
        match after_any(text, &["{installed_path}", "{workflow_path}", "{workflow-path}"]) {
            Some(rest) if scope.is_installed() => self.below(place.home, rest),
            Some(_) | None => Resolution::Dynamic,
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
        match folder.join(rest.trim_start_matches('/')) {
            Some(path) if self.exists(&path) => Resolution::Found(path),
            Some(path) => self
                .compiled(&path)
                .map_or(Resolution::Missing(path), Resolution::Found),
            None => Resolution::Escapes,
        }
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
        match ProjectPath::new(rest) {
            Some(path) if self.exists(&path) => Resolution::Found(path),
            Some(_) => Resolution::Outside,
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
        let mut parts = path.strip_prefix("{project-root}/")?.split('/');
        let root = parts.next()?;
        let code = parts.next()?;
        (self.is_install_root(root) && parts.next().is_some()).then_some(code)
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
        if let Some(own) = self
            .module(code, place.file)
            .filter(|module| place.file.is_in(&module.folder))
            && let Some(path) = own.folder.join(inside)
            && self.exists(&path)
        {
            return Resolution::Found(path);
        }
        for folder in self
            .roots
            .iter()
            .filter(|folder| root.is_none_or(|name| folder.name() == name))
        {
            if let Some(path) = folder.join(rest)
                && self.exists(&path)
            {
                return Resolution::Found(path);
            }
        }
        let Some(folder) = self.module_folder(code, place.file) else {
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
            .filter_map(|module| module.folder.join(inside))
            .find(|path| self.exists(path))
            .map(Resolution::Found)
    }

    /// Returns the folder of a module, or a folder of that name beside the modules.
    fn module_folder(&self, code: &str, near: &ProjectPath) -> Option<ProjectPath> {
        if let Some(module) = self.module(code, near) {
            return Some(module.folder.clone());
        }
        self.modules
            .iter()
            .filter_map(|module| module.folder.folder().join(code))
            .find(|path| !code.is_empty() && self.exists(path))
    }

    fn relative(&self, text: &str, place: Place<'_>) -> Resolution {
        let hidden = text.starts_with('.') && !text.starts_with("./") && !text.starts_with("../");
        let made = text.starts_with("_bmad-output") || is_generated_file(text);
        if text.starts_with(['/', '~']) || is_address(text) || hidden || made {
            return Resolution::Outside;
        }
        if let Some((first, after)) = text.split_once('/')
            && self.is_install_root(first)
        {
            return self.below_install(after, place, Some(first));
        }
        let Some(expected) = place.file.beside(text) else {
            return Resolution::Escapes;
        };
        if self.exists(&expected) {
            return Resolution::Found(expected);
        }
        if text.starts_with("../") {
            return Resolution::Missing(expected);
        }
        let mut folders = vec![place.home.clone(), ProjectPath::root()];
        if let Some(module) = self.module_of(place.file) {
            folders.push(module.folder.clone());
        }
        folders
            .iter()
            .filter_map(|folder| folder.join(text))
            .find(|path| self.exists(path))
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
    memchr::memchr(b'{', path.as_bytes()).is_some()
}

/// Splits a path behind its first name.
fn split_first(path: &str) -> (&str, &str) {
    memchr::memchr(b'/', path.as_bytes()).map_or((path, ""), |slash| (&path[..slash], &path[slash + 1..]))
}

fn is_pattern(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        WILD.has(*byte)
            && match byte {
                b'{' => bytes.get(at + 1) == Some(&b'{'),
                b'.' => bytes[at..].starts_with(b"..."),
                _ => true,
            }
    })
}

/// The bytes that make a pattern of a path, braces and dots only with what follows them.
static WILD: ByteSet = ByteSet::of(b"*<>[]|$?{.");

/// Says whether a text names something on the web.
fn is_address(text: &str) -> bool {
    memchr::memchr_iter(b':', text.as_bytes()).any(|colon| text.as_bytes()[colon..].starts_with(b"://"))
}

fn is_generated_file(rest: &str) -> bool {
    let name = memchr::memrchr(b'/', rest.as_bytes()).map_or(rest, |slash| &rest[slash + 1..]);
    matches!(
        name,
        "config.yaml" | "config.toml" | "config.user.toml" | "manifest.yaml" | "bmad-help.csv"
    ) || name.ends_with("-manifest.csv")
}
