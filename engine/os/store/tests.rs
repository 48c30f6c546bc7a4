//! Runs on a real disk.
#![expect(clippy::disallowed_methods, reason = "the tests set up real files")]

use super::{RunFolder, RunState, RunSummary, Store, StoreError};
use crate::host::{Begun, Durability, Journal, Line, Resumed};
use crate::os::journal::FileJournal;
use crate::os::lock::RunLock;
use std::fs;
use std::path::PathBuf;

const NOW: i64 = 1_794_723_365_123;

struct Place {
    _folder: tempfile::TempDir,
    state: PathBuf,
    root: PathBuf,
    store: Store,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let (state, root) = (folder.path().join("state"), folder.path().join("my project"));
    fs::create_dir_all(&root).unwrap();
    let store = Store::open(&state, &root).unwrap();
    Place {
        _folder: folder,
        state,
        root,
        store,
    }
}

fn journal(run: &RunFolder, lines: &[Line<'_>]) {
    let mut journal = FileJournal::create(&run.journal()).unwrap();
    for line in lines {
        journal.append(line, Durability::Synced).unwrap();
    }
}

fn begun() -> Line<'static> {
    Line::Begun(Box::new(Begun {
        workflow: "a/workflow.xml".to_owned(),
        at: NOW,
        ..Begun::default()
    }))
}

fn stopped(how: &str) -> Line<'static> {
    Line::Stopped {
        at: NOW + 9,
        how: how.to_owned(),
        why: "because".to_owned(),
        outcome: String::new(),
        gaps: Vec::new(),
    }
}

fn only(store: &Store) -> RunSummary {
    let mut runs = store.runs().unwrap();
    assert_eq!(runs.len(), 1);
    runs.remove(0)
}

#[test]
fn a_new_run_is_named_by_its_time_and_belongs_to_its_owner() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    assert_eq!(run.id(), "20261115-061605-1f3b");
    let inside = run
        .path()
        .strip_prefix(&place.state)
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let parts: Vec<&str> = inside.split('/').collect();
    assert!(parts[1].starts_with("my project-") && parts[1].len() == "my project-".len() + 12);
    assert_eq!([parts[0], parts[2], parts[3]], ["projects", "runs", run.id()]);
    #[cfg(unix)]
    for folder in run.path().ancestors().take_while(|folder| *folder != place.state) {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
    }
}

#[test]
fn ids_are_unique_and_sort_by_time() {
    let place = place();
    let mut ids: Vec<String> = Vec::new();
    for at in [NOW, NOW, NOW, NOW + 1, NOW + 2, NOW + 900, NOW + 60_000] {
        ids.push(place.store.new_run(at).unwrap().id().to_owned());
    }
    let mut sorted = ids.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(ids, sorted);
    let listed: Vec<String> = place.store.runs().unwrap().into_iter().map(|run| run.id).collect();
    assert_eq!(listed, ids);
}

#[test]
fn runs_that_begin_at_once_have_folders_of_their_own() {
    let place = place();
    let ids: Vec<String> = std::thread::scope(|scope| {
        let start = || scope.spawn(|| place.store.new_run(NOW).unwrap().id().to_owned());
        let threads: Vec<_> = (0..8).map(|_| start()).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let different: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(different.len(), 8);
}

#[test]
fn two_projects_of_one_name_do_not_share_runs() {
    let place = place();
    let other = place.state.with_file_name("elsewhere").join("my project");
    fs::create_dir_all(&other).unwrap();
    place.store.new_run(NOW).unwrap();
    let other = Store::open(&place.state, &other).unwrap();
    assert_eq!(other.runs().unwrap(), []);
}

#[cfg(unix)]
#[test]
fn a_project_is_the_same_through_a_link() {
    let place = place();
    let link = place.state.with_file_name("link");
    std::os::unix::fs::symlink(&place.root, &link).unwrap();
    let run = place.store.new_run(NOW).unwrap();
    assert_eq!(Store::open(&place.state, &link).unwrap().find("last").unwrap(), run);
}

#[test]
fn nothing_is_made_before_there_is_a_run() {
    let place = place();
    assert_eq!(place.store.runs().unwrap(), []);
    assert!(matches!(place.store.find("last"), Err(StoreError::NoRuns)));
    assert!(!place.state.exists());
}

#[test]
fn a_project_that_is_not_there_is_told() {
    let place = place();
    let error = Store::open(&place.state, &place.root.join("missing")).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("missing`: no such file or directory (os error 2)"),
        "{error}"
    );
}

#[test]
fn a_run_that_stopped_says_how() {
    for (how, state) in [
        ("completed", RunState::Completed),
        ("halted", RunState::Halted),
        ("waiting", RunState::Waiting),
        ("failed", RunState::Failed),
        ("limit", RunState::Limited),
        ("interrupted", RunState::Interrupted),
    ] {
        let place = place();
        journal(&place.store.new_run(NOW).unwrap(), &[begun(), stopped(how)]);
        let run = only(&place.store);
        assert_eq!((run.state, run.state.name(), run.why.as_str()), (state, how, "because"));
        assert_eq!((run.workflow.as_str(), run.lines), ("a/workflow.xml", 2));
        assert_eq!((run.started, run.last), (Some(NOW), Some(NOW + 9)));
    }
}

#[test]
fn a_run_that_is_held_is_running_and_one_that_is_not_was_interrupted() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    let lock = RunLock::take(&run.lock(), NOW).unwrap();
    assert_eq!(only(&place.store).state, RunState::Running(Some(std::process::id())));
    journal(&run, &[begun()]);
    assert_eq!(only(&place.store).state, RunState::Running(Some(std::process::id())));
    drop(lock);
    assert_eq!(only(&place.store).state, RunState::Interrupted);
}

