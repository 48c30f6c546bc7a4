//! Jumps of step files to a number that no step file has, or to a letter of it that nothing has.

use super::section::Numbers;
use super::{labels, listed};
use crate::lint::{Findings, WorkflowUnit};
use crate::model::{Document, Lift, LiftKind, Origin, Role};
use crate::source::{QuickSet, Span};
use std::cell::{LazyCell, OnceCell};
use std::collections::HashMap;

/// Reports the jumps of numbered step files that lead to no file, heading or item of a list.
///
/// In a step file "step 3" may be a part of the same file, so any of them will do.
pub(super) fn check(unit: &WorkflowUnit<'_>, findings: &mut Findings) {
    let library = unit.subject.library;
    let files: Vec<&Document> = unit.workflow.files.iter().map(|file| library.document(*file)).collect();
    let steps = files.iter().filter(|file| file.role == Role::StepFile);
    let numbered: Vec<&&Document> = steps
        .filter(|file| file.source.path().stem().contains(is_digit))
        .collect();
    let is_whole = unit.workflow.steps.iter().all(|step| step.origin != Origin::Tag);
    if numbered.len() < 2 || !is_whole {
        return;
    }
    let jumps = numbered.iter().flat_map(|file| file.lifts_in(file.body(), is_jump));
    let mut jumps = jumps.filter_map(to_label).peekable();
    if jumps.peek().is_none() {
        return;
    }
    // Nearly all jumps lead to a file, and each number is looked for once.
    let own: QuickSet<&str> = numbered.iter().flat_map(|file| in_name(file)).collect();
    let beside: OnceCell<QuickSet<&str>> = OnceCell::new();
    let is_named = |number: &str| own.contains(number) || beside.get_or_init(|| named(unit, &files)).contains(number);
    let numbers: OnceCell<Vec<Numbers<'_>>> = OnceCell::new();
    let read = || files.iter().map(|file| Numbers::of(file.source.text())).collect();
    let mut known: HashMap<String, bool> = HashMap::new();
    let is_told = |number: &str| {
        let says = |numbers: &Numbers<'_>| numbers.is_headed(number) || numbers.is_listed(number);
        numbers.get_or_init(read).iter().any(says)
    };
    let letters: OnceCell<Letters> = OnceCell::new();
    let lettered: OnceCell<QuickSet<String>> = OnceCell::new();
    let is_part = |label: &str| {
        let read = || Letters::of(files.iter().map(|file| file.source.text()));
        let names = lettered.get_or_init(|| lettered_names(unit, &files));
        names.contains(&folded(label)) || letters.get_or_init(read).has(label)
    };
    let mut is_there = |label: &str| {
        let (number, letter) = label.split_at(label.trim_end_matches(is_letter).len());
        let is_told = || {
            if letter.is_empty() {
                is_told(number)
            } else {
                is_part(label)
            }
        };
        let is_named = letter.is_empty() && is_named(number.trim_start_matches('0'));
        is_named || *known.entry(label.to_owned()).or_insert_with(is_told)
    };
    let there = LazyCell::new(|| listed(&labels(&unit.workflow.steps)));
    for (label, span) in jumps.filter(|(label, _)| !is_there(label)) {
        let found = findings.add(span, format!("no step `{label}` in this workflow"));
        found.help = Some(there.clone());
    }
}

fn is_jump(lift: &Lift) -> bool {
    matches!(lift.kind, LiftKind::Goto { .. })
}

/// Returns the label that a jump leads to, a number and maybe a letter, and where it stands.
fn to_label(lift: Lift) -> Option<(String, Span)> {
    match lift.kind {
        LiftKind::Goto { label, label_span, .. } if is_label(&label) => Some((label, label_span)),
        _ => None,
    }
}

/// Says whether a word is a number, maybe with a letter behind it.
fn is_label(word: &str) -> bool {
    let number = word.strip_suffix(is_letter).unwrap_or(word);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic()
}

/// The letters, and the labels that end in one, that stand where they may be those of sections: in a heading, a bold line
/// or a row of a table, or at the beginning of any other line.
struct Letters(QuickSet<String>);

impl Letters {
    /// How many words of a line may be its label.
    const FIRST: usize = 3;

    fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut found = QuickSet::default();
        for line in texts.flat_map(str::lines) {
            let words = line.split(|at: char| !at.is_alphanumeric());
            let words = words.filter(|word| !word.is_empty()).enumerate();
            let is_headed = line.trim_start().starts_with(['#', '|', '*']);
            let may_stand = |at: usize, word: &str| is_headed || at < if is_label(word) { Self::FIRST } else { 1 };
            let told = words.filter(|(at, word)| (is_label(word) || word.len() == 1) && may_stand(*at, word));
            found.extend(told.map(|(_, word)| word.to_ascii_lowercase()));
        }
        Self(found)
    }

    /// Says whether a label or its letter may be that of a section.
    fn has(&self, label: &str) -> bool {
        let label = label.to_ascii_lowercase();
        let letter = label.trim_start_matches(|at: char| at.is_ascii_digit());
        self.0.contains(letter) || self.0.contains(&label)
    }
}

/// Collects the numbers with a letter in the names of step files: `step-02b-chorus`.
fn lettered_names(unit: &WorkflowUnit<'_>, files: &[&Document]) -> QuickSet<String> {
    let mut found = QuickSet::default();
    for file in beside(unit, files) {
        let parts = file.source.path().stem().split(|at: char| !at.is_ascii_alphanumeric());
        found.extend(parts.filter(|part| is_label(part)).map(folded));
    }
    found
}

/// Returns a label as it is compared: without zeros before it, in small letters.
fn folded(label: &str) -> String {
    label.trim_start_matches('0').to_ascii_lowercase()
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Collects the numbers in the names of the step files beside those of the workflow, without zeros before them.
fn named<'a>(unit: &WorkflowUnit<'a>, files: &[&Document]) -> QuickSet<&'a str> {
    beside(unit, files).flat_map(in_name).collect()
}

/// Returns the step files beside those of the workflow, and those.
fn beside<'a>(unit: &WorkflowUnit<'a>, files: &[&Document]) -> impl Iterator<Item = &'a Document> + use<'a> {
    let folders: QuickSet<String> = files
        .iter()
        .map(|file| file.source.path().folder_str().to_owned())
        .collect();
    let documents = unit.subject.library.documents();
    documents.filter(move |document| {
        document.role == Role::StepFile && folders.contains(document.source.path().folder_str())
    })
}

/// Returns the numbers in the name of a file, without zeros before them.
fn in_name(document: &Document) -> impl Iterator<Item = &str> {
    let parts = document.source.path().stem().split(|letter| !is_digit(letter));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_start_matches('0'))
}
