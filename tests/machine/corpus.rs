//! Real packages, every workflow, task and skill.

use super::ack;
use crate::packages;
use bmad::host::Workspace;
use bmad::machine::{Answer, Effect, Image, Issued, Machine, Options, Outcome};
use bmad::os::Disk;
use bmad::project::{Loaded, config, load_to_run, sites};
use std::sync::Arc;

fn packages_to_run() -> Option<Vec<(String, Loaded)>> {
    let folder = packages::fetched()?;
    let host: Arc<dyn Workspace> = Arc::new(Disk);
    let load = |name: &str| {
        let root = folder.join(name).join("package");
        let src = root.join("src");
        let start = if src.is_dir() { src } else { root };
        let site = sites(&*host, &[start]).remove(0);
        (name.to_owned(), load_to_run(&host, site))
    };
    Some(["bmad-method-6.0.4", "bmad-method-6.12.0"].map(load).into())
}

fn first_forward(issued: &Issued) -> Option<Outcome> {
    Some(match &issued.effect {
        Effect::Now => Outcome::Time { at: 1_794_723_365_000 },
        Effect::Dispatch(task) | Effect::Judge(task) => ack(task, false),
        Effect::Ask(question) => {
            let choice = question.choices.iter().find(|choice| choice.forward)?;
            Outcome::Answered(Answer {
                text: choice.key.clone(),
                ..Answer::default()
            })
        }
        Effect::Checkpoint(_) | Effect::Show { .. } => Outcome::Done,
        Effect::Read { .. } => Outcome::Contents { text: None },
        Effect::List { .. } => Outcome::Listed { paths: Vec::new() },
        Effect::Look { .. } => Outcome::Seen { there: false },
        Effect::Write(_) => Outcome::Written {
            sha256: String::new(),
            before: None,
        },
        Effect::Verify { .. } => Outcome::Verified { wrong: Vec::new() },
    })
}

#[test]
fn every_workflow_comes_to_a_defined_end() {
    let Some(packages) = packages_to_run() else { return };
    for (name, loaded) in &packages {
        let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
        for at in 0..loaded.workflows.len() {
            let options = Options {
                config: config(loaded, at),
                ..Options::default()
            };
            let mut machine = Machine::new(&image, at, options);
            let mut issued = machine.advance(Vec::new());
            let mut open = None;
            let mut effects = 0;
            while let Some(next) = (!issued.is_empty()).then(|| issued.remove(0)) {
                effects += 1;
                let Some(outcome) = first_forward(&next) else {
                    if let Effect::Ask(question) = next.effect {
                        open = Some(format!("{} {}", question.id, question.text.replace('\n', " ")));
                    }
                    continue;
                };
                issued.extend(machine.advance(vec![(next.id, outcome)]));
            }
            let home = loaded.library.source(loaded.workflows[at].home).path().as_str();
            let how = match (machine.end(), &open) {
                (Some(end), _) => format!("{} {}", end.kind.name(), end.reason),
                (None, Some(open)) => format!("waiting {open}"),
                (None, None) => "STUCK".to_owned(),
            };
            let short: String = how.chars().take(110).collect();
            let reached: Vec<&str> = machine
                .tally()
                .reached
                .iter()
                .map(|(_, label)| label.as_str())
                .collect();
            println!(
                "{name} {home} [{} steps, {effects} effects] {short} | {}",
                machine.tally().steps,
                reached.join(" ")
            );
        }
    }
}

#[test]
#[ignore = "prints the trace of one workflow: BMAD_TRACE=path"]
fn trace_of_one() {
    let wanted = std::env::var("BMAD_TRACE").unwrap();
    for (_, loaded) in packages_to_run().unwrap() {
        for at in 0..loaded.workflows.len() {
            let home = loaded
                .library
                .source(loaded.workflows[at].home)
                .path()
                .as_str()
                .to_owned();
            if home.contains(&wanted) {
                println!(
                    "{}",
                    super::trace(&loaded, &home, Options::default(), &mut first_forward)
                );
            }
        }
    }
}

/// A small generator, so that a seed always means the same answers.
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

fn poll<T>(mut future: bmad::host::Wait<'_, T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("chaos never waits"),
    }
}

