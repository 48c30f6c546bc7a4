//! Step files that no workflow leads to.

use crate::diagnostic::{Code, Severity};
use crate::lint::facts::is_record;
use crate::lint::sentence::{around, words};
use crate::lint::{Check, Findings, ProjectUnit, Rule};
use crate::model::{Document, Role, loads};
use crate::source::{ByteSet, ProjectPath, QuickMap, QuickSet, SourceId};
use memchr::memmem::Finder;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

pub(super) const RULE: Rule = Rule {
    code: Code("unreachable-file"),
    severity: Severity::Warning,
    summary: "no workflow leads to a step file",
    page: include_str!("../../../spec/rules/unreachable-file.md"),
    check: Check::Project(check),
};

/// Folders that hold what workflows look like, not what runs.
const MATERIAL: &[&str] = &["template", "templates", "docs", "example", "examples", "samples"];

/// Words that say to do what stands in files, besides those that say to load them.
const GOING: &[&str] = &["go", "goes", "walk", "work", "process", "apply"];

/// Words before a folder that mean whatever is in it.
const ALL: &[&str] = &["all", "each", "every", "any", "use", "uses", "in", "from"];

fn check(unit: &ProjectUnit<'_>, findings: &mut Findings) {
    let lost = lost(unit);
    if lost.is_empty() {
        return;
    }
    let ties = ties(unit, &lost);
    let saved = spread(&ties, ties.keys().copied().filter(|from| !lost.contains_key(from)));
    let ties: BTreeMap<SourceId, BTreeSet<SourceId>> =
        ties.into_iter().filter(|(from, _)| !saved.contains(from)).collect();
    let left: Vec<SourceId> = lost.keys().copied().filter(|file| !saved.contains(file)).collect();
    for (file, more) in beginnings(&left, &ties) {
        let document = unit.subject.library.document(file);
        let at = document
            .parsed
            .markdown
            .headings
            .first()
            .map_or(document.source.span(0, 0), |heading| heading.span);
        let found = findings.add(at, "no workflow leads to this step file".to_owned());
        found.help = Some(match more {
            0 => "name it where its step is due (`Read fully and follow: ./…`), or delete it".to_owned(),
            1 => {
                "name it where its step is due (`Read fully and follow: ./…`); another step file hangs on it".to_owned()
            }
            _ => format!(
                "name it where its step is due (`Read fully and follow: ./…`); {more} more step files hang on it"
            ),
        });
    }
}

/// Returns the step files that belong to no workflow, with the folder of the workflow they lie in.
fn lost(unit: &ProjectUnit<'_>) -> BTreeMap<SourceId, ProjectPath> {
    let library = unit.subject.library;
    let workflows = unit.subject.workflows;
    let reached: QuickSet<SourceId> = workflows
        .iter()
        .flat_map(|workflow| workflow.files.iter().copied())
        .collect();
    let homes: QuickSet<ProjectPath> = workflows
        .iter()
        .map(|workflow| library.source(workflow.home).path().folder())
        .collect();
    // Only a name says that a file can be nothing but a step.
    let is_step =
        |document: &&Document| document.role == Role::StepFile && document.source.path().name().starts_with("step-");
    let steps = library.documents().filter(is_step);
    steps
        .filter(|document| !reached.contains(&document.source.id()))
        .filter(|document| {
            !document
                .source
                .path()
                .folder()
                .parts()
                .any(|part| MATERIAL.contains(&part))
        })
        .filter_map(|document| Some((document.source.id(), home(&document.source.path().folder(), &homes)?)))
        .collect()
}

/// Returns the folder of the workflow that a folder is in: itself, or up to two above it.
fn home(folder: &ProjectPath, homes: &QuickSet<ProjectPath>) -> Option<ProjectPath> {
    let above = folder.folder();
    [folder.clone(), above.clone(), above.folder()]
        .into_iter()
        .find(|folder| homes.contains(folder))
}

/// Returns which files name which lost ones all the same: by name, by a path that could not be followed, by their folder.
fn ties(unit: &ProjectUnit<'_>, lost: &BTreeMap<SourceId, ProjectPath>) -> BTreeMap<SourceId, BTreeSet<SourceId>> {
    let library = unit.subject.library;
    let finder = Finder::new("tep-");
    let mut stems: QuickMap<&str, Vec<(SourceId, &ProjectPath)>> = QuickMap::default();
    let mut folders: BTreeMap<(&ProjectPath, String), Vec<SourceId>> = BTreeMap::new();
    for (file, home) in lost {
        let path = library.source(*file).path();
        stems.entry(path.stem()).or_default().push((*file, home));
        folders
            .entry((home, format!("{}/", path.folder().name())))
            .or_default()
            .push(*file);
    }
    let mut ties: BTreeMap<SourceId, BTreeSet<SourceId>> = BTreeMap::new();
    for document in library.documents().filter(|document| speaks(document)) {
        let from = document.source.id();
        for (before, stem) in step_names(&finder, document.source.text()) {
            for (file, home) in stems.get(stem).into_iter().flatten().filter(|(file, _)| *file != from) {
                let path = library.source(*file).path();
                let beside = document
                    .source
                    .path()
                    .beside(path.name())
                    .filter(|beside| beside != path);
                let near = document.source.path().is_in(home) && !beside.is_some_and(|beside| library.exists(&beside));
                if near || before.ends_with(&path_before(path, home)) {
                    ties.entry(from).or_default().insert(*file);
                }
            }
        }
        for ((home, folder), files) in &folders {
            if document.role.instructs()
                && document.source.path().is_in(home)
                && names_folder(document.source.text(), folder)
            {
                ties.entry(from)
                    .or_default()
                    .extend(files.iter().copied().filter(|file| *file != from));
            }
        }
    }
    ties
}

