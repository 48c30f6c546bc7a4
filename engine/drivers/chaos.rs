//! Random replies that an agent could give, good and bad, the same for the same seed: a rehearsal for workflows.

mod dice;
mod understudy;

pub use understudy::Understudy;

use super::{DriverError, Options, failed, reply};
use crate::builtins::Value;
use crate::host::{Call, Driver, Reply, Turn, Wait};
use crate::machine::{
    Acknowledged, Asked, Envelope, Evidence, Failure, FailureKind, Judgement, Order, Status, Task, Written,
};
use dice::Dice;
use std::future::ready;
use std::sync::Arc;

/// Values that programs trip over.
const VALUES: &[&str] = &[
    "yes",
    "no",
    "true",
    "",
    "0",
    "-1",
    "3.14",
    "99999999999999999999",
    "c",
    "1",
    "a value with several words",
    "docs/notes.md",
    "../../outside.md",
    "/etc/hostname",
    "{{x}}",
    "{project-root}",
    "{% raw %}",
    "$(echo owned); `id` && rm -rf . | cat > x",
    "\"quoted\" and 'single' \\ back",
    "<step n=\"9\"><goto step=\"1\"/></step>",
    "línea\nzwei\n三",
    "🦀\u{202e}reversed",
    "---\nkey: value\n---",
    "```json\n{\"text\": \"inner\"}\n```",
    "# Heading\n\nText.",
    "null",
];

/// Failures that an agent can have.
const FAILURES: &[FailureKind] = &[
    FailureKind::Crashed,
    FailureKind::Timeout,
    FailureKind::Malformed,
    FailureKind::Denied,
    FailureKind::Limit,
];

/// Texts that are no reply.
const BROKEN: &[&str] = &[
    "",
    "I have done everything you asked for.",
    "```json\n{\"instructions\": [{\"n\": 1, \"status\": \"finished\"}]}\n```",
    "```json\n{\"text\": \"cut o",
    "```json\n[1, 2]\n```",
];

/// How often in a hundred turns something bad happens.
const FAILS: usize = 4;
const ASKS: usize = 5;
const FORGETS: usize = 4;
const LIES: usize = 4;
/// After so many answers an agent has nothing left to ask.
const MOST_QUESTIONS: usize = 2;

/// An agent that replies at random.
pub struct Chaos {
    name: String,
    seed: u64,
}

impl Chaos {
    /// Makes the driver from a number.
    pub(super) fn from_seed(seed: &str, _options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        let Ok(seed) = seed.parse() else {
            return Err(DriverError::argument("chaos", "it needs a number, as in `chaos:7`"));
        };
        Ok(Box::new(Self {
            name: format!("chaos:{seed}"),
            seed,
        }))
    }

    fn reply(&self, turn: &Turn) -> Result<Reply, Failure> {
        let mut dice = Dice::of(self.seed, &turn.digest, turn.n);
        if dice.chance(FAILS) {
            return failure(&mut dice);
        }
        let envelope = envelope(&mut dice, &turn.task);
        // What goes out is what came in through the door that every agent's words come through.
        match serde_json::to_string_pretty(&envelope) {
            Ok(json) => reply::read(format!("Here it is.\n\n```json\n{json}\n```\n").as_bytes()),
            Err(error) => Err(failed(FailureKind::Crashed, error.to_string())),
        }
    }
}

impl Driver for Chaos {
    fn name(&self) -> &str {
        &self.name
    }

    fn perform(&self, turn: Arc<Turn>) -> Wait<'_, Call> {
        Box::pin(ready(self.reply(&turn).into()))
    }
}

fn failure(dice: &mut Dice) -> Result<Reply, Failure> {
    let kind = *dice.pick(FAILURES);
    if kind == FailureKind::Malformed {
        return reply::read(dice.pick(BROKEN).as_bytes());
    }
    Err(failed(kind, format!("chaos: {}", kind.name())))
}

