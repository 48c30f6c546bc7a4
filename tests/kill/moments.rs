//! The engine is ended at random moments, and sometimes again while it resumes. The dice are the same every time.

use super::after::{Standing, Tally, Undisturbed};
use super::calls::{every_call, every_call_of_a_resume};
use super::case::{Case, Workflow};
use super::damage::torn_anywhere;
use super::faults::{every_place, short_writes};
use super::records::every_record;
use super::sites::{CALLS, inject, words};
use super::{has_tools, row};

const WORKFLOWS: [Workflow; 4] = [
    Workflow::Nested,
    Workflow::Parallel,
    Workflow::Review,
    Workflow::CreatePrd,
];

/// A small generator: a seed always means the same moments.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// Ends a run `kills` times, each at a random system call of any kind, and resumes it.
fn random_moments(workflow: Workflow, kills: usize) -> Option<Tally> {
    let case = Case::new(workflow)?;
    let wanted = Undisturbed::of(&case);
    let mut dice = Dice(workflow.name().len() as u64);
    let total = count(&case);
    let mut tally = Tally::default();
    while tally.kills < kills {
        case.reset();
        let mut moments = Vec::new();
        let mut stood = Vec::new();
        let mut command = case.exec();
        // Nine in ten are let go on after the first time, the others are ended up to three times.
        let times = if dice.throw(10) == 0 { 3 } else { 1 };
        for _ in 0..times {
            let moment = 1 + dice.throw(total);
            let ended = case.run(&words(&inject("all", moment, "signal=SIGKILL")), &command);
            if !ended.is_killed() {
                break;
            }
            moments.push(moment);
            stood.push(Standing::of(&case));
            if !stood.iter().all(Standing::is_empty) {
                command = case.resume();
            }
        }
        if !stood.is_empty() {
            tally.settle_from(
                &format!("{} at moments {moments:?}", workflow.name()),
                &case,
                &wanted,
                &stood,
            );
        }
    }
    Some(tally)
}

/// Counts the system calls of an undisturbed run.
fn count(case: &Case) -> usize {
    case.reset();
    let trace = case.state().with_file_name("trace");
    let file = trace.display().to_string();
    case.run(&["strace", "-qq", "-o", &file], &case.exec());
    std::fs::read_to_string(&trace).unwrap().lines().count()
}

#[test]
fn a_run_that_is_killed_at_random_moments_ends_as_if_it_was_not() {
    if !has_tools(&["strace", "git"]) {
        return;
    }
    for (workflow, kills) in WORKFLOWS.into_iter().zip([10, 10, 5, 3]) {
        if let Some(tally) = random_moments(workflow, kills) {
            tally.assert_sound();
        }
    }
}

/// Prints one row of the table for each kind of end whose name holds `only`.
fn all(workflow: Workflow, kills: usize, only: &str) -> Option<Tally> {
    let mut sum = Tally::default();
    let mut told = |what: String, ends: &dyn Fn() -> Option<Tally>| {
        let what = format!("{}: {what}", workflow.name());
        if what.contains(only) {
            let tally = ends()?;
            println!("{}", row(&what, &tally));
            sum.add(tally);
        }
        Some(())
    };
    told("after every record".to_owned(), &|| every_record(workflow, 1))?;
    for call in CALLS {
        told(format!("at every {call}"), &|| every_call(workflow, call, 1))?;
    }
    for call in CALLS {
        told(format!("resumed, at every {call}"), &|| {
            every_call_of_a_resume(workflow, call, 1)
        })?;
    }
    told("at random moments".to_owned(), &|| random_moments(workflow, kills))?;
    for error in ["EIO", "ENOSPC"] {
        told(format!("{error} everywhere"), &|| every_place(workflow, error, 1))?;
    }
    if workflow == Workflow::Nested {
        told("short writes".to_owned(), &|| Some(short_writes((0..).step_by(53))))?;
        told("torn at every byte".to_owned(), &|| Some(torn_anywhere(1)))?;
    }
    Some(sum)
}

#[test]
#[ignore = "hours: every record, every call and BMAD_KILLS random moments; BMAD_KILL_ONLY chooses rows by name"]
fn kill_everywhere() {
    let kills = std::env::var("BMAD_KILLS").ok().and_then(|kills| kills.parse().ok());
    let only = std::env::var("BMAD_KILL_ONLY").unwrap_or_default();
    println!(
        "{:<40} {:>6} {:>8} {:>9} {:>5} {:>10}",
        "workflow", "kills", "resumes", "repeated", "lost", "differing"
    );
    for workflow in WORKFLOWS {
        let sum = all(workflow, kills.unwrap_or(1000), &only).unwrap();
        assert!(sum.complaints.is_empty(), "{}", sum.complaints.join("\n"));
    }
}
