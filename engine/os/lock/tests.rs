//! Two who want the same.
#![expect(clippy::disallowed_methods, reason = "the tests set up real files and processes")]

use super::file::FileLock;
use super::run::RunLock;
use super::{Holder, LockError};
use crate::os::clock::FixedClock;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const NOW: i64 = 1_794_723_365_000;

fn clock() -> FixedClock {
    FixedClock::new(NOW, 0)
}

fn lock_path(file: &Path) -> PathBuf {
    PathBuf::from(format!("{}.lock", file.display()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Writes a lock that somebody else took so many milliseconds ago.
fn held(file: &Path, ago: i64) -> String {
    let holder = Holder {
        holder: "other".to_owned(),
        pid: 4,
        since: NOW - ago,
        n: 0,
    };
    let text = serde_json::to_string(&holder).unwrap();
    fs::write(lock_path(file), &text).unwrap();
    text
}

#[test]
fn a_second_taker_of_a_run_is_told_who_has_it_and_since_when() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let lock = RunLock::take(&path, NOW).unwrap();
    let error = RunLock::take(&path, NOW + 5).unwrap_err();
    let expected = format!(
        "held by process {} since 2026-11-15 06:16:05 UTC; wait for it or end it",
        std::process::id()
    );
    assert_eq!(error.to_string(), expected);
    drop(lock);
    assert!(RunLock::take(&path, NOW).is_ok());
}

#[test]
fn who_looks_at_the_lock_of_a_run_does_not_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    assert_eq!(RunLock::holder(&path).unwrap(), None);
    let lock = RunLock::take(&path, NOW).unwrap();
    let holder = RunLock::holder(&path).unwrap().flatten().unwrap();
    assert_eq!((holder.pid, holder.since), (std::process::id(), NOW));
    drop(lock);
    assert_eq!(
        RunLock::holder(&path).unwrap(),
        None,
        "the name stays in the file, the lock does not"
    );
}

#[test]
fn a_lock_can_be_taken_while_others_look() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    drop(RunLock::take(&path, NOW).unwrap());
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while done.load(Ordering::Relaxed) == 0 {
                    RunLock::holder(&path).unwrap();
                }
            });
        }
        let taken = (0..200).filter(|_| RunLock::take(&path, NOW).is_ok()).count();
        done.store(1, Ordering::Relaxed);
        assert_eq!(taken, 200);
    });
}

#[test]
fn of_many_who_want_a_run_one_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    if let Ok(lock) = RunLock::take(&path, NOW) {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                }
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn the_lock_of_another_process_is_seen_and_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    fs::write(&path, "").unwrap();
    // `flock` tells when it has the lock, and holds it until its input ends.
    let mut other = std::process::Command::new("flock")
        .arg(&path)
        .args(["sh", "-c", "echo locked; read line"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = [0; 7];
    std::io::Read::read_exact(other.stdout.as_mut().unwrap(), &mut said).unwrap();
    assert!(matches!(RunLock::take(&path, NOW), Err(LockError::Held(None))));
    assert_eq!(RunLock::holder(&path).unwrap(), Some(None));
    drop(other.stdin.take());
    other.wait().unwrap();
    assert!(RunLock::take(&path, NOW).is_ok());
}

/// Starts a process that holds the lock for so many seconds, or until it is ended.
#[cfg(target_os = "linux")]
fn holding(path: &Path, seconds: &str) -> std::process::Child {
    let mut other = std::process::Command::new("flock");
    other.arg(path).args(["sh", "-c", "echo locked; sleep $0", seconds]);
    let mut other = other.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut said = [0; 7];
    std::io::Read::read_exact(other.stdout.as_mut().unwrap(), &mut said).unwrap();
    other
}

/// Signs a lock for a process.
#[cfg(target_os = "linux")]
fn signed_by(path: &Path, pid: u32) {
    let holder = Holder {
        holder: "bmad".to_owned(),
        pid,
        since: NOW,
        n: 0,
    };
    fs::write(path, serde_json::to_string(&holder).unwrap()).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_process_that_was_killed_had_just_started_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    // One has been asked about by who started it, the other has not.
    for is_asked_about in [true, false] {
        let mut killed = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        killed.kill().unwrap();
        if is_asked_about {
            killed.wait().unwrap();
        }
        signed_by(&path, killed.id());
        let mut other = holding(&path, "0.3");
        assert!(RunLock::take(&path, NOW).is_ok(), "{is_asked_about}");
        killed.wait().unwrap();
        other.wait().unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn who_is_alive_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let mut alive = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    signed_by(&path, alive.id());
    let mut other = holding(&path, "2");
    let held = RunLock::take(&path, NOW);
    assert!(matches!(held, Err(LockError::Held(Some(holder))) if holder.pid == alive.id()));
    alive.kill().unwrap();
    alive.wait().unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn the_lock_of_a_file_is_a_file_and_goes_when_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    let never = |_| panic!("nobody else is there");
    let lock = FileLock::take(&file, "sprint", &clock(), &never).unwrap();
    let text = fs::read_to_string(lock_path(&file)).unwrap();
    let holder: Holder = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (holder.holder.as_str(), holder.pid, holder.since),
        ("sprint", std::process::id(), NOW)
    );
    lock.release().unwrap();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_file_that_stays_locked_is_tried_for_with_longer_and_longer_pauses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    held(&file, 29_999);
    let pauses = RefCell::new(Vec::new());
    let sleep = |pause: Duration| pauses.borrow_mut().push(pause.as_millis());
    let error = FileLock::take(&file, "sprint", &clock(), &sleep).unwrap_err();
    assert!(matches!(error, LockError::Held(Some(Holder { pid: 4, .. }))), "{error}");
    assert_eq!(pauses.into_inner(), [100, 200, 400, 800]);
}

#[test]
fn a_lock_that_is_let_go_in_a_pause_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    held(&file, 0);
    let sleep = |pause: Duration| {
        if pause.as_millis() == 400 {
            fs::remove_file(lock_path(&file)).unwrap();
        }
    };
    assert!(FileLock::take(&file, "sprint", &clock(), &sleep).is_ok());
}

