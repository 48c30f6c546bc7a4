//! Replies from a file, or acknowledgements of everything: an agent that costs nothing and never surprises.

mod entry;

use super::{DriverError, Options, argument, failed};
use crate::builtins::Value;
use crate::host::{Call, Driver, Reply, Turn, Wait};
use crate::machine::{Acknowledged, Envelope, Evidence, Failure, FailureKind, Judgement, Status, Task};
use entry::Entry;
use std::future::ready;
use std::sync::Arc;

/// What stands for a value that nobody gave.
const ACK: &str = "ack";

/// An agent that replies from a file.
pub struct Script {
    name: String,
    entries: Vec<Entry>,
    ack: bool,
    judge: bool,
}

impl Script {
    /// Makes the driver from `FILE`, `--ack` and `--judge=true|false`, each of which may be left out.
    pub(super) fn from_words(line: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let wrong = |why: String| DriverError::argument("script", why);
        let words = argument::words(line).ok_or_else(|| wrong("a quote is not closed".to_owned()))?;
        let mut made = Self {
            name: "script".to_owned(),
            entries: Vec::new(),
            ack: options.ack,
            judge: options.judge,
        };
        let mut file = None;
        for word in words {
            match word.as_str() {
                "--ack" => made.ack = true,
                "--judge" | "--judge=true" => made.judge = true,
                "--judge=false" => made.judge = false,
                other if other.starts_with("--") => {
                    return Err(wrong(format!("`{other}` is unknown; use --ack or --judge=true")));
                }
                _ if file.is_some() => return Err(wrong(format!("one file only; `{word}` is a second"))),
                _ => file = Some(word),
            }
        }
        match file {
            Some(file) => made.entries = entry::read(&file, options)?,
            None if made.ack => {}
            None => return Err(wrong("it needs a file of replies, or --ack".to_owned())),
        }
        Ok(Box::new(made))
    }

    fn reply(&self, turn: &Turn) -> Result<Reply, Failure> {
        let task = &turn.task;
        let entry = self.entries.iter().find(|entry| entry.matches(turn));
        let (mut envelope, fills, judge) = match entry {
            Some(entry) => {
                if let Some(failure) = &entry.failure {
                    return Err(failure.clone());
                }
                let envelope = entry.reply.clone();
                // A reply that asks is not finished: what it leaves open stays open.
                let fills = entry.ack && envelope.asks.is_empty();
                (envelope, fills, entry.judge.unwrap_or(self.judge))
            }
            None if self.ack => (Envelope::default(), true, self.judge),
            None => return Err(missing(task)),
        };
        if fills {
            fill(&mut envelope, task, judge);
        }
        Ok(Reply {
            envelope,
            raw: String::new(),
        })
    }
}

impl Driver for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(ready(self.reply(&turn).into()))
    }
}

fn missing(task: &Task) -> Failure {
    let agent = task
        .agent
        .as_deref()
        .map_or(String::new(), |agent| format!(" of {agent}"));
    failed(
        FailureKind::Missing,
        format!(
            "the script has no reply for this turn{agent} in step `{}` of {}; add one, or use --ack",
            task.step, task.workflow
        ),
    )
}

/// Adds what a complete reply to the task would hold and this one does not.
fn fill(envelope: &mut Envelope, task: &Task, judge: bool) {
    for order in &task.instructions {
        if !envelope.instructions.iter().any(|given| given.n == order.n) {
            envelope.instructions.push(Acknowledged {
                n: order.n,
                status: Status::Done,
                why: String::new(),
                evidence: vec![Evidence::Said {
                    text: "acknowledged by the script".to_owned(),
                }],
            });
        }
    }
    for n in (1u32..).take(task.conditions.len()) {
        if !envelope.judgements.iter().any(|given| given.n == n) {
            envelope.judgements.push(Judgement {
                n,
                holds: judge,
                evidence: "decided by the script".to_owned(),
            });
        }
    }
    let wanted = &task.wanted;
    fill_named(&mut envelope.variables, &wanted.variables, |_| Value::from(ACK));
    fill_named(&mut envelope.sections, &wanted.sections, |name| {
        Value::Text(format!("Acknowledged: {name}"))
    });
    if wanted.fields.iter().any(|name| name == "text") && envelope.text.is_empty() {
        ACK.clone_into(&mut envelope.text);
    }
    let has_place = |name: &&String| matches!(name.as_str(), "findings" | "text");
    let fields: Vec<String> = wanted.fields.iter().filter(|name| !has_place(name)).cloned().collect();
    fill_named(&mut envelope.fields, &fields, empty_field);
    if envelope.findings.is_empty() && wanted.fields.iter().any(|name| name == "findings") {
        envelope.found_nothing();
    }
}

fn fill_named(given: &mut Vec<(String, Value)>, wanted: &[String], value: impl Fn(&str) -> Value) {
    for name in wanted {
        if !given.iter().any(|(known, _)| known == name) {
            given.push((name.clone(), value(name)));
        }
    }
}

/// A name in the plural is a list of nothing; any other is a word.
fn empty_field(name: &str) -> Value {
    if name.ends_with('s') && !name.ends_with("us") && !name.ends_with("ss") {
        Value::List(Vec::new())
    } else {
        Value::from(ACK)
    }
}
