//! What every API says in its own words, in ours: the conversation so far, and the answer to it.

use super::http::Question;
use super::scenario::{Act, Step, Usage};
use super::tools::{self, Call, Tool};
use serde_json::Value;

/// A conversation, as a client sent it.
#[derive(Debug, Default)]
pub(super) struct Talk {
    pub(super) model: String,
    pub(super) system: String,
    /// The last text block of the last user message.
    pub(super) prompt: String,
    /// Tool results since that prompt.
    pub(super) results: usize,
    pub(super) messages: usize,
    pub(super) tools: Vec<Tool>,
    /// Whether the answer is wanted as a stream.
    pub(super) streamed: bool,
}

impl Talk {
    /// Takes text of the user: it is the prompt unless the client wrote it by itself.
    pub(super) fn hear(&mut self, blocks: &[&str]) {
        let said = blocks.iter().rev().map(|block| without_notes(block));
        if let Some(prompt) = said.into_iter().find(|text| !text.is_empty()) {
            self.prompt = prompt;
            self.results = 0;
        }
    }

    /// Takes more of the system text.
    pub(super) fn instruct(&mut self, text: &str) {
        if !self.system.is_empty() {
            self.system.push('\n');
        }
        self.system.push_str(text);
    }
}

/// Elements that clients put beside a prompt or send as a message of their own.
const NOTES: &[&str] = &["system-reminder", "session_context", "environment_context"];

/// Returns text without what clients add to it.
fn without_notes(text: &str) -> String {
    let mut kept = text.to_owned();
    for note in NOTES {
        let (open, close) = (format!("<{note}>"), format!("</{note}>"));
        while let Some(start) = kept.find(&open) {
            let end = kept[start..]
                .find(&close)
                .map_or(kept.len(), |at| start + at + close.len());
            kept.replace_range(start..end, "");
        }
    }
    kept.trim().to_owned()
}

/// Returns the text blocks of a message, whose content is text or a list of blocks.
pub(super) fn blocks(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => Vec::new(),
    }
}

/// What the model says: text, a call, or both.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) model: String,
    pub(super) id: String,
    pub(super) text: Option<String>,
    pub(super) call: Option<Call>,
    pub(super) usage: Usage,
}

impl Answer {
    /// Says what a step says in this conversation. A step that fails on its way has something to say too.
    pub(super) fn new(step: &Step, talk: &Talk, id: usize, usage: Usage) -> Self {
        let mut answer = Self {
            model: talk.model.clone(),
            id: format!("{id:08}"),
            text: step.saying.clone(),
            call: None,
            usage: step.usage.unwrap_or(usage),
        };
        match &step.act {
            Act::Text(text) => answer.text = Some(text.clone()),
            Act::Write { path, content } => answer.call = Some(tools::write(path, content, &talk.tools)),
            Act::Shell(command) => answer.call = Some(tools::shell(command, &talk.tools)),
            Act::Call { name, arguments } => {
                answer.call = Some(Call {
                    name: name.clone(),
                    arguments: arguments.clone(),
                });
            }
            Act::Structured(value) => match tools::structured(value, &talk.tools) {
                Some(call) => answer.call = Some(call),
                None => answer.text = Some(value.to_string()),
            },
            Act::Fault(_) | Act::Hang | Act::Cut | Act::Malformed | Act::Broken(_) => {
                answer.text = Some("this sentence does not come to its end".to_owned());
            }
        }
        answer
    }

    /// Returns the text in two halves, as two events carry it.
    pub(super) fn halves(text: &str) -> [&str; 2] {
        let middle = text.len() / 2;
        let middle = (middle..=text.len()).find(|at| text.is_char_boundary(*at));
        let (first, second) = text.split_at(middle.unwrap_or(0));
        [first, second]
    }
}

/// An event of a stream.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) name: Option<&'static str>,
    pub(super) payload: String,
}

impl Event {
    /// An event whose name is also the `type` of its JSON.
    pub(super) fn named(name: &'static str, mut value: Value) -> Self {
        value["type"] = name.into();
        Self {
            name: Some(name),
            payload: value.to_string(),
        }
    }

    /// An event without a name.
    pub(super) fn plain(value: &Value) -> Self {
        Self {
            name: None,
            payload: value.to_string(),
        }
    }

    /// Returns the event as it is sent.
    pub(super) fn text(&self) -> String {
        let name = self.name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {}\n\n", self.payload)
    }
}

/// A stream: what says that an answer has begun, and the answer.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) opening: Vec<Event>,
    pub(super) rest: Vec<Event>,
}

/// An API: how it says what every API says.
pub(super) trait Dialect: Sync {
    /// Reads the conversation.
    fn talk(&self, question: &Question) -> Talk;
    /// Writes an answer as one piece.
    fn whole(&self, answer: &Answer) -> Value;
    /// Writes an answer as a stream.
    fn stream(&self, answer: &Answer) -> Stream;
    /// Writes the body of a refusal.
    fn refusal(&self, status: u16) -> Value;
    /// Writes an error within a stream.
    fn broken(&self, answer: &Answer, kind: &str) -> Event;
}
