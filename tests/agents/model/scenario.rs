//! What the model says: rules from words of a prompt to steps, one step for every tool result since that prompt.

use super::talk::Talk;
use serde_json::Value;
use std::collections::HashMap;
use std::time::Duration;

/// Token counts of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Tokens of the question that were not in the cache.
    pub(crate) input: u64,
    /// Tokens of the answer.
    pub(crate) output: u64,
    /// Tokens of the question that the cache had.
    pub(crate) cached: u64,
    /// Tokens of the question that the cache has from now on.
    pub(crate) stored: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            input: 1000,
            output: 50,
            cached: 100,
            stored: 20,
        }
    }
}

/// What a step does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Says something and ends the turn.
    Text(String),
    /// Writes a file with whatever tool the client has for it.
    Write { path: String, content: String },
    /// Runs a command with whatever tool the client has for it.
    Shell(String),
    /// Calls a tool by its name; text instead of an object is a call of a free-form tool.
    Call { name: String, arguments: Value },
    /// Answers by a schema: with the tool for it where there is one, else as text.
    Structured(Value),
    /// Refuses by a status.
    Fault(Fault),
    /// Starts an answer and says nothing more.
    Hang,
    /// Closes the connection in the middle of the answer.
    Cut,
    /// Sends an event that is no JSON.
    Malformed,
    /// Sends an error of this kind after the answer began.
    Broken(String),
}

/// A refusal: its status, and what is not as the API would say it by itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    pub(super) status: u16,
    pub(super) body: Option<Value>,
    pub(super) headers: Vec<(String, String)>,
}

/// One answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(super) act: Act,
    pub(super) saying: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) delay: Duration,
    limit: Option<(u32, Box<Step>)>,
}

impl Step {
    fn new(act: Act) -> Self {
        Self {
            act,
            saying: None,
            usage: None,
            delay: Duration::ZERO,
            limit: None,
        }
    }

    /// Says something and ends the turn.
    pub(crate) fn text(text: &str) -> Self {
        Self::new(Act::Text(text.to_owned()))
    }

    /// Writes a file with the client's own tool.
    pub(crate) fn write(path: &str, content: &str) -> Self {
        Self::new(Act::Write {
            path: path.to_owned(),
            content: content.to_owned(),
        })
    }

    /// Runs a command with the client's own tool.
    pub(crate) fn shell(command: &str) -> Self {
        Self::new(Act::Shell(command.to_owned()))
    }

    /// Calls a tool by its name.
    pub(crate) fn call(name: &str, arguments: Value) -> Self {
        Self::new(Act::Call {
            name: name.to_owned(),
            arguments,
        })
    }

    /// Answers by a schema.
    pub(crate) fn structured(value: Value) -> Self {
        Self::new(Act::Structured(value))
    }

    /// Refuses by a status, for ever unless `times` says otherwise.
    pub(crate) fn fault(status: u16) -> Self {
        Self::new(Act::Fault(Fault {
            status,
            body: None,
            headers: Vec::new(),
        }))
    }

    /// Starts an answer and says nothing more.
    pub(crate) fn hang() -> Self {
        Self::new(Act::Hang)
    }

    /// Closes the connection in the middle of the answer.
    pub(crate) fn cut() -> Self {
        Self::new(Act::Cut)
    }

    /// Sends an event that is no JSON.
    pub(crate) fn malformed() -> Self {
        Self::new(Act::Malformed)
    }

    /// Sends an error of this kind after the answer began.
    pub(crate) fn broken(kind: &str) -> Self {
        Self::new(Act::Broken(kind.to_owned()))
    }

    /// Gives a refusal a body of its own.
    pub(crate) fn body(mut self, body: Value) -> Self {
        self.refusal().body = Some(body);
        self
    }

    /// Gives a refusal a header, such as `retry-after`.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.refusal().headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Says something before a tool is called.
    pub(crate) fn saying(mut self, text: &str) -> Self {
        self.saying = Some(text.to_owned());
        self
    }

    /// Counts other tokens than the scenario does.
    pub(crate) fn usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Waits before anything is sent.
    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Is taken only so many times; from then on the other step is.
    pub(crate) fn times(mut self, times: u32, then: Self) -> Self {
        self.limit = Some((times, Box::new(then)));
        self
    }

    /// Says whether a tool result follows.
    fn is_call(&self) -> bool {
        match self.act {
            Act::Write { .. } | Act::Shell(_) | Act::Call { .. } | Act::Structured(_) => true,
            Act::Text(_) | Act::Fault(_) | Act::Hang | Act::Cut | Act::Malformed | Act::Broken(_) => false,
        }
    }

    fn refusal(&mut self) -> &mut Fault {
        match &mut self.act {
            Act::Fault(fault) => fault,
            other => panic!("only a refusal has a body and headers, not {other:?}"),
        }
    }
}

/// Rules, in order; the first whose words are in the prompt decides.
#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    rules: Vec<(String, Vec<Step>)>,
    otherwise: Vec<Step>,
    pub(super) usage: Usage,
}

impl Scenario {
    /// Answers every prompt with `ok`.
    pub(crate) fn new() -> Self {
        Self {
            rules: Vec::new(),
            otherwise: vec![Step::text("ok")],
            usage: Usage::default(),
        }
    }

    /// Adds a rule for prompts that hold these words.
    pub(crate) fn on(mut self, words: &str, steps: impl Into<Vec<Step>>) -> Self {
        self.rules.push((words.to_owned(), steps.into()));
        self
    }

    /// Sets what is done for prompts without a rule.
    pub(crate) fn otherwise(mut self, steps: impl Into<Vec<Step>>) -> Self {
        self.otherwise = steps.into();
        self
    }

    /// Sets the tokens that an answer counts.
    pub(crate) fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Returns the step for a prompt that has had so many tool results, and counts that it was taken.
    pub(super) fn step(&self, talk: &Talk, taken: &mut Taken) -> Step {
        let Talk {
            prompt, results, tools, ..
        } = talk;
        let results = *results;
        let rule = self.rules.iter().position(|(words, _)| prompt.contains(words.as_str()));
        let steps = rule.map_or(&self.otherwise, |at| &self.rules[at].1);
        let at = results.min(steps.len() - 1);
        if results > at && steps[at].is_call() {
            // A script that ends with a call has nothing to say about its result; calling again would never end.
            return Step::text("done");
        }
        let mut step = &steps[at];
        for depth in 0.. {
            let count = taken.0.entry((tools.is_empty(), rule, at, depth)).or_default();
            let Some((_, then)) = step.limit.as_ref().filter(|(times, _)| *count >= *times) else {
                *count += 1;
                break;
            };
            step = then;
        }
        step.clone()
    }
}

/// How often each step was taken: by rule, place in the rule, and how many steps before it were used up.
///
/// Some agents ask beside a prompt for a title for it, without tools: what such a question takes is counted apart, or it
/// would use up the faults of the prompt.
#[derive(Debug, Default)]
pub(super) struct Taken(HashMap<(bool, Option<usize>, usize, usize), u32>);
