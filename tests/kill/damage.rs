//! Journals that are not what they were: a torn end is no damage, anything else is.

use super::after::{Standing, Tally, Undisturbed};
use super::case::{Case, Workflow, copy};
use super::has_tools;
use super::sites::{inject, words};
use std::fs;
use std::path::PathBuf;

/// A run that was ended in the middle, and can be put back to that.
struct Stopped {
    case: Case,
    wanted: Undisturbed,
    saved: tempfile::TempDir,
    journal: PathBuf,
    bytes: Vec<u8>,
}

impl Stopped {
    fn new(workflow: Workflow, sync: usize) -> Self {
        let case = Case::new(workflow).unwrap();
        let wanted = Undisturbed::of(&case);
        case.reset();
        let ended = case.run(&words(&inject("fdatasync", sync, "signal=SIGKILL")), &case.exec());
        assert!(ended.is_killed(), "{ended:?}");
        let saved = tempfile::tempdir().unwrap();
        copy(case.state().parent().unwrap(), saved.path());
        let journal = case.journal().unwrap();
        let bytes = fs::read(&journal).unwrap();
        Self {
            case,
            wanted,
            saved,
            journal,
            bytes,
        }
    }

    /// Puts everything back and gives the journal these bytes.
    fn with(&self, bytes: &[u8]) {
        self.case.reset();
        copy(self.saved.path(), self.case.state().parent().unwrap());
        fs::write(&self.journal, bytes).unwrap();
    }

    /// Returns where each line begins, and the end.
    fn starts(&self) -> Vec<usize> {
        let ends = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
    }
}

/// Cuts the last line at every `stride`th byte.
pub(crate) fn torn_anywhere(stride: usize) -> Tally {
    let stopped = Stopped::new(Workflow::Nested, 12);
    let starts = stopped.starts();
    let (from, to) = (starts[starts.len() - 2], starts[starts.len() - 1]);
    let mut tally = Tally::default();
    for end in (from..to).step_by(stride) {
        stopped.with(&stopped.bytes[..end]);
        tally.settle(&format!("torn at byte {}", end - from), &stopped.case, &stopped.wanted);
    }
    tally
}

#[test]
fn a_torn_last_line_was_never_promised_and_is_done_again() {
    if has_tools(&["strace"]) {
        torn_anywhere(41).assert_sound();
    }
}

#[test]
fn a_torn_first_line_is_a_run_that_never_began() {
    if !has_tools(&["strace"]) {
        return;
    }
    let stopped = Stopped::new(Workflow::Nested, 1);
    let mut tally = Tally::default();
    for end in (0..stopped.bytes.len()).step_by(67) {
        stopped.with(&stopped.bytes[..end]);
        assert!(Standing::of(&stopped.case).is_empty());
        tally.settle(&format!("torn at byte {end}"), &stopped.case, &stopped.wanted);
    }
    tally.assert_sound();
}

/// Resumes with this journal: it has to end with 4, name the line, and touch nothing.
fn refused(stopped: &Stopped, what: &str, line: usize, bytes: &[u8]) {
    stopped.with(bytes);
    let (files, calls) = (stopped.case.files(), stopped.case.calls());
    let ended = stopped.case.run(&[], &stopped.case.resume());
    assert_eq!(ended.code, 4, "{what}: {ended:?}");
    assert!(
        ended.errors.contains(&format!("journal line {line} is damaged")),
        "{what}: {}",
        ended.errors
    );
    assert_eq!(fs::read(&stopped.journal).unwrap(), bytes, "{what}");
    assert_eq!((stopped.case.files(), stopped.case.calls()), (files, calls), "{what}");
}

#[test]
fn a_line_that_was_changed_is_damage_wherever_it_is() {
    if !has_tools(&["strace"]) {
        return;
    }
    let stopped = Stopped::new(Workflow::Nested, 8);
    let starts = stopped.starts();
    for line in 1..starts.len() {
        let (from, to) = (starts[line - 1], starts[line] - 1);
        for at in (from..to).step_by(61 + line) {
            let mut bytes = stopped.bytes.clone();
            bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
            refused(&stopped, &format!("byte {at} of line {line}"), line, &bytes);
        }
    }
}

#[test]
fn a_line_that_was_dropped_doubled_or_moved_is_damage() {
    if !has_tools(&["strace"]) {
        return;
    }
    let stopped = Stopped::new(Workflow::Nested, 8);
    let starts = stopped.starts();
    let line = |n: usize| &stopped.bytes[starts[n - 1]..starts[n]];
    let last = starts.len() - 1;
    let before = |n: usize| stopped.bytes[..starts[n - 1]].to_vec();
    let after = |n: usize| stopped.bytes[starts[n]..].to_vec();
    for n in 2..last {
        refused(&stopped, "dropped", n, &[before(n), after(n)].concat());
        refused(
            &stopped,
            "doubled",
            n + 1,
            &[before(n + 1), line(n).to_vec(), after(n)].concat(),
        );
        refused(
            &stopped,
            "moved",
            n,
            &[before(n), line(n + 1).to_vec(), line(n).to_vec(), after(n + 1)].concat(),
        );
    }
}
