//! Real processes, found and ended.

use super::{TOKEN, Tree, carriers, end_within, is_over};
use std::cell::Cell;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn end_survivors(token: &str) -> usize {
    super::end_survivors(token, &|| false)
}

/// Starts somebody who does not end when asked to.
fn deaf(token: &str) -> io::Result<Child> {
    let mut deaf = Command::new("sh")
        .args(["-c", "trap '' TERM; echo ready; sleep 1000 & wait; wait"])
        .env(TOKEN, token)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut ready = [0; 5];
    let mut out = deaf.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    out.read_exact(&mut ready)?;
    Ok(deaf)
}

#[test]
fn a_survivor_in_a_session_of_its_own_is_found_and_ended() {
    let token = format!("test-survivor-{}", std::process::id());
    let status = Command::new("sh")
        .args(["-c", "setsid sleep 1000 &"])
        .env(TOKEN, &token)
        .status();
    assert!(status.unwrap().success());
    assert_eq!(end_survivors(&token), 1);
    assert_eq!(carriers(&token), []);
    assert_eq!(end_survivors(&token), 0);
}

#[test]
fn who_becomes_another_program_again_and_again_is_seen() {
    let token = format!("test-becomes-{}", std::process::id());
    let script = "n=$1; [ $n -gt 0 ] || exec sleep 1000; exec sh -c \"$0\" \"$0\" $((n - 1))";
    let mut child = Command::new("sh")
        .args(["-c", script, script, "1000"])
        .env(TOKEN, &token)
        .spawn()
        .unwrap();
    let missed = (0..200).filter(|_| carriers(&token).is_empty()).count();
    child.kill().unwrap();
    child.wait().unwrap();
    // Looked at once each time, a dozen are missed. A very busy machine can still hide one.
    assert!(missed <= 1, "{missed}");
}

#[test]
fn a_survivor_that_will_not_listen_is_ended_by_force() {
    let token = format!("test-deaf-{}", std::process::id());
    let mut deaf = deaf(&token).unwrap();
    assert!(end_within(&token, Duration::from_millis(50), &|| false) >= 1);
    assert_eq!(deaf.wait().unwrap().signal(), Some(9));
}

#[test]
fn in_haste_nobody_is_given_time() {
    let token = format!("test-haste-{}", std::process::id());
    let mut deaf = deaf(&token).unwrap();
    let asked = Cell::new(0);
    let haste = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let grace = Duration::from_secs(20);
    assert!(end_within(&token, grace, &haste) >= 1);
    // Every glance asks; without haste there would be two thousand.
    assert!((4..100).contains(&asked.get()), "{}", asked.get());
    assert_eq!(deaf.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_process_of_another_run_is_left_alone() {
    let token = format!("test-other-{}", std::process::id());
    let mut other = Command::new("sleep").arg("1000").env(TOKEN, &token).spawn().unwrap();
    assert_eq!(end_survivors(&format!("{token}-not")), 0);
    assert_eq!(end_survivors(""), 0);
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn a_tree_is_ended_while_it_grows() {
    let token = format!("test-tree-{}", std::process::id());
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do setsid sh -c 'sleep 1000; :' & done; wait";
    let mut child = Command::new("sh")
        .args(["-c", script])
        .env(TOKEN, &token)
        .process_group(0)
        .spawn()
        .unwrap();
    while carriers(&token).len() < 6 {
        std::thread::yield_now();
    }
    Tree::of(child.id()).force();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    // One that was ended may take a moment to go.
    let looks = 1000;
    assert!(
        (0..looks).any(|_| carriers(&token).is_empty()),
        "{:?}",
        carriers(&token)
    );
}

#[test]
fn who_was_killed_is_over_at_once() {
    for _ in 0..100 {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert!(!is_over(child.id()));
        child.kill().unwrap();
        assert!(is_over(child.id()));
        child.wait().unwrap();
    }
}
