//! A command in, the programs of the project that it may start out, each with its hash.
//!
//! A program is what a command begins with, what a program for scripts is given, and every other word that names a file
//! which can be started. All other files are data, which a command works on and which may change. Where it cannot be told,
//! a file is a program.

mod known;
mod spread;
mod words;

use super::glob::fits_path;
use crate::host::{ReadError, Workspace};
use crate::machine::sha256;
use known::{DOCUMENTS, ELSEWHERE, FILED, KEYWORDS, SHELLS, SPOKEN, VALUED, WRAPPERS, starts_script};
use spread::{spread, without_sets};
use std::path::{Component, Path, PathBuf};
use words::Simple;

/// How deep commands inside commands are looked into.
const DEEPEST: usize = 8;
/// How many paths a word may stand for.
const MOST: usize = 500;

/// Returns the programs of the project that a command may start: their names and their hashes, or why they have none.
pub(super) fn programs(command: &str, root: &Path, host: &dyn Workspace) -> Vec<(String, String)> {
    let mut search = Search {
        root,
        real: host
            .resolve(root)
            .map_or_else(|| root.to_path_buf(), |found| found.path),
        host,
        folders: vec![PathBuf::new()],
        found: Vec::new(),
    };
    search.command(command, DEEPEST);
    search.found
}

/// What a word may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// What a command begins with.
    First,
    /// What a program for scripts is given.
    Script { is_shell: bool },
    /// What a program is given that only a variable names: it may be one for scripts.
    Unknown,
    /// Anything else.
    Other,
}

struct Search<'a> {
    root: &'a Path,
    real: PathBuf,
    host: &'a dyn Workspace,
    /// The folders that a command may be in by then.
    folders: Vec<PathBuf>,
    found: Vec<(String, String)>,
}

