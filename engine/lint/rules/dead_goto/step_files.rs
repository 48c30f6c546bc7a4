//! Jumps of step files to a number that no step file has.

use super::listed;
use super::section::Numbers;
use crate::lint::{Findings, WorkflowUnit};
use crate::model::{Document, Lift, LiftKind, Origin, Role};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Reports the jumps of numbered step files that lead to no file, heading or item of a list.
///
/// In a step file "step 3" may be a part of the same file, so any of them will do.
pub(super) fn check(unit: &WorkflowUnit<'_>, labels: &[&str], findings: &mut Findings) {
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
    // Nearly all jumps lead to a file, and each number is looked for once.
    let numbers: OnceCell<Vec<Numbers<'_>>> = OnceCell::new();
    let read = || files.iter().map(|file| Numbers::of(file.source.text())).collect();
    let mut known: HashMap<String, bool> = HashMap::new();
    let mut is_there = |label: &str| {
        *known.entry(label.to_owned()).or_insert_with(|| {
            let says = |numbers: &Numbers<'_>| numbers.is_headed(label) || numbers.is_listed(label);
            is_named(unit, &files, label) || numbers.get_or_init(read).iter().any(says)
        })
    };
    let is_jump = |lift: &Lift| matches!(lift.kind, LiftKind::Goto { .. });
    for lift in numbered.iter().flat_map(|file| file.lifts_in(file.body(), is_jump)) {
        let LiftKind::Goto { label, label_span, .. } = lift.kind else {
            continue;
        };
        if !label.bytes().all(|byte| byte.is_ascii_digit()) || is_there(&label) {
            continue;
        }
        let found = findings.add(label_span, format!("no step `{label}` in this workflow"));
        found.help = Some(listed(labels));
    }
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Says whether a step file has the number.
fn is_named(unit: &WorkflowUnit<'_>, files: &[&Document], label: &str) -> bool {
    let number = label.trim_start_matches('0');
    let named = |document: &Document| {
        let mut numbers = document.source.path().stem().split(|letter| !is_digit(letter));
        numbers.any(|part| !part.is_empty() && part.trim_start_matches('0') == number)
    };
    let beside = |document: &&Document| {
        let folder = document.source.path().folder();
        document.role == Role::StepFile && files.iter().any(|file| file.source.path().folder() == folder)
    };
    unit.subject.library.documents().filter(beside).any(named)
}
