//! The file of a script in, its entries out: which turn, and what is replied.

use super::super::reply::typed;
use super::super::{DriverError, Options, failed};
use crate::builtins::Value;
use crate::diagnostic::nearest;
use crate::host::Turn;
use crate::machine::{Envelope, Failure, FailureKind, Task};
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{self, Format, Node, parse};

const KEYS: &[&str] = &[
    "workflow", "step", "agent", "says", "nth", "attempt", "reply", "fail", "ack", "judge",
];
const FAILURES: &[FailureKind] = &[
    FailureKind::Crashed,
    FailureKind::Timeout,
    FailureKind::Malformed,
    FailureKind::Denied,
    FailureKind::Limit,
    FailureKind::Missing,
];

/// One reply and the turns it is for; a part that is not given fits every turn.
#[derive(Debug)]
pub(super) struct Entry {
    workflow: Option<String>,
    step: Option<String>,
    agent: Option<String>,
    /// Words of an instruction, of the prompt or of a condition.
    says: Option<String>,
    /// How many times the same turn was taken, this one included.
    nth: Option<u32>,
    attempt: Option<u32>,
    pub(super) reply: Envelope,
    pub(super) failure: Option<Failure>,
    /// Whether what the reply leaves out is acknowledged.
    pub(super) ack: bool,
    pub(super) judge: Option<bool>,
}

impl Entry {
    /// Says whether the entry is for a turn.
    pub(super) fn matches(&self, turn: &Turn) -> bool {
        let task = &turn.task;
        let is = |wanted: &Option<String>, given: &str| wanted.as_deref().is_none_or(|it| it == given);
        is(&self.workflow, &task.workflow)
            && is(&self.step, &task.step)
            && is(&self.agent, task.agent.as_deref().unwrap_or(""))
            && self.nth.is_none_or(|nth| nth == turn.n.saturating_add(1))
            && self.attempt.is_none_or(|attempt| attempt == task.attempt)
            && self.says.as_deref().is_none_or(|words| says(task, words))
            && !self.is_answered(task)
    }

    /// Says whether everything that the reply asks was answered: the turn comes again, and another entry is for it.
    fn is_answered(&self, task: &Task) -> bool {
        let known = |question: &str| task.answered.iter().any(|(asked, _)| asked == question);
        !self.reply.asks.is_empty() && self.reply.asks.iter().all(|asked| known(&asked.question))
    }
}

fn says(task: &Task, words: &str) -> bool {
    let words = words.to_lowercase();
    let orders = task.instructions.iter().map(|order| &order.text);
    orders
        .chain(&task.conditions)
        .chain([&task.prompt])
        .any(|text| text.to_lowercase().contains(&words))
}

/// Reads the entries of a file: a list, or a map with the list under `replies`.
pub(super) fn read(file: &str, options: &Options) -> Result<Vec<Entry>, DriverError> {
    let bytes = options
        .workspace
        .read(&options.place(file))
        .map_err(|error| DriverError::file(file, error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| DriverError::file(file, "it is not UTF-8"))?;
    let source = Source::new(SourceId(0), ProjectPath::root(), text);
    let parsed = parse(&source, Format::Yaml);
    let script = File { name: file, source };
    if let Some(fault) = parsed.faults.first() {
        let line = script.source.position(fault.span.start).line;
        return Err(DriverError::File {
            path: file.to_owned(),
            line: Some(line),
            why: format!("it is not valid YAML: {}", fault.detail),
        });
    }
    let Some(root) = parsed.data else {
        return Err(DriverError::file(file, "it is empty; write a list of replies"));
    };
    let list = root.get("replies").unwrap_or(&root);
    match &list.value {
        syntax::Value::List(items) => items.iter().map(|item| script.entry(item)).collect(),
        syntax::Value::Null
        | syntax::Value::Bool(_)
        | syntax::Value::Number(_)
        | syntax::Value::Text(_)
        | syntax::Value::Map(_) => Err(script.wrong(list, "write a list of replies")),
    }
}

/// The file that is read, for the places of what is wrong in it.
struct File<'f> {
    name: &'f str,
    source: Source,
}

