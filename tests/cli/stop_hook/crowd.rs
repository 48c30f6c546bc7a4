//! Many hooks at once, and hooks that are killed: no round is lost and no file is left half.

use super::{Desk, STATE, Said, names, round, state, tracker};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::Duration;

const MANY: usize = 20;

fn start(desk: &Desk) -> Child {
    let mut child = desk
        .program(&["hook", "stop"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(desk.question("Done.").to_string().as_bytes()).unwrap();
    child
}

fn all_at_once(desk: &Desk) -> Vec<Said> {
    let started: Vec<Child> = (0..MANY).map(|_| start(desk)).collect();
    let ended = started.into_iter().map(|child| child.wait_with_output().unwrap());
    ended.map(Said::from).collect()
}

fn desk(rounds: usize) -> Desk {
    let rounds = format!("max_rounds: {rounds}");
    let text = state(&[("max_rounds: 3", &rounds)]);
    Desk::with(&[(STATE, &text), ("reviews/issues.md", &tracker(&["open"]))])
}

#[test]
fn no_round_of_many_at_once_is_lost() {
    let desk = desk(100);
    let said = all_at_once(&desk);
    assert!(said.iter().all(|said| said.code == Some(0) && said.holds()), "{said:?}");
    let rounds: BTreeSet<String> = said.iter().map(Said::told).collect();
    assert_eq!(rounds.len(), MANY, "{rounds:?}");
    assert_eq!(round(&desk.read(STATE).unwrap()), 1 + MANY as u64);
    assert_eq!(names(&desk.path(".claude")), ["review-loop-state.yaml"]);
}

#[test]
fn a_limit_counts_for_all_of_them_together() {
    let desk = desk(11);
    let said = all_at_once(&desk);
    assert!(
        said.iter().all(|said| said.code == Some(0) && said.err.is_empty()),
        "{said:?}"
    );
    assert_eq!(said.iter().filter(|said| said.holds()).count(), 10);
    assert_eq!(said.iter().filter(|said| said.told().contains("used up")).count(), 1);
    assert!(desk.is_over());
}

#[test]
fn a_hook_that_is_killed_leaves_the_old_state_or_the_new_one() {
    let desk = desk(10_000);
    for at in 0..60 {
        let mut child = start(&desk);
        std::thread::sleep(Duration::from_micros(500 * at));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = desk.read(STATE).unwrap();
        let expected = state(&[("max_rounds: 3", "max_rounds: 10000")]);
        assert_eq!(now.lines().count(), expected.lines().count(), "{now}");
    }
    let before = round(&desk.read(STATE).unwrap());
    assert!(desk.stop("Done.").holds());
    assert_eq!(round(&desk.read(STATE).unwrap()), before + 1);
    assert_eq!(names(&desk.path(".claude")), ["review-loop-state.yaml"]);
}
