//! Files that are read, listed, written and checked, inside the project only.

use super::crew::Crew;
use crate::host::{EntryKind, ReadError};
use crate::machine::{Claim, Failure, FailureKind, GITS, How, Key, Outcome, Write, installation, section, sha256};
use crate::project::fits_path;
use crate::source::{ProjectPath, is_gits};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// How deep folders are listed.
const MAX_DEPTH: usize = 16;
/// How many paths a pattern may match.
const MAX_LISTED: usize = 10_000;

/// Where a path is on the disk.
struct Inside {
    /// As it is named.
    full: PathBuf,
    /// Where its links lead, as seen from the project.
    real: PathBuf,
}

/// Returns where a path is on the disk; links must not lead out of the project.
fn inside(path: &str, crew: &Crew) -> Result<PathBuf, Failure> {
    located(path, crew).map(|inside| inside.full)
}

/// Returns where a path is on the disk that is about to be written; links must not lead into what belongs to git or to the
/// installation either.
pub(super) fn writable(path: &str, crew: &Crew) -> Result<PathBuf, Failure> {
    let Inside { full, real } = located(path, crew)?;
    let real = real.to_string_lossy().replace('\\', "/");
    let denied = |why: &str| Failure {
        kind: FailureKind::Escapes,
        message: format!("`{path}` leads to `{real}`, which {why}"),
    };
    if real.split('/').any(is_gits) {
        return Err(denied(GITS));
    }
    let is_installed = |path: &str| installation(path, &crew.installations).is_some();
    if is_installed(&real) && !is_installed(path) {
        return Err(denied("is part of the installation, which no workflow changes"));
    }
    Ok(full)
}

fn located(path: &str, crew: &Crew) -> Result<Inside, Failure> {
    let escapes = || Failure {
        kind: FailureKind::Escapes,
        message: format!("`{path}` leads out of the project"),
    };
    let path = ProjectPath::new(path).ok_or_else(escapes)?;
    let full = crew.root.join(path.as_str());
    let root = crew
        .workspace
        .resolve(&crew.root)
        .map_or_else(|| crew.root.clone(), |root| root.path);
    let known = full
        .ancestors()
        .find_map(|part| Some((part, crew.workspace.resolve(part)?)));
    let real = match known {
        Some((part, real)) => {
            let below = real.path.strip_prefix(&root).map_err(|_| escapes())?;
            below.join(full.strip_prefix(part).unwrap_or(Path::new("")))
        }
        None => PathBuf::from(path.as_str()),
    };
    Ok(Inside { full, real })
}

fn failed(path: &str, why: &str) -> Failure {
    Failure {
        kind: FailureKind::Files,
        message: format!("`{path}`: {why}"),
    }
}

pub(super) fn read(path: &str, crew: &Crew) -> Outcome {
    match text(path, crew) {
        Ok(text) => Outcome::Contents { text, sha256: None },
        Err(failure) => Outcome::Failed(failure),
    }
}

/// Returns the text of a file; nothing where it is not there.
pub(super) fn text(path: &str, crew: &Crew) -> Result<Option<String>, Failure> {
    let full = inside(path, crew)?;
    match crew.workspace.read(&full) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| failed(path, "not UTF-8 text")),
        Err(ReadError::Missing | ReadError::NotAFile) => Ok(None),
        Err(error) => Err(failed(path, &error.to_string())),
    }
}

/// Returns the hash of a file; nothing where it is not there.
pub(super) fn hash(path: &str, crew: &Crew) -> Option<String> {
    let now = inside(path, crew).ok().and_then(|full| crew.workspace.read(&full).ok());
    now.map(|bytes| sha256(&bytes))
}