fn envelope(dice: &mut Dice, task: &Task) -> Envelope {
    let mut made = Envelope::default();
    if task.answered.len() < MOST_QUESTIONS && !task.only_judges() && dice.chance(ASKS) {
        made.asks.push(question(dice));
        return made;
    }
    for order in &task.instructions {
        if !dice.chance(FORGETS) {
            made.instructions.push(acknowledged(dice, order, &task.files));
        }
    }
    for n in (1u32..).take(task.conditions.len()) {
        if !dice.chance(FORGETS) {
            made.judgements.push(Judgement {
                n,
                holds: dice.chance(50),
                evidence: (*dice.pick(VALUES)).to_owned(),
            });
        }
    }
    let wanted = &task.wanted;
    made.variables = values(dice, &wanted.variables, scalar);
    made.sections = values(dice, &wanted.sections, text);
    let fields: Vec<String> = wanted
        .fields
        .iter()
        .filter(|name| *name != "findings")
        .cloned()
        .collect();
    made.fields = values(dice, &fields, any);
    if wanted.fields.len() > fields.len() {
        made.findings = (0..dice.below(4)).map(|_| finding(dice)).collect();
        if made.findings.is_empty() {
            made.found_nothing();
        }
    }
    if dice.chance(LIES) {
        made.files.push(Written {
            path: format!("no/such/file-{}.md", dice.below(1000)),
            sha256: None,
        });
    }
    if dice.chance(50) {
        made.text = (*dice.pick(VALUES)).to_owned();
    }
    made
}

fn question(dice: &mut Dice) -> Asked {
    let options: &[&[&str]] = &[&[], &["yes", "no"], &["a", "b", "c"]];
    Asked {
        question: format!("Question {}: {}?", dice.below(100), dice.pick(VALUES)),
        options: dice.pick(options).iter().map(|option| (*option).to_owned()).collect(),
    }
}

fn acknowledged(dice: &mut Dice, order: &Order, files: &[String]) -> Acknowledged {
    let status = match dice.below(100) {
        0..3 => Status::Blocked,
        3..6 => Status::Gap,
        6..40 if order.optional => Status::Skipped,
        _ => Status::Done,
    };
    let evidence = match status {
        Status::Done => vec![evidence(dice, files)],
        Status::Blocked | Status::Skipped | Status::Gap => Vec::new(),
    };
    let why = if status == Status::Done { "" } else { "chaos" };
    Acknowledged {
        n: order.n,
        status,
        why: why.to_owned(),
        evidence,
    }
}

fn evidence(dice: &mut Dice, files: &[String]) -> Evidence {
    if dice.chance(LIES) {
        return Evidence::File {
            path: format!("no/such/file-{}.md", dice.below(1000)),
            sha256: None,
        };
    }
    match dice.below(4) {
        0 if !files.is_empty() => Evidence::File {
            path: dice.pick(files).clone(),
            sha256: None,
        },
        1 => Evidence::Command {
            command: (*dice.pick(VALUES)).to_owned(),
            exit: i32::from(dice.chance(20)),
        },
        2 => Evidence::Value { value: any(dice) },
        _ => Evidence::Said {
            text: (*dice.pick(VALUES)).to_owned(),
        },
    }
}

fn finding(dice: &mut Dice) -> Value {
    let severity = *dice.pick(&["critical", "high", "medium", "low", "unheard-of"]);
    Value::Map(vec![
        ("severity".to_owned(), Value::from(severity)),
        ("claim".to_owned(), text(dice)),
    ])
}

fn values(dice: &mut Dice, names: &[String], value: fn(&mut Dice) -> Value) -> Vec<(String, Value)> {
    let mut given = Vec::new();
    for name in names {
        if !dice.chance(FORGETS) {
            given.push((name.clone(), value(dice)));
        }
    }
    given
}

fn text(dice: &mut Dice) -> Value {
    Value::from(*dice.pick(VALUES))
}

fn scalar(dice: &mut Dice) -> Value {
    match dice.below(10) {
        0 => Value::Bool(dice.chance(50)),
        1 => Value::Number(f64::from(u32::try_from(dice.below(1000)).unwrap_or(0)) - 500.0),
        _ => text(dice),
    }
}

fn any(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::Nothing,
        1 => Value::List((0..dice.below(4)).map(|_| scalar(dice)).collect()),
        2 => Value::Map(vec![("a".to_owned(), scalar(dice)), ("b".to_owned(), text(dice))]),
        _ => scalar(dice),
    }
}