#[test]
fn a_stale_lock_is_cleared_and_nothing_is_left_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    held(&file, 30_000);
    let never = |_| panic!("nobody else is there");
    let lock = FileLock::take(&file, "sprint", &clock(), &never).unwrap();
    assert_eq!(names(folder.path()), ["status.yaml.lock"]);
    assert!(fs::read_to_string(lock_path(&file)).unwrap().contains("sprint"));
    drop(lock);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_lock_that_says_nothing_is_stale_by_the_age_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    fs::write(lock_path(&file), "").unwrap();
    let written = fs::metadata(lock_path(&file)).unwrap().modified().unwrap();
    let written = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    let early = FixedClock::new(written + 20_000, 0);
    assert!(matches!(
        FileLock::take(&file, "sprint", &early, &|_| {}),
        Err(LockError::Held(None))
    ));
    let late = FixedClock::new(written + 31_000, 0);
    assert!(FileLock::take(&file, "sprint", &late, &|_| {}).is_ok());
}

#[test]
fn a_new_lock_in_the_place_of_a_stale_one_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    held(&file, 40_000);
    let stale = super::file::look(&lock_path(&file)).unwrap().unwrap();
    let fresh = held(&file, 0);
    super::file::set_aside(&lock_path(&file), &stale).unwrap();
    assert_eq!(fs::read_to_string(lock_path(&file)).unwrap(), fresh);
    assert_eq!(names(folder.path()), ["status.yaml.lock"]);
}

#[test]
fn a_lock_that_took_too_long_does_not_remove_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    let slow = FileLock::take(&file, "slow", &clock(), &|_| {}).unwrap();
    let later = FixedClock::new(NOW + 31_000, 0);
    let next = FileLock::take(&file, "next", &later, &|_| {}).unwrap();
    drop(slow);
    assert!(fs::read_to_string(lock_path(&file)).unwrap().contains("next"));
    next.release().unwrap();
}

#[test]
fn of_many_who_want_a_file_one_has_it_also_where_a_stale_lock_is_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("status.yaml");
    let (inside, most, taken) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    // Long ago, so that a lock whose file was just made and says nothing yet is never stale.
    let clock = FixedClock::new(40_000, 0);
    held(&file, NOW);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let Ok(lock) = FileLock::take(&file, "a", &clock, &|_| std::thread::yield_now()) else {
                        continue;
                    };
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    taken.fetch_add(1, Ordering::SeqCst);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    lock.release().unwrap();
                }
            });
        }
    });
    assert_eq!(most.load(Ordering::SeqCst), 1);
    assert!(taken.load(Ordering::SeqCst) > 0);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let missing = Path::new("/nowhere/at/all");
    assert!(matches!(RunLock::take(missing, NOW), Err(LockError::Refused(_))));
    let error = FileLock::take(missing, "a", &clock(), &|_| {}).unwrap_err();
    assert!(
        error.to_string().starts_with("no lock could be taken: no such file"),
        "{error}"
    );
}
