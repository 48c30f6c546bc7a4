//! The engine is ended right after every single record.

use super::after::{Tally, Undisturbed};
use super::case::{Case, Ended, Workflow};
use super::has_tools;
use super::sites::{inject_on, sites, words};
use std::fs;
use std::path::Path;

/// How often the sync that brings a line is looked for.
const TRIES: usize = 50;

/// Ends a run when its journal holds `k` lines, for every `stride`th `k`.
///
/// It ends when it asks for the sync that brings line `k`: the line is in the file and nothing happened after it, which
/// for a process that is killed is the same as the moment after the sync. Where one sync brings several lines, those
/// after `k` are cut off.
pub(crate) fn every_record(workflow: Workflow, stride: usize) -> Option<Tally> {
    let case = Case::new(workflow)?;
    let wanted = Undisturbed::of(&case);
    let journal = case.journal().unwrap();
    let mut tally = Tally::default();
    let syncs = syncs(&case);
    for k in (1..=wanted.lines).step_by(stride) {
        let mut sync = 1 + syncs.iter().take_while(|lines| **lines < k).count();
        let mut tries = 0;
        loop {
            case.reset();
            let (ended, kept) = killed_at(&case, &journal, sync);
            // Agents that end together are synced together, and they do not end alike in every run.
            match ended.is_killed() {
                true if kept < k && k <= count(&journal) => break,
                true if kept < k => sync += 1,
                true | false => sync -= 1,
            }
            tries += 1;
            assert!(tries < TRIES && sync > 0, "line {k} was never written: {ended:?}");
        }
        cut(&journal, k);
        tally.settle(&format!("{} after record {k}", workflow.name()), &case, &wanted);
    }
    Some(tally)
}

/// Runs until the `sync`th sync of the journal and answers how many lines the syncs before it brought.
fn killed_at(case: &Case, journal: &Path, sync: usize) -> (Ended, usize) {
    let trace = case.state().with_file_name("trace").display().to_string();
    let mut command = inject_on(journal, "fdatasync", sync, "signal=SIGKILL");
    // The last of these words count.
    command.extend(["-e", "trace=write,fdatasync", "-s", "0", "-o", &trace].map(str::to_owned));
    let ended = case.run(&words(&command), &case.exec());
    let text = fs::read_to_string(&trace).unwrap();
    let before = text.lines().rev().skip_while(|line| !line.starts_with("write"));
    let before = before.skip_while(|line| line.starts_with("write"));
    let synced: usize = before.filter(|line| line.starts_with("write")).map(written).sum();
    let bytes = fs::read(journal).unwrap_or_default();
    let lines = bytes.iter().take(synced).filter(|byte| **byte == b'\n').count();
    (ended, lines)
}

/// Returns how many bytes a line of a trace says were written.
fn written(line: &str) -> usize {
    line.rsplit(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or_default()
}

/// Returns how many lines the journal of an undisturbed run holds after each of its syncs.
fn syncs(case: &Case) -> Vec<usize> {
    case.reset();
    let calls = sites(case, &case.exec(), &["write", "fdatasync"]);
    let bytes = fs::read(case.journal().unwrap()).unwrap();
    let mut end = 0;
    let mut lines = Vec::new();
    for site in calls.iter().filter(|site| site.line.contains("journal.jsonl")) {
        match site.call {
            "write" => end += written(&site.line),
            _ => lines.push(bytes[..end].iter().filter(|byte| **byte == b'\n').count()),
        }
    }
    lines
}

fn count(journal: &Path) -> usize {
    let bytes = fs::read(journal).unwrap();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn cut(journal: &Path, lines: usize) {
    let bytes = fs::read(journal).unwrap();
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let (end, _) = ends.nth(lines - 1).unwrap();
    fs::write(journal, &bytes[..=end]).unwrap();
}

#[test]
fn a_nested_run_that_is_killed_after_any_record_loses_and_repeats_nothing() {
    if has_tools(&["strace"]) {
        every_record(Workflow::Nested, 1).unwrap().assert_sound();
    }
}

#[test]
fn a_parallel_run_that_is_killed_after_any_record_loses_and_repeats_nothing() {
    if has_tools(&["strace", "git"]) {
        every_record(Workflow::Parallel, 1).unwrap().assert_sound();
    }
}

#[test]
fn a_review_that_is_killed_after_any_record_loses_and_repeats_nothing() {
    if has_tools(&["strace"]) {
        every_record(Workflow::Review, 1).unwrap().assert_sound();
    }
}

#[test]
fn create_prd_that_is_killed_after_a_record_loses_and_repeats_nothing() {
    if has_tools(&["strace"])
        && let Some(tally) = every_record(Workflow::CreatePrd, 12)
    {
        tally.assert_sound();
    }
}
