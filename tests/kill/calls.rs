//! The engine is ended when it enters its k-th write, sync or rename.

use super::after::{Standing, Tally, Undisturbed};
use super::case::{Case, Workflow};
use super::has_tools;
use super::sites::{CALLS, inject, words};

/// Ends a run at every `stride`th call of a kind, until there are no more.
pub(crate) fn every_call(workflow: Workflow, call: &str, stride: usize) -> Option<Tally> {
    let case = Case::new(workflow)?;
    let wanted = Undisturbed::of(&case);
    let mut tally = Tally::default();
    for k in (1..).step_by(stride) {
        case.reset();
        let ended = case.run(&words(&inject(call, k, "signal=SIGKILL")), &case.exec());
        if !ended.is_killed() {
            assert_eq!(ended.code, wanted.code, "{ended:?}");
            break;
        }
        tally.settle(&format!("{} at {call} {k}", workflow.name()), &case, &wanted);
    }
    Some(tally)
}

/// Ends a run in the middle, and then its resume at every `stride`th call of a kind.
pub(crate) fn every_call_of_a_resume(workflow: Workflow, call: &str, stride: usize) -> Option<Tally> {
    let case = Case::new(workflow)?;
    let wanted = Undisturbed::of(&case);
    let mut tally = Tally::default();
    let middle = wanted.lines / 3;
    for k in (1..).step_by(stride) {
        case.reset();
        let first = case.run(&words(&inject("fdatasync", middle, "signal=SIGKILL")), &case.exec());
        assert!(first.is_killed(), "{first:?}");
        let stood = Standing::of(&case);
        let second = case.run(&words(&inject(call, k, "signal=SIGKILL")), &case.resume());
        if !second.is_killed() {
            assert_eq!(second.code, wanted.code, "{second:?}");
            break;
        }
        let what = format!("{} resumed at {call} {k}", workflow.name());
        tally.settle_from(&what, &case, &wanted, &[stood, Standing::of(&case)]);
    }
    Some(tally)
}

fn several(workflow: Workflow, stride: usize) {
    if has_tools(&["strace", "git"]) {
        let tallies = CALLS.iter().filter_map(|call| every_call(workflow, call, stride));
        for tally in tallies {
            tally.assert_sound();
        }
    }
}

#[test]
fn a_nested_run_that_is_killed_at_a_call_ends_as_if_it_was_not() {
    several(Workflow::Nested, 5);
}

#[test]
fn a_parallel_run_that_is_killed_at_a_call_ends_as_if_it_was_not() {
    several(Workflow::Parallel, 6);
}

#[test]
fn create_prd_that_is_killed_at_a_call_ends_as_if_it_was_not() {
    several(Workflow::CreatePrd, 60);
}

#[test]
fn a_resume_that_is_killed_at_a_call_ends_as_if_it_was_not() {
    if has_tools(&["strace"]) {
        for call in CALLS {
            let tally = every_call_of_a_resume(Workflow::Nested, call, 7);
            tally.unwrap().assert_sound();
        }
    }
}
