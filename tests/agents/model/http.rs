//! Bytes of a connection to requests, answers to bytes: the little of HTTP/1.1 that agents speak.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// What a client asked.
pub(super) struct Question {
    pub(super) method: String,
    /// The path with its query.
    pub(super) path: String,
    headers: Vec<(String, String)>,
    /// The body; null when there is none or it is no JSON.
    pub(super) body: Value,
}

impl Question {
    /// Returns the path without its query.
    pub(super) fn place(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }

    /// Says whether the client wants the connection to end after the answer.
    pub(super) fn is_last(&self) -> bool {
        self.header("connection") == Some("close")
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// One connection: questions come out, answers go in.
pub(super) struct Line {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Line {
    pub(super) fn new(stream: TcpStream) -> io::Result<Self> {
        // Events are small writes: each has to arrive when it is sent.
        stream.set_nodelay(true)?;
        Ok(Self {
            reader: BufReader::new(stream.try_clone()?),
            writer: stream,
        })
    }

    /// Returns the next question; none when the client has gone.
    pub(super) fn question(&mut self) -> io::Result<Option<Question>> {
        let first = self.text()?;
        let mut words = first.split_whitespace();
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            return Ok(None);
        };
        let mut question = Question {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Value::Null,
        };
        loop {
            let line = self.text()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            question.headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        if question.header("expect").is_some() {
            self.writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let bytes = self.bytes(&question)?;
        question.body = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(Some(question))
    }

    /// Answers with JSON.
    pub(super) fn answer(&mut self, status: u16, headers: &[(String, String)], body: &Value) -> io::Result<()> {
        self.whole(status, headers, &body.to_string())
    }

    /// Answers with text that says it is JSON.
    pub(super) fn whole(&mut self, status: u16, headers: &[(String, String)], body: &str) -> io::Result<()> {
        self.head(status, headers, body.len())?;
        self.send(body)
    }

    /// Promises an answer of this many bytes.
    pub(super) fn head(&mut self, status: u16, headers: &[(String, String)], length: usize) -> io::Result<()> {
        let more: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        self.send(&format!(
            "HTTP/1.1 {status} {}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{more}\r\n",
            reason(status)
        ))
    }

    /// Promises a stream of events.
    pub(super) fn open(&mut self) -> io::Result<()> {
        self.send(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n\
             transfer-encoding: chunked\r\n\r\n",
        )
    }

    /// Sends a part of a stream.
    pub(super) fn part(&mut self, text: &str) -> io::Result<()> {
        self.send(&format!("{:x}\r\n{text}\r\n", text.len()))
    }

    /// Ends a stream as it should end.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.send("0\r\n\r\n")
    }

    /// Ends the connection, whatever was promised.
    pub(super) fn cut(&mut self) -> io::Result<()> {
        self.writer.shutdown(Shutdown::Both)
    }

    /// Waits for a moment; says whether the client is still there.
    pub(super) fn wait(&mut self, moment: Duration) -> io::Result<bool> {
        self.writer.set_read_timeout(Some(moment))?;
        let seen = self.writer.peek(&mut [0]);
        self.writer.set_read_timeout(None)?;
        match seen {
            Ok(0) => Ok(false),
            Ok(_) => {
                // A client that asks again before it was answered is still there, and peeking did not wait.
                std::thread::sleep(moment);
                Ok(true)
            }
            Err(error) => Ok(matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
            )),
        }
    }

    pub(super) fn send(&mut self, text: &str) -> io::Result<()> {
        self.writer.write_all(text.as_bytes())?;
        self.writer.flush()
    }

    fn text(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }

    fn bytes(&mut self, question: &Question) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if question.header("transfer-encoding").is_some() {
            loop {
                let line = self.text()?;
                let size = line.split(';').next().unwrap_or_default();
                let size = u64::from_str_radix(size.trim(), 16).unwrap_or(0);
                self.reader.by_ref().take(size).read_to_end(&mut bytes)?;
                self.text()?;
                if size == 0 {
                    return Ok(bytes);
                }
            }
        }
        let length = question.header("content-length").and_then(|text| text.parse().ok());
        self.reader.by_ref().take(length.unwrap_or(0)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        _ => "Fault",
    }
}
