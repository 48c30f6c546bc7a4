//! What is recorded is what is replayed.

use super::{Yard, task, wait};
use bmad::drivers::named;
use bmad::host::{Reply, Turn};
use bmad::machine::{Failure, Task};
use std::sync::Arc;

fn perform(yard: &Yard, spec: &str, turns: &[Turn]) -> Vec<Result<Reply, Failure>> {
    let driver = named(spec, &yard.options()).unwrap();
    let take = |turn: &Turn| wait(driver.perform(Arc::new(turn.clone()))).result;
    turns.iter().map(take).collect()
}

/// Enough turns that chaos replies, asks and fails.
fn turns(yard: &Yard) -> Vec<Turn> {
    let mut turns = Vec::new();
    for step in 0..40 {
        for n in 0..3 {
            let task = Task {
                step: step.to_string(),
                ..task(&["one", "two"])
            };
            turns.push(Turn { n, ..yard.turn(task) });
        }
    }
    turns
}

#[test]
fn a_tape_replays_replies_and_failures_exactly_in_any_order() {
    let yard = Yard::new(&[]);
    let mut turns = turns(&yard);
    let mut first = perform(&yard, "record:tapes/a.jsonl:chaos:11", &turns);
    assert!(first.iter().any(Result::is_err) && first.iter().any(Result::is_ok));
    turns.reverse();
    first.reverse();
    assert_eq!(perform(&yard, "cassette:tapes/a.jsonl", &turns), first);
}

#[test]
fn a_turn_that_is_not_on_the_tape_is_named_with_its_neighbour() {
    let yard = Yard::new(&[]);
    let recorded = yard.turn(task(&["one"]));
    perform(&yard, "record:a.jsonl:script:--ack", std::slice::from_ref(&recorded));
    let miss = |turn: Turn| {
        let failure = perform(&yard, "cassette:a.jsonl", &[turn]).remove(0).unwrap_err();
        format!("{}: {}", failure.kind.name(), failure.message)
    };
    let other = Task {
        step: "7".to_owned(),
        ..task(&["other"])
    };
    let misses = [miss(yard.turn(other)), miss(Turn { n: 1, ..recorded })];
    insta::assert_snapshot!(misses.join("\n"), @r"
    missing: step `7` of test is not on the tape; the nearest that is recorded is step `1` of test, with another prompt or by an earlier version; record it again with `record:`
    missing: step `1` of test is not on the tape; the turn is recorded 1 times and this is number 2; record it again with `record:`
    ");
}

#[test]
fn a_damaged_tape_is_refused_with_the_line() {
    let yard = Yard::new(&[("a.jsonl", "\n{\"digest\": 1}\n")]);
    let error = named("cassette:a.jsonl", &yard.options()).err().unwrap().to_string();
    assert!(
        error.starts_with("`a.jsonl` cannot be used, line 2: not a recorded turn"),
        "{error}"
    );
}

#[test]
fn secrets_are_masked_before_they_are_written() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let script = format!("- reply: {{text: 'use {token}'}}\n");
    let yard = Yard::new(&[("s.yaml", &script)]);
    let turn = yard.turn(task(&[]));
    perform(&yard, "record:a.jsonl:script:s.yaml", std::slice::from_ref(&turn));
    assert!(!yard.text("a.jsonl").contains(&token));
    let played = perform(&yard, "cassette:a.jsonl", &[turn]).remove(0).unwrap();
    assert_eq!(played.envelope.text, "use [masked: GitHub token]");
}
