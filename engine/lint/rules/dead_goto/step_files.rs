//! Jumps of step files to a number that no step file has.

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
    let mut jumps = jumps.filter_map(to_number).peekable();
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
    let mut is_there = |label: &str| {
        let says = |numbers: &Numbers<'_>| numbers.is_headed(label) || numbers.is_listed(label);
        let is_told = || numbers.get_or_init(read).iter().any(says);
        is_named(label.trim_start_matches('0')) || *known.entry(label.to_owned()).or_insert_with(is_told)
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

/// Returns the number that a jump leads to, and where it stands.
fn to_number(lift: Lift) -> Option<(String, Span)> {
    match lift.kind {
        LiftKind::Goto { label, label_span, .. } if label.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((label, label_span))
        }
        _ => None,
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Collects the numbers in the names of the step files beside those of the workflow, without zeros before them.
fn named<'a>(unit: &WorkflowUnit<'a>, files: &[&Document]) -> QuickSet<&'a str> {
    let folders: QuickSet<&str> = files.iter().map(|file| file.source.path().folder_str()).collect();
    let documents = unit.subject.library.documents();
    let beside = documents
        .filter(|document| document.role == Role::StepFile && folders.contains(document.source.path().folder_str()));
    beside.flat_map(in_name).collect()
}

/// Returns the numbers in the name of a file, without zeros before them.
fn in_name(document: &Document) -> impl Iterator<Item = &str> {
    let parts = document.source.path().stem().split(|letter| !is_digit(letter));
    parts
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_start_matches('0'))
}