impl Search<'_> {
    fn command(&mut self, command: &str, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let all = words::read(command);
        let mut upstream: Vec<&Simple> = Vec::new();
        for simple in &all {
            for inside in &simple.inside {
                self.command(inside, depth);
            }
            if self.simple(simple, depth) {
                // Whatever comes in is run.
                for before in &upstream {
                    self.written(before, depth);
                }
                self.read(simple, depth);
            }
            match simple.is_piped {
                true => upstream.push(simple),
                false => upstream.clear(),
            }
        }
    }

    /// Takes all that a command names for programs: what it writes is run.
    fn written(&mut self, simple: &Simple, depth: usize) {
        for word in &simple.words {
            self.run(word, depth);
        }
        self.read(simple, depth);
    }

    /// The same for what a command reads, and for what commands inside its words write.
    fn read(&mut self, simple: &Simple, depth: usize) {
        for input in &simple.inputs {
            self.run(input, depth);
        }
        for text in &simple.texts {
            self.command(text, depth);
            self.given(text, false, depth);
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        for inside in simple.inside.iter().flat_map(|inside| words::read(inside)) {
            self.written(&inside, depth);
        }
    }

    /// Takes a word for a program, or for a command in quotes.
    fn run(&mut self, word: &str, depth: usize) {
        if !self.consider(word) && is_spoken(word) {
            self.command(word, depth);
        }
    }

    /// Takes a word for what a program that nobody knows may run: a script, or a command in quotes.
    fn hand(&mut self, word: &str, depth: usize) {
        if !self.consider_script(word) && is_spoken(word) {
            self.command(word, depth);
        }
    }

    /// Looks at one command; says whether it runs what it reads.
    fn simple(&mut self, simple: &Simple, depth: usize) -> bool {
        let (mut place, mut is_filed) = (Place::First, false);
        let (mut is_wrapped, mut may_speak, mut is_made) = (false, false, false);
        let mut words = simple.words.iter();
        while let Some(word) = words.next() {
            let name = word.rsplit('/').next().unwrap_or_default();
            match place {
                _ if self.is_elsewhere(word, place, &mut words) => {}
                Place::First if word == "cd" || word == "pushd" => self.enter(&mut words),
                Place::First if word == "eval" || word == "trap" => {
                    let rest: Vec<&str> = words.by_ref().map(String::as_str).collect();
                    is_made |= self.code(&rest.join(" "), depth);
                }
                Place::First if is_assigned(word) || KEYWORDS.contains(&word.as_str()) => {}
                Place::First | Place::Other if may_run(place, is_wrapped, name) => {
                    self.consider(word);
                    let is_shell = SHELLS.contains(&name);
                    place = Place::Script { is_shell };
                }
                Place::First if WRAPPERS.contains(&name) => {
                    is_wrapped = true;
                    may_speak |= SPOKEN.contains(&name);
                    // The project may have a script of that name.
                    if word.contains('/') && self.consider(word) {
                        place = Place::Other;
                    }
                }
                Place::First if is_wrapped && is_setting(word) => {}
                Place::First | Place::Other
                    if (may_speak || is_wrapped && place == Place::First) && is_spoken(word) =>
                {
                    self.run(word, depth);
                    place = Place::Other;
                }
                Place::First if is_unknown(word) => place = Place::Unknown,
                Place::Unknown => self.hand(word, depth),
                Place::First => {
                    self.consider(word);
                    is_filed = FILED.contains(&name);
                    place = Place::Other;
                }
                Place::Script { is_shell } if word.starts_with('-') => {
                    if let Some(code) = code_of(word, is_shell, &mut words) {
                        is_made |= self.given(code, is_shell, depth);
                        place = Place::Other;
                    } else if !self.flag(word, is_shell, &mut words) {
                        place = Place::Other;
                    }
                }
                Place::Script { .. } => {
                    if self.consider(word) {
                        place = Place::Other;
                    }
                }
                Place::Other if is_filed && matches!(word.as_str(), "-f" | "--file") => {
                    words.next().map(|file| self.consider(file));
                }
                Place::Other => self.consider_started(word),
            }
        }
        is_made || matches!(place, Place::Script { .. } | Place::Unknown)
    }

    /// Looks at a command in quotes; says whether a command inside it writes a part of it.
    fn code(&mut self, code: &str, depth: usize) -> bool {
        self.command(code, depth);
        code.contains(words::HELD)
    }

    /// The same for the code that a program for scripts is given.
    fn given(&mut self, code: &str, is_shell: bool, depth: usize) -> bool {
        if is_shell {
            return self.code(code, depth);
        }
        let parts = code.split(|each: char| !(each.is_alphanumeric() || "_-./".contains(each)));
        for part in parts {
            self.consider(part);
        }
        code.contains(words::HELD)
    }

    /// Looks at a flag of a program for scripts; says whether its script is still to come.
    fn flag<'w>(&mut self, flag: &str, is_shell: bool, words: &mut impl Iterator<Item = &'w String>) -> bool {
        if flag == "-m" && !is_shell {
            let module = words.next().map(|module| module.replace('.', "/")).unwrap_or_default();
            for ending in [".py", "/__init__.py", "/__main__.py"] {
                self.consider(&format!("{module}{ending}"));
            }
            return false;
        }
        if VALUED.contains(&flag) {
            words.next().map(|value| self.consider(value));
        } else if let Some((_, value)) = flag.split_once('=') {
            self.consider(value);
        }
        true
    }

    /// Enters the folder that a flag says a program works in; says whether it is such a flag.
    fn is_elsewhere<'w, I>(&mut self, word: &str, place: Place, words: &mut I) -> bool
    where
        I: Iterator<Item = &'w String> + Clone,
    {
        if ELSEWHERE.contains(&word) {
            let mut ahead = words.clone();
            self.enter(&mut ahead);
            // To most programs for scripts it says something else, and the script comes next.
            if word == "-C" && matches!(place, Place::Script { .. } | Place::Unknown) {
                return false;
            }
            if let Some(folder) = words.next() {
                self.consider_started(folder);
            }
            *words = ahead;
            return true;
        }
        let Some((flag, folder)) = word.split_once('=') else {
            return false;
        };
        let is_one = flag.starts_with("--") && ELSEWHERE.contains(&flag);
        if is_one {
            self.enter(&mut [folder.to_owned()].iter());
        }
        is_one
    }

    fn enter<'w>(&mut self, words: &mut impl Iterator<Item = &'w String>) {
        let folder = words.find(|word| !word.starts_with('-'));
        let Some(folder) = folder.and_then(|folder| self.below(folder)) else {
            return;
        };
        let entered: Vec<PathBuf> = self.folders.iter().map(|before| before.join(&folder)).collect();
        self.folders.extend(entered);
        self.folders.truncate(64);
    }

    /// Returns a path as seen from the project, where it may be in it.
    fn below(&self, word: &str) -> Option<PathBuf> {
        // A variable may well hold the folder of the project, and a command inside a word may write it.
        let word = match word.strip_prefix('$').and_then(|name| name.split_once('/')) {
            Some((_, rest)) => rest,
            None => word,
        };
        let path = Path::new(word);
        if !path.is_absolute() {
            return (!word.is_empty()).then(|| path.to_path_buf());
        }
        let inside = path.strip_prefix(self.root).or_else(|_| path.strip_prefix(&self.real));
        inside.ok().map(Path::to_path_buf)
    }

    /// Takes a word for a program, where it names a file of the project.
    fn consider(&mut self, word: &str) -> bool {
        self.look(word, |_, _| true)
    }

    /// The same where the file can be started.
    fn consider_started(&mut self, word: &str) {
        let root = self.root.to_path_buf();
        let host = self.host;
        self.look(word, |name, bytes| {
            !is_document(name) && (bytes.starts_with(b"#!") || host.is_executable(&root.join(name)))
        });
    }

    /// The same where the file is no document.
    fn consider_script(&mut self, word: &str) -> bool {
        self.look(word, |name, _| !is_document(name))
    }

    /// Returns the paths that a path with `*`, `?` or `[` in it stands for; any other is itself.
    fn listed(&self, path: &Path) -> Vec<PathBuf> {
        let mut all = vec![PathBuf::new()];
        for part in path.components().filter(|part| *part != Component::CurDir) {
            let pattern = part.as_os_str().to_string_lossy();
            if !pattern.contains(['*', '?', '[']) {
                all.iter_mut().for_each(|one| one.push(part));
                continue;
            }
            let pattern = without_sets(&pattern);
            let fits = |name: &str| name.starts_with('.') == pattern.starts_with('.') && fits_path(&pattern, name);
            let listed = all.iter().flat_map(|folder| {
                let entries = self.host.list(&self.root.join(folder)).into_iter();
                entries
                    .filter(|entry| fits(&entry.name))
                    .map(|entry| folder.join(entry.name))
            });
            all = listed.take(MOST).collect();
        }
        all
    }

    fn look(&mut self, word: &str, fits: impl Fn(&Path, &[u8]) -> bool) -> bool {
        let paths: Vec<PathBuf> = spread(word).iter().filter_map(|one| self.below(one)).collect();
        let mut is_there = false;
        let folders = self.folders.iter();
        let full = folders.flat_map(|folder| paths.iter().map(|path| folder.join(path)));
        let names: Vec<PathBuf> = full.flat_map(|path| self.listed(&path)).collect();
        for name in names {
            let hash = match self.host.read(&self.root.join(&name)) {
                Err(ReadError::Missing | ReadError::NotAFile) => continue,
                Ok(bytes) if !fits(&name, &bytes) => continue,
                Ok(bytes) => sha256(&bytes),
                Err(error) => error.to_string(),
            };
            is_there = true;
            let name = name.display().to_string();
            if self.found.iter().all(|(known, _)| *known != name) {
                self.found.push((name, hash));
            }
        }
        is_there
    }
}

