//! Random replies: always the same for a seed, of every kind over many turns.

use super::{Yard, task, texts, wait};
use bmad::drivers::named;
use bmad::host::{Reply, Turn};
use bmad::machine::{Evidence, Failure, Order, Status, Task, Wanted};
use std::collections::BTreeSet;
use std::sync::Arc;

fn wide() -> Task {
    let mut made = Task {
        conditions: texts(&["a", "b"]),
        files: texts(&["real.md"]),
        wanted: Wanted {
            variables: texts(&["v"]),
            sections: texts(&["s"]),
            fields: texts(&["findings", "f"]),
        },
        ..task(&["one", "two", "three"])
    };
    made.instructions[2] = Order {
        optional: true,
        ..made.instructions[2].clone()
    };
    made
}

fn outcomes(seed: u64, count: u32) -> Vec<Result<Reply, Failure>> {
    let yard = Yard::new(&[]);
    let driver = named(&format!("chaos:{seed}"), &yard.options()).unwrap();
    let base = yard.turn(wide());
    let take = |n| wait(driver.perform(Arc::new(Turn { n, ..base.clone() }))).result;
    (0..count).map(take).collect()
}

#[test]
fn the_same_seed_gives_the_same_replies() {
    assert_eq!(outcomes(1, 50), outcomes(1, 50));
    assert_ne!(outcomes(1, 50), outcomes(2, 50));
}

#[test]
fn everything_an_agent_can_do_happens() {
    let mut seen = BTreeSet::new();
    for outcome in outcomes(7, 3000) {
        let envelope = match outcome {
            Ok(reply) => reply.envelope,
            Err(failure) => {
                seen.insert(format!("fails: {}", failure.kind.name()));
                continue;
            }
        };
        if !envelope.asks.is_empty() {
            seen.insert("asks".to_owned());
            continue;
        }
        if envelope.instructions.len() < 3 {
            seen.insert("forgets an instruction".to_owned());
        }
        if envelope.variables.is_empty() {
            seen.insert("forgets a variable".to_owned());
        }
        for given in &envelope.instructions {
            seen.insert(format!("{:?}", given.status));
            assert!(
                given.status != Status::Skipped || given.n == 3,
                "only what is optional may be skipped"
            );
            for evidence in &given.evidence {
                if let Evidence::File { path, .. } = evidence {
                    seen.insert(if path == "real.md" { "a file" } else { "a lie" }.to_owned());
                }
            }
        }
        for judgement in &envelope.judgements {
            seen.insert(format!("judges {}", judgement.holds));
        }
    }
    let seen: Vec<String> = seen.into_iter().collect();
    insta::assert_snapshot!(seen.join("\n"), @r"
    Blocked
    Done
    Gap
    Skipped
    a file
    a lie
    asks
    fails: crashed
    fails: denied
    fails: limit
    fails: malformed
    fails: timeout
    forgets a variable
    forgets an instruction
    judges false
    judges true
    ");
}

#[test]
fn questions_come_to_an_end() {
    let yard = Yard::new(&[]);
    let driver = named("chaos:1", &yard.options()).unwrap();
    let answered = Task {
        answered: vec![("a".to_owned(), "b".to_owned()), ("c".to_owned(), "d".to_owned())],
        ..wide()
    };
    let base = yard.turn(answered);
    for n in 0..500 {
        if let Ok(reply) = wait(driver.perform(Arc::new(Turn { n, ..base.clone() }))).result {
            assert_eq!(reply.envelope.asks, []);
        }
    }
}
