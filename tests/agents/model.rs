//! A model that says what a script tells it to, on loopback, in the words of every API that agents speak.
//!
//! The step is chosen by what is in the conversation alone, so an agent may try again, resume or run in parallel.

mod answers;
mod anthropic;
mod chat;
mod client;
mod faults;
mod gemini;
mod http;
mod reply;
mod responses;
mod scenario;
mod talk;
mod tools;

pub(crate) use scenario::{Scenario, Step, Usage};

use http::{Line, Question};
use serde_json::{Value, json};
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use talk::{Dialect, Talk};

/// A conversation that was sent to the model.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The path with its query.
    pub(crate) path: String,
    pub(crate) model: String,
    /// The last text block of the last user message, without what clients add.
    pub(crate) prompt: String,
    pub(crate) system: String,
    /// The names of the tools on offer.
    pub(crate) tools: Vec<String>,
    pub(crate) messages: usize,
    /// Tool results since the prompt.
    pub(crate) results: usize,
    /// All of it.
    pub(crate) body: Value,
    /// When it came, from the start of the model.
    pub(crate) at: Duration,
}

/// A scripted model; it stops when it is dropped.
pub(crate) struct Model {
    /// Where it is, without a slash at the end.
    pub(crate) url: String,
    office: Arc<Office>,
    porter: Option<JoinHandle<()>>,
}

impl Model {
    /// Starts a model on a free port.
    pub(crate) fn start(scenario: Scenario) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let office = Arc::new(Office {
            scenario,
            started: Instant::now(),
            stopped: AtomicBool::new(false),
            taken: Mutex::default(),
            requests: Mutex::default(),
            others: Mutex::default(),
            lines: Mutex::default(),
        });
        let kept = Arc::clone(&office);
        let porter = std::thread::spawn(move || receive(&listener, &kept));
        Self {
            url,
            office,
            porter: Some(porter),
        }
    }

    /// Returns the conversations so far, in the order they came.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.office.requests.lock().unwrap().clone()
    }

    /// Returns what else was asked for, such as `GET /v1/models`.
    pub(crate) fn others(&self) -> Vec<String> {
        self.office.others.lock().unwrap().clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.office.stopped.store(true, Ordering::SeqCst);
        // The porter waits for somebody to come; when nobody can, it has gone already.
        drop(TcpStream::connect(self.url.trim_start_matches("http://")));
        if let Some(porter) = self.porter.take() {
            assert!(porter.join().is_ok() || std::thread::panicking(), "the porter panicked");
        }
        for line in self.office.lines.lock().unwrap().iter() {
            // A line whose client has gone cannot be shut, and need not be.
            line.shutdown(Shutdown::Both).ok();
        }
    }
}

/// What all connections have in common.
struct Office {
    scenario: Scenario,
    started: Instant,
    stopped: AtomicBool,
    taken: Mutex<scenario::Taken>,
    requests: Mutex<Vec<Request>>,
    others: Mutex<Vec<String>>,
    lines: Mutex<Vec<TcpStream>>,
}

impl Office {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Notes a conversation; returns its number.
    fn note(&self, question: Question, talk: &Talk) -> usize {
        let mut requests = self.requests.lock().unwrap();
        requests.push(Request {
            path: question.path,
            model: talk.model.clone(),
            prompt: talk.prompt.clone(),
            system: talk.system.clone(),
            tools: talk.tools.iter().map(|tool| tool.name.clone()).collect(),
            messages: talk.messages,
            results: talk.results,
            body: question.body,
            at: self.started.elapsed(),
        });
        requests.len()
    }
}

fn receive(listener: &TcpListener, office: &Arc<Office>) {
    for stream in listener.incoming().flatten() {
        if office.is_stopped() {
            return;
        }
        office.lines.lock().unwrap().push(stream.try_clone().unwrap());
        let office = Arc::clone(office);
        // A client that goes away in the middle of an answer ends its thread, and that is all.
        std::thread::spawn(move || converse(stream, &office).ok());
    }
}

fn converse(stream: TcpStream, office: &Office) -> io::Result<()> {
    let mut line = Line::new(stream)?;
    while let Some(question) = line.question()? {
        let last = question.is_last();
        match dialect(&question) {
            Some(dialect) => reply::reply(&mut line, dialect, question, office)?,
            None => remark(&mut line, &question, office)?,
        }
        if last {
            break;
        }
    }
    line.cut()
}

/// Answers what is no conversation, and notes it.
fn remark(line: &mut Line, question: &Question, office: &Office) -> io::Result<()> {
    let asked = format!("{} {}", question.method, question.path);
    office.others.lock().unwrap().push(asked);
    if question.method == "HEAD" {
        return line.head(200, &[], 0);
    }
    let (status, body) = aside(question);
    line.answer(status, &[], &body)
}

/// Returns the API that a question is for; none when it is no conversation.
fn dialect(question: &Question) -> Option<&'static dyn Dialect> {
    let place = question.place();
    if question.method != "POST" {
        None
    } else if place.ends_with("/messages") {
        Some(&anthropic::Anthropic)
    } else if place.ends_with("/responses") {
        Some(&responses::Responses)
    } else if place.ends_with("/chat/completions") {
        Some(&chat::Chat)
    } else if place.ends_with(":generateContent") || place.ends_with(":streamGenerateContent") {
        Some(&gemini::Gemini)
    } else {
        None
    }
}

/// Answers what is asked beside conversations.
fn aside(question: &Question) -> (u16, Value) {
    let place = question.place();
    if place.ends_with("/count_tokens") {
        (200, json!({"input_tokens": 1000}))
    } else if place.ends_with(":countTokens") {
        (200, json!({"totalTokens": 1000}))
    } else if place.ends_with("/models") {
        let model = json!({"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted"});
        (200, json!({"object": "list", "data": [model], "has_more": false}))
    } else {
        let error = json!({"type": "not_found_error", "message": format!("nothing is at {place}")});
        (404, json!({"type": "error", "error": error}))
    }
}
