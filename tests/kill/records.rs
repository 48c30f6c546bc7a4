//! The engine is ended right after every single record.

use super::after::{Tally, Undisturbed};
use super::case::{Case, Workflow};
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
            let ended = case.run(
                &words(&inject_on(&journal, "fdatasync", sync, "signal=SIGKILL")),
                &case.exec(),
            );
            // Agents that end together are synced together, and they do not end alike in every run.
            match ended.is_killed() {
                true if count(&journal) >= k => break,
                true => sync += 1,
                false => sync -= 1,
            }
            tries += 1;
            assert!(tries < TRIES && sync > 0, "line {k} was never written: {ended:?}");
        }
        cut(&journal, k);
        tally.settle(&format!("{} after record {k}", workflow.name()), &case, &wanted);
    }
    Some(tally)
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
            "write" => end += site.line.rsplit(' ').next().unwrap().parse::<usize>().unwrap(),
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
fn create_prd_that_is_killed_after_a_record_loses_and_repeats_nothing() {
    if has_tools(&["strace"])
        && let Some(tally) = every_record(Workflow::CreatePrd, 12)
    {
        tally.assert_sound();
    }
}