impl File<'_> {
    fn wrong(&self, node: &Node, why: impl Into<String>) -> DriverError {
        DriverError::File {
            path: self.name.to_owned(),
            line: Some(self.source.position(node.span.start).line),
            why: why.into(),
        }
    }

    fn entry(&self, node: &Node) -> Result<Entry, DriverError> {
        if node.pairs().is_empty() {
            return Err(self.wrong(node, "a reply is a map, as in `step: 1`"));
        }
        for pair in node.pairs() {
            let key = pair.key.as_str();
            if !KEYS.contains(&key) {
                let near = nearest(key, KEYS.iter().copied());
                let advice = near.map_or_else(|| KEYS.join(", "), |near| format!("did you mean `{near}`?"));
                return Err(self.wrong(&pair.node, format!("`{key}` is no part of a reply; {advice}")));
            }
        }
        let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
        Ok(Entry {
            workflow: text("workflow"),
            step: text("step"),
            agent: text("agent"),
            says: text("says"),
            nth: self.count(node, "nth")?,
            attempt: self.count(node, "attempt")?,
            reply: self.reply(node)?,
            failure: self.failure(node)?,
            ack: self.truth(node, "ack")?.unwrap_or(true),
            judge: self.truth(node, "judge")?,
        })
    }

    fn count(&self, node: &Node, key: &str) -> Result<Option<u32>, DriverError> {
        let Some(found) = node.get(key) else { return Ok(None) };
        let count = found.text().and_then(|text| text.parse().ok());
        match count.filter(|count| *count > 0) {
            Some(count) => Ok(Some(count)),
            None => Err(self.wrong(found, format!("`{key}` is a number from 1"))),
        }
    }

    fn truth(&self, node: &Node, key: &str) -> Result<Option<bool>, DriverError> {
        match node.get(key) {
            None => Ok(None),
            Some(found) => match found.value {
                syntax::Value::Bool(truth) => Ok(Some(truth)),
                syntax::Value::Null
                | syntax::Value::Number(_)
                | syntax::Value::Text(_)
                | syntax::Value::List(_)
                | syntax::Value::Map(_) => Err(self.wrong(found, format!("`{key}` is true or false"))),
            },
        }
    }

    fn reply(&self, node: &Node) -> Result<Envelope, DriverError> {
        let Some(found) = node.get("reply") else {
            return Ok(Envelope::default());
        };
        match value(found) {
            Value::Map(pairs) => typed::envelope(pairs).map_err(|why| self.wrong(found, why)),
            Value::Text(text) => Ok(Envelope {
                text,
                ..Envelope::default()
            }),
            Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::List(_) => {
                Err(self.wrong(found, "`reply` is a map of the parts of an envelope, or text"))
            }
        }
    }

    /// Reads `fail: timeout`, or `fail: {timeout: what happened}`.
    fn failure(&self, node: &Node) -> Result<Option<Failure>, DriverError> {
        let Some(found) = node.get("fail") else { return Ok(None) };
        let (name, message) = match found.pairs() {
            [pair] => (pair.key.as_str(), pair.node.text().unwrap_or("")),
            _ => (found.text().unwrap_or(""), ""),
        };
        let Some(kind) = FAILURES.iter().find(|kind| kind.name() == name) else {
            let names: Vec<&str> = FAILURES.iter().map(|kind| kind.name()).collect();
            return Err(self.wrong(found, format!("`fail` is one of {}", names.join(", "))));
        };
        let message = if message.is_empty() {
            "the script says so"
        } else {
            message
        };
        Ok(Some(failed(*kind, message)))
    }
}

/// Turns what is written into a value.
fn value(node: &Node) -> Value {
    match &node.value {
        syntax::Value::Null => Value::Nothing,
        syntax::Value::Bool(truth) => Value::Bool(*truth),
        syntax::Value::Number(text) => text.parse().map_or_else(|_| Value::from(text.as_str()), Value::Number),
        syntax::Value::Text(text) => Value::from(text.as_str()),
        syntax::Value::List(items) => Value::List(items.iter().map(value).collect()),
        syntax::Value::Map(pairs) => {
            Value::Map(pairs.iter().map(|pair| (pair.key.clone(), value(&pair.node))).collect())
        }
    }
}
