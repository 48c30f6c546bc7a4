//! The machine with scripted outcomes: files in, the trace of effects out.

use crate::memory::Memory;
use bmad::host::Workspace;
use bmad::machine::{
    Acknowledged, Answer, CommandEnd, Effect, Envelope, Evidence, Image, Issued, Judgement, Machine, Options, Outcome,
    Returned, Status, Task,
};
use bmad::project::{Loaded, Site, config, configs, load_to_run, load_to_run_standard, sites};
use std::path::Path;
use std::sync::Arc;

mod answered;
mod answers;
mod beats;
mod beside;
mod budgets;
mod calls;
mod cases;
mod choices;
mod commands;
mod conditions;
pub(crate) mod corpus;
mod flow;
mod follow;
mod given;
mod inputs;
mod jumps;
mod keyed;
mod labels;
mod leads;
mod lists;
mod modes;
mod named;
mod open;
mod outside;
mod parts;
mod paths;
mod prose;
mod questions;
mod sections;
mod settings;
mod settled;
mod stretch;
mod talk;
mod terms;
mod turns;
mod unled;
mod values;

/// A loaded project in memory.
pub(crate) fn project<const N: usize>(files: [(&str, &str); N]) -> Loaded {
    project_of(files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())))
}

/// The same, from owned bytes.
pub(crate) fn project_of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Loaded {
    read_by(load_to_run, files)
}

/// The same with all of the standard library, whatever the file names.
pub(crate) fn standard_project(path: &str, text: &str) -> Loaded {
    read_by(load_to_run_standard, [(path.to_owned(), text.as_bytes().to_vec())])
}