fn is_document(name: &Path) -> bool {
    let ending = name.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| DOCUMENTS.contains(&ending.as_str()))
}

/// Says whether nobody knows which program a word names: a variable holds it, or a command writes it.
fn is_unknown(word: &str) -> bool {
    word.starts_with('$') && !word.contains('/')
}

/// Says whether a word is a program for scripts. Behind a program that starts others it may stand anywhere, and a dot there
/// is a folder.
fn may_run(place: Place, is_wrapped: bool, name: &str) -> bool {
    starts_script(name) && (place == Place::First || is_wrapped) && !(is_wrapped && name == ".")
}

/// Returns the code that a flag of a program for scripts says is next.
fn code_of<'w>(flag: &str, is_shell: bool, words: &mut impl Iterator<Item = &'w String>) -> Option<&'w str> {
    if !is_shell {
        let is_code = matches!(flag, "-c" | "-e" | "-E" | "--eval" | "--print" | "-ne" | "-pe");
        return is_code.then(|| words.next().map_or("", String::as_str));
    }
    if flag.starts_with("--") || !flag.contains('c') {
        return None;
    }
    // More flags may come before it, and `-o` has a name behind it.
    let mut flag = flag;
    loop {
        if flag.ends_with('o') {
            words.next();
        }
        match words.next() {
            Some(next) if next.starts_with(['-', '+']) => flag = next,
            next => return Some(next.map_or("", String::as_str)),
        }
    }
}

/// Says whether a word, which stood in quotes, may be more than the name of a program.
fn is_spoken(word: &str) -> bool {
    word.contains(|each: char| each.is_whitespace() || ";|&".contains(each))
}

/// Says whether a word gives a variable a value.
fn is_assigned(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|each| each.is_alphanumeric() || each == '_')
}

/// Says whether a word before a program says how it is started.
fn is_setting(word: &str) -> bool {
    word.starts_with('-') || word.starts_with(|each: char| each.is_ascii_digit())
}

#[cfg(test)]
mod tests;
