//! What an agent wrote in, an envelope out. Total: whatever comes is an envelope or a failure that says what is wrong.
//!
//! Secrets are masked before anything else looks at the text.

pub(super) mod typed;

use crate::builtins::Value;
use crate::host::Reply;
use crate::machine::{Envelope, Failure, FailureKind};
use crate::policy::secret::Secrets;
use std::sync::Arc;

/// The most bytes of a reply that are read.
pub const MAX_REPLY: usize = 8 * 1024 * 1024;
/// How many places of bare JSON at the end of a text are tried.
const MAX_TRIES: usize = 32;
/// What stands where bytes are no UTF-8.
const REPLACED: char = '\u{fffd}';

/// Reads a reply: the last fenced `json` block that holds an envelope, the whole text where it is one object, or one
/// object that is the last thing of the text.
pub fn read(bytes: &[u8]) -> Result<Reply, Failure> {
    read_without(&Secrets::common(), bytes)
}

/// The same without these secrets.
pub fn read_without(secrets: &Arc<Secrets>, bytes: &[u8]) -> Result<Reply, Failure> {
    if bytes.len() > MAX_REPLY {
        return Err(malformed(format!(
            "the reply has {} bytes, the most that are read are {MAX_REPLY}; reply with less, and put what is long into a file",
            bytes.len()
        )));
    }
    let lossy = String::from_utf8_lossy(bytes);
    let broken = matches!(lossy, std::borrow::Cow::Owned(_));
    let text = secrets.masked(&lossy);
    let envelope = envelope(&text, broken)?;
    Ok(Reply {
        envelope,
        raw: text.into_owned(),
    })
}

/// Makes a failure of an answer that is no envelope.
pub(super) fn malformed(message: impl Into<String>) -> Failure {
    Failure {
        kind: FailureKind::Malformed,
        message: message.into(),
    }
}

fn envelope(text: &str, broken: bool) -> Result<Envelope, Failure> {
    let whole = text.trim();
    if whole.is_empty() {
        return Err(malformed("the reply is empty"));
    }
    let mut search = Search::default();
    if whole.starts_with('{') && whole.ends_with('}') {
        search.consider(whole);
    }
    if search.found.is_none() {
        let blocks = blocks(text);
        if let Some(last) = blocks.last().filter(|last| !last.closed) {
            search.consider(last.body);
            if search.found.is_none() {
                return Err(malformed("the reply ends inside its json block: it was cut off"));
            }
        }
        for block in blocks.iter().rev() {
            if search.found.is_some() {
                break;
            }
            search.consider(block.body);
        }
    }
    if search.found.is_none() && search.spare.is_none() {
        search.consider_end(text);
    }
    let Some((pairs, read)) = search.found.or(search.spare) else {
        return Err(malformed(search.wrong.unwrap_or_else(|| {
            format!(
                "the reply has {} characters of text and no json block; end it with one fenced block marked json",
                whole.chars().count()
            )
        })));
    };
    if broken && read.contains(REPLACED) {
        return Err(malformed("the json block of the reply is not UTF-8"));
    }
    typed::envelope(pairs).map_err(malformed)
}

type Pairs = Vec<(String, Value)>;

/// What was found of an envelope so far.
#[derive(Default)]
struct Search<'t> {
    /// An object that has a key of an envelope, and its text.
    found: Option<(Pairs, &'t str)>,
    /// Any other object: all its keys are fields.
    spare: Option<(Pairs, &'t str)>,
    /// Why the last block is none.
    wrong: Option<String>,
}

impl<'t> Search<'t> {
    fn consider(&mut self, text: &'t str) {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Map(pairs)) if pairs.iter().any(|(key, _)| typed::KEYS.contains(&key.as_str())) => {
                self.found = Some((pairs, text));
            }
            Ok(Value::Map(pairs)) => {
                self.spare.get_or_insert((pairs, text));
            }
            Ok(Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_)) => {
                let wrong = || "the json block of the reply is not an object".to_owned();
                self.wrong.get_or_insert_with(wrong);
            }
            Err(error) => {
                self.wrong.get_or_insert_with(|| why(&error));
            }
        }
    }

    /// Looks for one object that is the last thing of the text.
    fn consider_end(&mut self, text: &'t str) {
        let text = text.trim_end();
        if !text.ends_with('}') {
            return;
        }
        let starts = line_starts(text).filter(|at| text[*at..].starts_with('{'));
        let last_line = text.rfind('\n').map_or(0, |at| at + 1);
        let inside = text[last_line..].find('{').map(|at| last_line + at);
        for at in starts.take(MAX_TRIES).chain(inside) {
            if let Ok(Value::Map(pairs)) = serde_json::from_str::<Value>(&text[at..]) {
                self.found = Some((pairs, &text[at..]));
                return;
            }
        }
    }
}

fn why(error: &serde_json::Error) -> String {
    let message = error.to_string();
    if message.starts_with("recursion limit") {
        "the json block of the reply is nested too deep; 128 levels are read".to_owned()
    } else {
        format!("the json block of the reply is not valid JSON: {message}")
    }
}

/// Returns where each line starts, past its white space.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    std::iter::once(0).chain(breaks).map(|at| {
        let rest = &text[at..];
        at + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
    })
}

/// A fenced block that is marked as JSON.
struct Block<'t> {
    body: &'t str,
    closed: bool,
}

/// Finds the fenced blocks marked `json`; blocks of other languages hide what is in them.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<(Fence, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let fence = Fence::of(line);
        match (&open, fence) {
            (Some((first, body)), Some(mark)) if mark.closes(first) => {
                if first.is_json {
                    found.push(Block {
                        body: &text[*body..at],
                        closed: true,
                    });
                }
                open = None;
            }
            (None, Some(mark)) => open = Some((mark, next)),
            (Some(_) | None, Some(_) | None) => {}
        }
        at = next;
    }
    if let Some((first, body)) = open
        && first.is_json
    {
        found.push(Block {
            body: &text[body..],
            closed: false,
        });
    }
    found
}

/// The line that opens or closes a block.
struct Fence {
    mark: u8,
    count: usize,
    bare: bool,
    is_json: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let line = line.trim();
        let mark = *line.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let count = line.bytes().take_while(|byte| *byte == mark).count();
        let word = line[count..].trim();
        (count >= 3 && !word.contains('`')).then(|| Fence {
            mark,
            count,
            bare: word.is_empty(),
            is_json: word.eq_ignore_ascii_case("json"),
        })
    }

    fn closes(&self, open: &Fence) -> bool {
        self.bare && self.mark == open.mark && self.count >= open.count
    }
}

#[cfg(test)]
mod tests;
