//! The disk refuses: at every place where the engine writes, once, and from then on.
//!
//! What could not be kept is not reported as done; the program says what to do and ends with 1, and once the disk is in
//! order the run goes on as if nothing had happened.

use super::after::{Tally, Undisturbed};
use super::case::{Case, Ended, Workflow};
use super::has_tools;
use super::sites::{Site, inject_on, sites, words};
use std::path::Path;

/// The calls by which files change.
const CALLS: [&str; 7] = ["write", "fdatasync", "fsync", "rename", "openat", "mkdir", "ftruncate"];

/// Returns the places where a run changes files of its own and of the project.
fn places(case: &Case) -> Vec<Site> {
    case.reset();
    let all = sites(case, &case.exec(), &CALLS).into_iter();
    let worked = |site: &Site| !site.line.contains("EEXIST") && !site.line.contains("ENOENT");
    all.filter(|site| is_ours(case, site) && worked(site)).collect()
}

fn is_ours(case: &Case, site: &Site) -> bool {
    let writes = site.call != "openat" || site.line.contains("O_WRONLY") || site.line.contains("O_RDWR");
    writes && (site.is_below(&case.state()) || site.is_below(&case.project()))
}

/// Lets every `stride`th place fail once.
pub(crate) fn every_place(workflow: Workflow, error: &str, stride: usize) -> Option<Tally> {
    let case = Case::new(workflow)?;
    let wanted = Undisturbed::of(&case);
    let mut tally = Tally::default();
    for site in places(&case).iter().step_by(stride) {
        case.reset();
        let (ended, failed) = site.fail(&case, &case.exec(), error);
        let Some(site) = failed.filter(|site| is_ours(&case, site)) else {
            continue;
        };
        let what = format!("{} with {error} at {}", workflow.name(), site.name());
        check(&mut tally, &what, &site, &ended, &wanted);
        tally.settle(&what, &case, &wanted);
    }
    Some(tally)
}

/// A run whose disk refused says so, says what to do, and tells of nothing that was done after that.
fn check(tally: &mut Tally, what: &str, site: &Site, ended: &Ended, wanted: &Undisturbed) {
    let in_journal = site.line.contains("journal.jsonl");
    // How often a run was resumed in vain is counted as well as it goes.
    if site.line.contains("attempts") && ended.code == wanted.code {
        return;
    }
    // The crash flag is for others to see; a run goes on without it, and says so.
    let notes = ended.errors.contains("note: the crash flag could not be written");
    if site.line.contains("crash_flag") && ended.code == wanted.code && notes {
        return;
    }
    // A write to the project that fails inside a call is a question for a person.
    if ended.code != 1 && (in_journal || ended.code != 3) {
        tally.complain(what, format!("ended with {}: {}", ended.code, ended.errors));
    }
    if !in_journal || ended.code != 1 {
        return;
    }
    let (told, reason) = ended.errors.split_once("error: ").unwrap_or((&ended.errors, ""));
    if !reason.contains("\n  hint: ") {
        tally.complain(what, format!("nobody knows what to do: {}", ended.errors));
    }
    // Lanes end in any order, and are told in that order.
    if wanted.calls.iter().all(|call| !call.starts_with("turn-")) && !wanted.errors.starts_with(told) {
        tally.complain(what, format!("told what is not so: {told}"));
    }
}

fn once_everywhere(workflow: Workflow, stride: usize) {
    if !has_tools(&["strace", "git"]) {
        return;
    }
    for error in ["EIO", "ENOSPC"] {
        if let Some(tally) = every_place(workflow, error, stride) {
            tally.assert_sound();
        }
    }
}

#[test]
fn a_nested_run_goes_on_once_the_disk_is_in_order() {
    once_everywhere(Workflow::Nested, 7);
}

#[test]
fn a_parallel_run_goes_on_once_the_disk_is_in_order() {
    once_everywhere(Workflow::Parallel, 9);
}

#[test]
fn create_prd_goes_on_once_the_disk_is_in_order() {
    once_everywhere(Workflow::CreatePrd, 150);
}