fn read_by(
    load: fn(&Arc<dyn Workspace>, Site) -> Loaded,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Loaded {
    let host: Arc<dyn Workspace> = Arc::new(Memory::new(files));
    let root = Path::new("/project");
    let site = sites(&*host, &[root.to_path_buf()]).remove(0);
    load(&host, site)
}

/// What a test says to each effect; nothing means that nobody answers.
pub(crate) type Say<'a> = &'a mut dyn FnMut(&Issued) -> Option<Outcome>;

/// Runs the workflow of a file and returns the trace: one line an effect, and how it ended.
pub(crate) fn trace(loaded: &Loaded, file: &str, options: Options, say: Say<'_>) -> String {
    trace_timed(loaded, file, options, say, &|_| 0)
}

/// The same with agents that take their time, in milliseconds.
pub(crate) fn trace_timed(
    loaded: &Loaded,
    file: &str,
    options: Options,
    say: Say<'_>,
    took: &dyn Fn(&Effect) -> u64,
) -> String {
    let home = |at: &usize| loaded.library.source(loaded.workflows[*at].home).path().as_str() == file;
    let at = (0..loaded.workflows.len()).find(home).unwrap();
    let image = Image::new(&loaded.library, &loaded.workflows, &loaded.program);
    let options = Options {
        config: config(loaded, at),
        configs: configs(loaded),
        ..options
    };
    let mut machine = Machine::new(&image, at, options);
    let mut lines = Vec::new();
    let mut issued = machine.advance(Vec::new());
    while let Some(next) = (!issued.is_empty()).then(|| issued.remove(0)) {
        if !matches!(next.effect, Effect::Now) {
            lines.push(line(&next));
        }
        let Some(outcome) = say(&next) else {
            lines.push("nobody answers".to_owned());
            continue;
        };
        let took = took(&next.effect);
        let returned = Returned {
            took,
            ..returned(&next, outcome)
        };
        issued.extend(machine.advance(vec![returned]));
    }
    if let Some(end) = machine.end() {
        let value = end.value.to_string();
        lines.push(format!("{} {}{value}", end.kind.name(), end.reason).trim().to_owned());
    }
    lines.join("\n")
}

/// Hands an outcome back that took no time.
pub(crate) fn returned(issued: &Issued, outcome: Outcome) -> Returned {
    Returned {
        issued: issued.clone(),
        took: 0,
        outcome,
    }
}

fn line(issued: &Issued) -> String {
    let lane = match issued.key.lane.as_str() {
        "0" => String::new(),
        lane => format!("{lane} "),
    };
    let text = match &issued.effect {
        Effect::Checkpoint(checkpoint) => format!("step {}", checkpoint.step.as_deref().unwrap_or("end")),
        Effect::Dispatch(task) => format!("turn {}", told(task)),
        Effect::Judge(task) => format!("judge {}", task.conditions.join("; ")),
        Effect::Ask(question) => {
            let keys: Vec<&str> = question.choices.iter().map(|choice| choice.key.as_str()).collect();
            format!("ask {} [{}]", question.text.replace('\n', " "), keys.join(" "))
        }
        Effect::Show { text } => format!("show {text}"),
        Effect::Read { path } => format!("read {path}"),
        Effect::List { pattern } => format!("list {pattern}"),
        Effect::Look { path } => format!("look {path}"),
        Effect::Write(write) => format!("write {} {:?}", write.path, write.text),
        Effect::Run { command, timeout } => format!("run {command} ({timeout} s)"),
        Effect::Verify { claims } => format!("verify {}", claims.len()),
        Effect::Now => "now".to_owned(),
    };
    let limit = issued.limit.map(|limit| format!(" (at most {limit} s)"));
    format!("{lane}{text}{}", limit.unwrap_or_default())
}

fn told(task: &Task) -> String {
    let orders = task.instructions.iter().map(|order| order.text.replace('\n', " "));
    let mut parts: Vec<String> = orders.collect();
    parts.extend((!task.prompt.is_empty()).then(|| task.prompt.clone()));
    parts.extend(task.conditions.iter().map(|condition| format!("if? {condition}")));
    parts.extend(task.answered.iter().map(|(_, answer)| format!("answered {answer}")));
    parts.extend(task.again.iter().map(|again| format!("again: {again}")));
    match &task.agent {
        Some(agent) => format!("{agent}: {}", parts.join(" | ")),
        None => parts.join(" | "),
    }
}

/// Acknowledges everything; judges by a flag.
pub(crate) fn ack(task: &Task, judge: bool) -> Outcome {
    let said = || {
        vec![Evidence::Said {
            text: "did it".to_owned(),
        }]
    };
    Outcome::Replied(Box::new(Envelope {
        instructions: task
            .instructions
            .iter()
            .map(|order| Acknowledged {
                n: order.n,
                status: Status::Done,
                why: String::new(),
                evidence: said(),
            })
            .collect(),
        judgements: (1..=task.conditions.len())
            .map(|n| Judgement {
                n: n as u32,
                holds: judge,
                evidence: String::new(),
            })
            .collect(),
        variables: task
            .wanted
            .variables
            .iter()
            .map(|name| (name.clone(), "v".into()))
            .collect(),
        sections: task
            .wanted
            .sections
            .iter()
            .map(|name| (name.clone(), format!("About {name}.").as_str().into()))
            .collect(),
        ..Envelope::default()
    }))
}

/// Does what a person who answers with these words and an agent that acknowledges everything would.
pub(crate) fn willing<'a>(answers: &'a [&'a str]) -> impl FnMut(&Issued) -> Option<Outcome> + 'a {
    let mut answers = answers.iter();
    move |issued| {
        Some(match &issued.effect {
            Effect::Now => Outcome::Time { at: 1_794_723_365_000 },
            Effect::Dispatch(task) | Effect::Judge(task) => ack(task, false),
            Effect::Ask(_) => Outcome::Answered(Answer {
                text: (*answers.next()?).to_owned(),
                ..Answer::default()
            }),
            Effect::Checkpoint(_) | Effect::Show { .. } => Outcome::Done,
            Effect::Read { .. } => Outcome::Contents {
                sha256: None,
                text: Some("text".to_owned()),
            },
            Effect::List { .. } => Outcome::Listed {
                paths: vec!["a.md".to_owned(), "b.md".to_owned()],
            },
            Effect::Look { .. } => Outcome::Seen { there: true },
            Effect::Write(_) => Outcome::Written {
                sha256: String::new(),
                before: None,
            },
            Effect::Run { .. } => Outcome::Ran {
                end: CommandEnd::Exit(0),
                output: "fine".to_owned(),
            },
            Effect::Verify { .. } => Outcome::Verified { wrong: Vec::new() },
        })
    }
}
