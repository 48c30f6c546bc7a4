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
            let reached: Vec<&str> = machine.tally().reached.iter().map(|(_, label)| label.as_str()).collect();
            println!("{name} {home} [{} steps, {effects} effects] {short} | {}", machine.tally().steps, reached.join(" "));
        }
    }
}

#[test]
#[ignore = "prints the trace of one workflow: BMAD_TRACE=path"]
fn trace_of_one() {
    let wanted = std::env::var("BMAD_TRACE").unwrap();
    for (_, loaded) in packages_to_run().unwrap() {
        for at in 0..loaded.workflows.len() {
            let home = loaded.library.source(loaded.workflows[at].home).path().as_str().to_owned();
            if home.contains(&wanted) {
                println!("{}", super::trace(&loaded, &home, Options::default(), &mut first_forward));
            }
        }
    }
}