fn at_random(issued: &Issued, dice: &mut Dice, chaos: &dyn bmad::host::Driver) -> Outcome {
    match &issued.effect {
        Effect::Now => Outcome::Time { at: 1_794_723_365_000 },
        Effect::Dispatch(task) | Effect::Judge(task) => {
            let turn = bmad::host::Turn {
                task: (**task).clone(),
                prompt: String::new(),
                root: std::path::PathBuf::from("/nowhere"),
                digest: issued.key.digest.clone(),
                n: issued.key.n,
                token: String::new(),
            };
            match poll(chaos.perform(Arc::new(turn))) {
                Ok(reply) => Outcome::Replied(Box::new(reply.envelope)),
                Err(failure) => Outcome::Failed(failure),
            }
        }
        Effect::Ask(question) => {
            let text = match (&question.confirm, question.choices.len()) {
                (Some(exact), _) => exact.clone(),
                (None, 0) => ["yes", "7", "", "a/b.md", "Ünïcode {{x}}"][dice.throw(5)].to_owned(),
                (None, count) => question.choices[dice.throw(count)].key.clone(),
            };
            Outcome::Answered(Answer {
                text,
                ..Answer::default()
            })
        }
        Effect::Checkpoint(_) | Effect::Show { .. } => Outcome::Done,
        Effect::Read { .. } => Outcome::Contents {
            text: (dice.throw(2) == 0).then(|| "a, b, c".to_owned()),
        },
        Effect::List { .. } => Outcome::Listed {
            paths: ["a.md", "b.md", "index.md"][..dice.throw(4)]
                .iter()
                .map(|path| (*path).to_owned())
                .collect(),
        },
        Effect::Look { .. } => Outcome::Seen {
            there: dice.throw(2) == 0,
        },
        Effect::Write(_) => Outcome::Written {
            sha256: String::new(),
            before: None,
        },
        Effect::Verify { claims } => Outcome::Verified {
            wrong: (0..claims.len())
                .filter(|_| dice.throw(3) == 0)
                .map(|at| (at, "not true".to_owned()))
                .collect(),
        },
    }
}

#[test]
#[ignore = "many seeds"]
fn whatever_is_answered_every_workflow_ends() {
    let seeds: u64 = std::env::var("BMAD_SEEDS")
        .ok()
        .and_then(|seeds| seeds.parse().ok())
        .unwrap_or(5);
    let Some(packages) = packages_to_run() else { return };
    let host: Arc<dyn Workspace> = Arc::new(Disk);
    for (name, loaded) in &packages {
        let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
        let mut kinds = std::collections::BTreeMap::<String, u64>::new();
        for at in 0..loaded.workflows.len() {
            let home = loaded.library.source(loaded.workflows[at].home).path().as_str();
            for seed in 0..seeds {
                let options = bmad::drivers::Options::new(Arc::clone(&host), "/nowhere");
                let chaos = bmad::drivers::named(&format!("chaos:{seed}"), &options).unwrap();
                let mut dice = Dice(seed * 1000 + at as u64);
                let options = Options {
                    config: config(loaded, at),
                    ..Options::default()
                };
                let mut machine = Machine::new(&image, at, options);
                let mut issued = machine.advance(Vec::new());
                let mut effects = 0;
                while let Some(next) = (!issued.is_empty()).then(|| issued.remove(0)) {
                    effects += 1;
                    assert!(effects < 100_000, "{home} with seed {seed} does not end");
                    let outcome = at_random(&next, &mut dice, &*chaos);
                    issued.extend(machine.advance(vec![(next.id, outcome)]));
                }
                let end = machine
                    .end()
                    .unwrap_or_else(|| panic!("{home} with seed {seed} is stuck"));
                let reason: String = end.reason.chars().take(40).collect();
                let key = match end.kind {
                    bmad::machine::EndKind::Completed | bmad::machine::EndKind::Halted => end.kind.name().to_owned(),
                    _ => format!("{} {reason}", end.kind.name()),
                };
                *kinds.entry(key).or_default() += 1;
            }
        }
        println!("{name} {kinds:#?}");
    }
}