/// Says whether a file leads anywhere: templates, descriptions for people and lists of what was installed do not.
fn speaks(document: &Document) -> bool {
    let is_for_people = document.source.path().name().to_ascii_lowercase().starts_with("readme");
    document.role != Role::Template && !is_for_people && !is_record(document)
}

/// Returns the path from the workflow's folder, with its name, to the folder of a step file: `review/steps/`.
fn path_before(path: &ProjectPath, home: &ProjectPath) -> String {
    let folder = path.folder();
    let inside = folder.as_str().strip_prefix(home.as_str()).unwrap_or(folder.as_str());
    format!("{}{inside}/", home.name())
}

/// What the names of step files are written with.
static NAME_BYTES: ByteSet = ByteSet::of(b"_-.").and_alphanumeric();

/// Returns the names of step files in a text, without their extension, each with the text before it.
fn step_names<'t>(finder: &Finder<'_>, text: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    finder.find_iter(text.as_bytes()).filter_map(move |at| {
        let start = at
            .checked_sub(1)
            .filter(|start| matches!(text.as_bytes()[*start], b's' | b'S'))?;
        let whole = !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        whole.then(|| {
            let length = text.as_bytes()[start..].iter().position(|byte| !NAME_BYTES.has(*byte));
            let end = length.map_or(text.len(), |length| start + length);
            let name = text[start..end].trim_end_matches('.');
            (&text[..start], name.strip_suffix(".md").unwrap_or(name))
        })
    })
}

/// Says whether a text names a folder and leaves open which of its files is meant: `./steps/`, `steps/step-*.md`. What
/// only says what a folder is for leads to none of them.
fn names_folder(text: &str, folder: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), folder.as_bytes()).any(|at| {
        let whole = !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let rest = &text[at + folder.len()..];
        let name = rest
            .split(|c: char| c.is_whitespace() || "`\"')".contains(c))
            .next()
            .unwrap_or_default();
        let is_open = name.contains(['*', '{', '[', '<']);
        whole && (is_open || !name.contains(char::is_alphanumeric) && !is_described(text, at..at + folder.len()))
    })
}

/// Says whether a text says what a folder is for, or what its files are called, and not what to do with them: `Create mode
/// (steps-c/)`, `files such as steps-c/...`. Only English is read so.
fn is_described(text: &str, place: Range<usize>) -> bool {
    let sentence = around(text, 0, place.start);
    let (before, rest) = (&text[sentence.start..place.start], &text[place.end..]);
    let marks = |at: char| matches!(at, '`' | '*' | '_' | '"' | '.' | '/' | ' ');
    let label = before.trim_end_matches(marks).strip_suffix('(').map(str::trim_end);
    let is_mode = label.is_some_and(|label| label.to_ascii_lowercase().ends_with(" mode"));
    let is_aside = is_mode && rest.trim_start_matches(marks).starts_with(')');
    let is_pattern = rest.starts_with("...") || rest.starts_with('…');
    let is_foreign = |at: char| at.is_alphabetic() && !at.is_ascii();
    if !is_aside && !is_pattern || text[sentence.clone()].contains(is_foreign) {
        return false;
    }
    let mut said = words(text, sentence.start..place.start);
    let takes_all = said.iter().any(|word| word.is_in(ALL));
    said.extend(words(text, place.end..sentence.end.max(place.end)));
    !takes_all && !said.iter().any(|word| loads(word.text) || word.is_in(GOING))
}

/// Returns what can be reached from the starting files.
fn spread(ties: &BTreeMap<SourceId, BTreeSet<SourceId>>, start: impl Iterator<Item = SourceId>) -> HashSet<SourceId> {
    let mut waiting: Vec<SourceId> = start.collect();
    let mut seen: HashSet<SourceId> = waiting.iter().copied().collect();
    while let Some(file) = waiting.pop() {
        waiting.extend(
            ties.get(&file)
                .into_iter()
                .flatten()
                .copied()
                .filter(|next| seen.insert(*next)),
        );
    }
    seen
}

/// Returns the files that no other one leads to, with how many more hang on each; of a circle, its first.
fn beginnings(left: &[SourceId], ties: &BTreeMap<SourceId, BTreeSet<SourceId>>) -> Vec<(SourceId, usize)> {
    let named: HashSet<SourceId> = ties.values().flatten().copied().collect();
    let (circles, first): (Vec<SourceId>, Vec<SourceId>) = left.iter().copied().partition(|file| named.contains(file));
    let mut told: HashSet<SourceId> = HashSet::new();
    let mut found = Vec::new();
    for file in first.into_iter().chain(circles) {
        if told.contains(&file) {
            continue;
        }
        let before = told.len();
        told.extend(spread(ties, [file].into_iter()));
        found.push((file, told.len() - before - 1));
    }
    found.sort();
    found
}
