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
    let is_part = |label: &str, letter: &str| {
        is_lettered(unit, &files, label) || files.iter().any(|file| has_letter(file.source.text(), label, letter))
    };
    let mut is_there = |label: &str| {
        let (number, letter) = label.split_at(label.trim_end_matches(is_letter).len());
        let is_told = || {
            if letter.is_empty() {
                is_told(number)
            } else {
                is_part(label, letter)
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
    let is_numbered = |label: &str| {
        let number = label.strip_suffix(is_letter).unwrap_or(label);
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    match lift.kind {
        LiftKind::Goto { label, label_span, .. } if is_numbered(&label) => Some((label, label_span)),
        _ => None,
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic()
}

/// Says whether a line of a text has a letter, or the label that it is part of, where it may be that of a section: in a
/// heading, a bold line or a row of a table, or at the beginning of any other.
fn has_letter(text: &str, label: &str, letter: &str) -> bool {
    const FIRST: usize = 3;
    text.lines().any(|line| {
        let mut words = line
            .split(|at: char| !at.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let is_letter = |word: &str| word.eq_ignore_ascii_case(letter);
        let is_label = |word: &str| word.eq_ignore_ascii_case(label);
        match line.trim_start().starts_with(['#', '|', '*']) {
            true => words.any(|word| is_letter(word) || is_label(word)),
            false => words.clone().next().is_some_and(is_letter) || words.take(FIRST).any(is_label),
        }
    })
}

/// Says whether the name of a step file has a number with this letter: `step-02b-chorus`.
fn is_lettered(unit: &WorkflowUnit<'_>, files: &[&Document], label: &str) -> bool {
    let label = label.trim_start_matches('0');
    beside(unit, files).any(|file| {
        let mut parts = file.source.path().stem().split(|at: char| !at.is_ascii_alphanumeric());
        parts.any(|part| part.trim_start_matches('0').eq_ignore_ascii_case(label))
    })
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
