//! A client of the scripted model as small as can be: one question a connection, and all that came back.

use super::Model;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What came back.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) status: u16,
    pub(super) head: String,
    /// The body, without the marks of its chunks.
    pub(super) body: String,
    /// Whether as much came as was promised.
    pub(super) complete: bool,
}

impl Heard {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns the JSON of every event.
    pub(super) fn events(&self) -> Vec<Value> {
        let lines = self.body.lines().filter_map(|line| line.strip_prefix("data: "));
        let lines = lines.filter(|line| *line != "[DONE]");
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the texts at these places of the events, joined.
    pub(super) fn texts(&self, pointer: &str) -> String {
        let events = self.events();
        let texts = events.iter().filter_map(|event| event.pointer(pointer)?.as_str());
        texts.collect()
    }
}

impl Model {
    /// Asks for something and waits for all of the answer.
    pub(super) fn post(&self, path: &str, body: &Value) -> Heard {
        self.ask("POST", path, body)
    }

    pub(super) fn ask(&self, method: &str, path: &str, body: &Value) -> Heard {
        let mut stream = self.dial(method, path, body);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        heard(&String::from_utf8(bytes).unwrap())
    }

    /// Asks for something and returns the open connection.
    pub(super) fn dial(&self, method: &str, path: &str, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(self.url.trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let body = body.to_string();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: model\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    }
}

pub(super) fn heard(text: &str) -> Heard {
    let (head, rest) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let (body, complete) = if head.contains("chunked") {
        joined(rest)
    } else {
        let length = head.split("content-length: ").nth(1).unwrap();
        let length: usize = length.lines().next().unwrap().parse().unwrap();
        (rest.to_owned(), rest.len() == length)
    };
    Heard {
        status,
        head: head.to_owned(),
        body,
        complete,
    }
}

fn joined(mut rest: &str) -> (String, bool) {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        body.push_str(&after[..size]);
        rest = &after[size + 2..];
    }
    (body, false)
}