/// From the `nth` on, every call on the journal fails.
fn from_then_on(case: &Case, journal: &Path, call: &str, nth: usize) -> Ended {
    let mut command = inject_on(journal, call, nth, "error=ENOSPC");
    for word in &mut command {
        if word.starts_with("inject=") {
            word.push('+');
        }
    }
    case.reset();
    case.run(&words(&command), &case.exec())
}

#[test]
fn a_journal_that_is_full_from_some_point_on_stops_the_run_there() {
    if !has_tools(&["strace"]) {
        return;
    }
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    let journal = case.journal().unwrap();
    let mut tally = Tally::default();
    for call in ["write", "fdatasync"] {
        for nth in [1, 2, 5, 9, 14] {
            let ended = from_then_on(&case, &journal, call, nth);
            let what = format!("full from {call} {nth} on");
            assert_eq!(ended.code, 1, "{what}: {ended:?}");
            assert!(ended.errors.contains("no space left on device"), "{what}: {ended:?}");
            tally.settle(&what, &case, &wanted);
        }
    }
    tally.assert_sound();
}

/// Lets a file grow to `limit` bytes and no more: the write that gets there is short, and the next one fails.
pub(crate) fn short_writes(limits: impl Iterator<Item = usize>) -> Tally {
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    let mut tally = Tally::default();
    for limit in limits {
        case.reset();
        let limited = format!("--fsize={limit}");
        let deaf = ["prlimit", &limited, "sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"];
        let ended = case.run(&deaf, &case.exec());
        let what = format!("{limit} bytes");
        if ended.code == wanted.code {
            break;
        }
        assert_eq!(ended.code, 1, "{what}: {ended:?}");
        assert!(ended.errors.contains("too large"), "{what}: {ended:?}");
        assert!(ended.errors.contains("hint: "), "{what}: {ended:?}");
        tally.settle(&what, &case, &wanted);
    }
    tally
}

#[test]
fn a_journal_that_was_written_only_in_part_goes_on_from_its_last_whole_line() {
    if has_tools(&["prlimit"]) {
        short_writes((0..).step_by(997)).assert_sound();
    }
}

#[test]
fn a_write_that_takes_nothing_is_not_taken_for_done() {
    if !has_tools(&["strace"]) {
        return;
    }
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    let journal = case.journal().unwrap();
    let mut tally = Tally::default();
    for nth in [1, 4, 11] {
        case.reset();
        let ended = case.run(&words(&inject_on(&journal, "write", nth, "retval=0")), &case.exec());
        assert_eq!(ended.code, 1, "{ended:?}");
        tally.settle(&format!("nothing taken at {nth}"), &case, &wanted);
    }
    tally.assert_sound();
}

#[test]
fn an_output_folder_that_is_read_only_stops_the_run_until_it_is_not() {
    use std::os::unix::fs::PermissionsExt;
    if !has_tools(&["setpriv"]) {
        return;
    }
    let case = Case::new(Workflow::Nested).unwrap();
    let wanted = Undisturbed::of(&case);
    case.reset();
    let out = case.project().join("out");
    std::fs::create_dir_all(&out).unwrap();
    let mode = |mode| std::fs::set_permissions(&out, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    // Root may write anywhere unless that right is taken away.
    let without = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"];
    let ended = case.run(&without, &case.exec());
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(ended.errors.contains("`out/animal.md`: permission denied"), "{ended:?}");
    assert!(ended.errors.contains("bmad resume"), "{ended:?}");
    mode(0o755);
    let mut tally = Tally::default();
    tally.settle("read-only", &case, &wanted);
    tally.assert_sound();
}

#[test]
fn a_state_folder_that_cannot_be_made_is_told_before_anything_is_done() {
    let case = Case::new(Workflow::Nested).unwrap();
    let mut command = case.exec();
    let at = command.iter().position(|word| word == "--state-dir").unwrap();
    for place in ["/dev/full", "/dev/null/state", "/proc/state"] {
        command[at + 1] = place.to_owned();
        let ended = case.run(&[], &command);
        assert_eq!(ended.code, 1, "{ended:?}");
        assert!(ended.errors.contains("hint: `--state-dir DIR`"), "{ended:?}");
        assert!(!case.project().join("out").exists() && case.calls().is_empty());
    }
}