pub(super) fn list(pattern: &str, crew: &Crew) -> Outcome {
    let fixed: PathBuf = pattern
        .split('/')
        .take_while(|part| !part.contains(['*', '?', '[', '{']))
        .collect();
    let start = if fixed.as_os_str().len() == pattern.len() {
        PathBuf::new()
    } else {
        fixed
    };
    if inside(&start.to_string_lossy(), crew).is_err() {
        return Outcome::Listed { paths: Vec::new() };
    }
    let mut paths = Vec::new();
    let mut folders = vec![(start, 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in crew.workspace.list(&crew.root.join(&folder)) {
            let path = folder.join(&entry.name);
            let name = path.to_string_lossy().replace('\\', "/");
            match entry.kind {
                EntryKind::Folder if depth < MAX_DEPTH && entry.name != ".git" => folders.push((path, depth + 1)),
                EntryKind::File if fits_path(pattern, &name) => paths.push(name),
                EntryKind::File | EntryKind::Folder | EntryKind::Link => {}
            }
            if paths.len() >= MAX_LISTED {
                break;
            }
        }
    }
    paths.sort();
    // The index of a sharded document says what the others are about: it is read first.
    paths.sort_by_key(|path| path.rsplit('/').next().is_none_or(|name| name != "index.md"));
    Outcome::Listed { paths }
}

/// What may have been left behind in the place of a section.
#[derive(Debug, Default)]
pub(super) struct LeftBehind {
    /// The texts, the likeliest first.
    pub(super) texts: Vec<String>,
    /// The hash of the file as the run left it, where nobody else is known to have changed it before.
    pub(super) hash: Option<String>,
}

impl LeftBehind {
    /// Returns the text that stands in a document. Where somebody else changed the document since, the same words within
    /// a line may be theirs, or those of the template.
    fn standing(&self, document: &str, name: &str) -> Option<&String> {
        if self.texts.is_empty() {
            return None;
        }
        let is_own = self.hash.as_deref() == Some(sha256(document.as_bytes()).as_str());
        let stands = if is_own { section::stands } else { section::stands_alone };
        self.texts.iter().find(|text| stands(document, name, text))
    }
}

/// A write, with what may have been left behind in its place.
type Over<'a> = (&'a Write, &'a LeftBehind);

pub(super) fn write(over: Over<'_>, key: &Key, crew: &Crew) -> Outcome {
    match written(over, key, crew) {
        Ok(outcome) => outcome,
        Err(failure) => Outcome::Failed(failure),
    }
}

fn written(over: Over<'_>, key: &Key, crew: &Crew) -> Result<Outcome, Failure> {
    let (write, _) = over;
    writable(&write.path, crew)?;
    let now = text(&write.path, crew)?;
    // A write that was cut off and is made again must not take its own text for what was there before.
    let before = (crew.keep)(&key.file_name(), now.as_deref().map(str::as_bytes))
        .map_err(|error| failed(&write.path, &error.to_string().to_lowercase()))?;
    let kept = before
        .as_deref()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let redone = wanted(over, kept.as_deref(), crew)?;
    let text = match now.as_deref() {
        // The write was made before and only its record is missing.
        Some(now) if now == redone => redone,
        now => wanted(over, now, crew)?,
    };
    if now.as_deref() != Some(text.as_str()) {
        // An agent that is at work may have made a link meanwhile.
        let full = writable(&write.path, crew)?;
        crew.workspace
            .write(&full, text.as_bytes())
            .map_err(|error| failed(&write.path, &error.to_string().to_lowercase()))?;
    }
    Ok(Outcome::Written {
        sha256: sha256(text.as_bytes()),
        before: before.map(|bytes| sha256(&bytes)),
    })
}

/// Returns what a file holds after a write, from what it holds before. The machine never saw the secrets of the file: they
/// are put back where it has their masks.
fn wanted(over: Over<'_>, now: Option<&str>, crew: &Crew) -> Result<String, Failure> {
    let (write, _) = over;
    let text = placed(over, now);
    let whole = now.map(|now| crew.secrets.unmasked(&text, now)).transpose();
    let whole = whole.map_err(|unclear| failed(&write.path, &unclear.to_string()))?;
    Ok(match whole {
        Some(Cow::Owned(whole)) => whole,
        Some(Cow::Borrowed(_)) | None => text,
    })
}

fn placed((write, left): Over<'_>, now: Option<&str>) -> String {
    match (&write.how, now) {
        (How::Replace, _) | (How::Start, None) => write.text.clone(),
        (How::Start, Some(text)) => text.to_owned(),
        (How::Section { name, previous }, text) => {
            let text = text.unwrap_or_default();
            let left = left.standing(text, name);
            section::place(text, name, &write.text, left.or(previous.as_ref()).map(String::as_str)).text
        }
    }
}

/// Checks what an agent claims, and says of each claim that does not hold why. However many claims are made about a file,
/// it is read once.
pub(super) fn verify(claims: &[Claim], crew: &Crew) -> Outcome {
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by_key(|at| named(&claims[*at]));
    let mut wrong = Vec::new();
    let mut file: Option<((&str, bool), Claimed)> = None;
    for at in order {
        let claim = &claims[at];
        let named = named(claim);
        let same = file.take().filter(|(known, _)| *known == named);
        let (_, read) = file.insert(same.unwrap_or_else(|| (named, Claimed::read(named, crew))));
        wrong.extend(read.refute(claim).map(|why| (at, why)));
    }
    wrong.sort_by_key(|(at, _)| *at);
    Outcome::Verified { wrong }
}

/// Returns the file that a claim is about, and whether it was only read.
fn named(claim: &Claim) -> (&str, bool) {
    match claim {
        Claim::File { path, instruction, .. } => (path, instruction.is_some()),
        Claim::Quote { path, .. } => (path, true),
    }
}

/// Returns where a file is on the disk that somebody says they read: in the project, or where the workflow is kept.
fn readable(path: &str, crew: &Crew) -> Result<PathBuf, Failure> {
    let full = Path::new(path);
    if !full.is_absolute() {
        return inside(path, crew);
    }
    let real = |path: &Path| crew.workspace.resolve(path).map(|found| found.path);
    // What is not there is said when it is read.
    let is_below =
        |folder: &Path| real(full).is_none_or(|it| real(folder).is_some_and(|folder| it.starts_with(folder)));
    if is_below(&crew.root) || is_below(&crew.home) {
        return Ok(full.to_path_buf());
    }
    Err(Failure {
        kind: FailureKind::Escapes,
        message: format!("`{path}` leads out of the project and is no file of the workflow; show a file of these"),
    })
}

/// A file that something is claimed about.
struct Claimed {
    bytes: Result<Vec<u8>, String>,
    /// Its words, once somebody quotes them, with one space between them.
    plain: Option<String>,
}

impl Claimed {
    fn read((path, is_read): (&str, bool), crew: &Crew) -> Self {
        let relative = path.strip_prefix(&format!("{}/", crew.root.display())).unwrap_or(path);
        let missing = |_| format!("`{path}` was claimed and is not there");
        let found = match is_read {
            true => readable(relative, crew),
            false => inside(relative, crew),
        };
        let bytes = match found {
            Ok(full) => crew.workspace.read(&full).map_err(missing),
            Err(failure) => Err(failure.message),
        };
        Self { bytes, plain: None }
    }

    fn refute(&mut self, claim: &Claim) -> Option<String> {
        let bytes = match &self.bytes {
            Ok(bytes) => bytes,
            Err(why) => return Some(why.clone()),
        };
        match claim {
            Claim::File {
                path,
                sha256: Some(claimed),
                ..
            } if *claimed != sha256(bytes) => Some(format!("`{path}` does not have the SHA-256 that was claimed")),
            Claim::Quote { path, quote, .. } => {
                let text = || plain(&String::from_utf8_lossy(bytes));
                let holds = self.plain.get_or_insert_with(text).contains(&plain(quote));
                (!holds).then(|| format!("`{path}` does not hold the words that were quoted"))
            }
            Claim::File { .. } => None,
        }
    }
}

/// Returns the words of a text: how its white space is set does not count.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