#[test]
fn a_run_that_went_on_after_it_stopped_is_not_stopped() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    let resumed = Line::Resumed(Box::new(Resumed {
        at: NOW + 20,
        pid: 4,
        ..Resumed::default()
    }));
    journal(&run, &[begun(), stopped("waiting"), resumed]);
    let run = only(&place.store);
    assert_eq!((run.state, run.last), (RunState::Interrupted, Some(NOW + 20)));
}

#[test]
fn a_torn_end_counts_as_not_written() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    journal(&run, &[begun(), stopped("completed")]);
    let bytes = fs::read(run.journal()).unwrap();
    fs::write(run.journal(), &bytes[..bytes.len() - 5]).unwrap();
    let run = only(&place.store);
    assert_eq!((run.state, run.lines, run.last), (RunState::Interrupted, 1, Some(NOW)));
}

#[test]
fn damage_to_one_run_is_told_and_the_others_are_listed() {
    let place = place();
    let [damaged, empty, missing, sound] = [0, 1, 2, 3].map(|at| place.store.new_run(NOW + at).unwrap());
    for run in [&damaged, &sound] {
        journal(run, &[begun(), stopped("completed")]);
    }
    let text = fs::read_to_string(damaged.journal()).unwrap();
    fs::write(damaged.journal(), text.replace("completed", "halted")).unwrap();
    fs::write(empty.journal(), "").unwrap();
    fs::remove_dir_all(missing.path().join("kept")).unwrap_or_default();
    let runs = place.store.runs().unwrap();
    let states: Vec<RunState> = runs.iter().map(|run| run.state).collect();
    let expected = [
        RunState::Damaged,
        RunState::Damaged,
        RunState::Damaged,
        RunState::Completed,
    ];
    assert_eq!(states, expected);
    assert_eq!(runs[0].why, "line 2: its sum is not the sum of its bytes");
    assert!(
        runs[1].why.ends_with("the run ended before it began"),
        "{}",
        runs[1].why
    );
    assert!(
        runs[2].why.ends_with("the run ended before it began"),
        "{}",
        runs[2].why
    );
}

#[test]
fn a_run_is_found_by_its_id_its_beginning_or_as_the_last() {
    let place = place();
    let [first, second] = [0, 60_000].map(|later| place.store.new_run(NOW + later).unwrap());
    assert_eq!(place.store.find(first.id()).unwrap(), first);
    assert_eq!(place.store.find("20261115-0616").unwrap(), first);
    assert_eq!(place.store.find("last").unwrap(), second);
}

#[test]
fn a_run_that_is_not_there_is_told_with_those_that_come_near() {
    let place = place();
    for day in 0..8 {
        place.store.new_run(NOW + day * 24 * 60 * 60 * 1000).unwrap();
    }
    let error = place.store.find("20261116-0617").unwrap_err();
    let StoreError::Unknown { wanted, near } = &error else {
        panic!("{error}");
    };
    assert_eq!(wanted, "20261116-0617");
    assert_eq!(near.len(), 5);
    assert!(near.contains(&"20261116-061605-1f3b".to_owned()), "{near:?}");
    assert!(
        error
            .to_string()
            .starts_with("no run `20261116-0617`; there are 202611"),
        "{error}"
    );
}

#[test]
fn a_beginning_that_fits_several_runs_is_told() {
    let place = place();
    for later in [0, 1000] {
        place.store.new_run(NOW + later).unwrap();
    }
    let error = place.store.find("2026").unwrap_err().to_string();
    assert_eq!(
        error,
        "`2026` may be 20261115-061605-1f3b, 20261115-061606-1f3b; write more of the id"
    );
}

#[test]
fn what_is_no_run_is_not_listed() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    for name in [
        "notes",
        "20261115",
        "20261115-061605-zz",
        "20261115-061605-1f3b-1",
        "..",
    ] {
        let path = run.path().with_file_name(name);
        fs::create_dir_all(path).unwrap();
    }
    assert_eq!(only(&place.store).id, run.id());
}

#[test]
fn a_run_is_removed_unless_somebody_works_on_it() {
    let place = place();
    let run = place.store.new_run(NOW).unwrap();
    let lock = RunLock::take(&run.lock(), NOW).unwrap();
    let error = place.store.remove(&run).unwrap_err();
    assert!(error.to_string().starts_with("the run is held by process"), "{error}");
    drop(lock);
    place.store.remove(&run).unwrap();
    assert_eq!(place.store.runs().unwrap(), []);
}
