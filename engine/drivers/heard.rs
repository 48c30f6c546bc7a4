//! Events of an agent in, one account of the call out: what it said, what it used, and how it says that it ended.
//!
//! Agents tell an end by an event. An exit code is only believed where no event came.

use super::ear::MAX_LINE;
use super::process::{Ended, Killed};
use super::trouble::Trouble;
use super::{failed, reply, secret};
use crate::host::{Call, Reply, Spent};
use crate::machine::{Failure, FailureKind};
use serde_json::Value as Json;

/// What an agent told of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// Its last words.
    pub(super) text: String,
    /// A reply in the form that was asked for.
    pub(super) structured: Option<Json>,
    /// The conversation.
    pub(super) session: Option<String>,
    /// The model.
    pub(super) model: Option<String>,
    /// How it says that it ended.
    pub(super) finish: Option<Finish>,
    /// What went wrong, the last of it.
    pub(super) trouble: Option<Trouble>,
    /// What it was not allowed to do.
    pub(super) denied: Vec<String>,
    /// What it used.
    pub(super) spent: Spent,
    /// Whether that is counted from the beginning of the conversation.
    pub(super) counts_all: bool,
    /// What a person should know.
    pub(super) notes: Vec<String>,
    /// How many events came.
    pub(super) events: usize,
}

/// How an agent says that it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// It is done.
    Done,
    /// It is not.
    Failed,
}

impl Heard {
    /// Notes what was not allowed, once.
    pub(super) fn deny(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.denied.contains(&what) {
            self.denied.push(what);
        }
    }

    /// Adds to what was used.
    pub(super) fn spend(&mut self, more: Spent) {
        self.spent = self.spent.plus(more);
    }

    /// Says what came of the call, at a time. `who` is the program, for a person.
    pub(super) fn call(mut self, who: &str, ended: &Ended, counted: Spent, now: i64) -> Call {
        let result = self.result(who, ended);
        let spent = match self.counts_all {
            true => self.spent.minus(counted),
            false => self.spent,
        };
        if !self.denied.is_empty() {
            self.notes
                .push(format!("it was not allowed: {}", self.denied.join(", ")));
        }
        let notes = self
            .notes
            .iter()
            .map(|note| secret::masked(note).into_owned())
            .collect();
        let reset = self.trouble.as_ref().and_then(|trouble| trouble.until.as_ref());
        Call {
            until: reset.filter(|_| result.is_err()).and_then(|reset| reset.moment(now)),
            result: result.map_err(|failure| Failure {
                message: secret::masked(&failure.message).into_owned(),
                ..failure
            }),
            spent,
            session: self.session,
            model: self.model,
            notes,
        }
    }

    fn result(&self, who: &str, ended: &Ended) -> Result<Reply, Failure> {
        match (self.finish, ended.killed) {
            // What was told before it was ended counts.
            (Some(Finish::Done), _) => self.reply(who),
            (Some(Finish::Failed), _) => Err(self.told(who, ended)),
            (None, Some(Killed::Late | Killed::Lingered)) => Err(failed(
                FailureKind::Timeout,
                format!("{who} took too long and was ended"),
            )),
            (None, Some(Killed::Flood)) => {
                Err(reply::malformed(format!("{who} wrote more than is read and was ended")))
            }
            (None, Some(Killed::Silent)) => Err(failed(
                FailureKind::Stuck,
                format!("{who} gave no sign of life and was ended"),
            )),
            (None, None) => Err(self.cut(who, ended)),
        }
    }

    /// Reads the reply of an agent that says it is done.
    fn reply(&self, who: &str) -> Result<Reply, Failure> {
        if let Some(structured) = &self.structured {
            return reply::read(structured.to_string().as_bytes());
        }
        match reply::read(self.text.as_bytes()) {
            Err(_) if !self.denied.is_empty() => Err(failed(
                FailureKind::Denied,
                format!("{who} was not allowed: {}", self.denied.join(", ")),
            )),
            read => read,
        }
    }

    /// Makes the failure that the agent told.
    fn told(&self, who: &str, ended: &Ended) -> Failure {
        match &self.trouble {
            Some(trouble) => failed(trouble.kind, format!("{who}: {}", trouble.message)),
            None => failed(FailureKind::Crashed, format!("{who} failed{}", words(ended))),
        }
    }

    /// Makes the failure of a call that ended without the agent saying so.
    fn cut(&self, who: &str, ended: &Ended) -> Failure {
        if let Some(trouble) = &self.trouble {
            return failed(trouble.kind, format!("{who}: {}", trouble.message));
        }
        if let Some(trouble) = Trouble::in_words(&last_words(&ended.err)) {
            return failed(trouble.kind, format!("{who}: {}", trouble.message));
        }
        let how = match ended.code {
            Some(0) if self.events == 0 => "ended without a word".to_owned(),
            Some(0) => "ended before it was done".to_owned(),
            Some(code) => format!("ended with exit code {code} before it was done"),
            None => "was ended by a signal".to_owned(),
        };
        failed(FailureKind::Crashed, format!("{who} {how}{}", words(ended)))
    }
}

fn words(ended: &Ended) -> String {
    match last_words(&ended.err) {
        words if words.is_empty() => words,
        words => format!(": {words}"),
    }
}

/// Returns the last line that a program wrote for people.
pub(super) fn last_words(err: &[u8]) -> String {
    const LONGEST: usize = 300;
    let text = String::from_utf8_lossy(err);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let plain = without_colors(line.unwrap_or(""));
    secret::masked(&plain).chars().take(LONGEST).collect()
}

/// Takes the codes out that colour a terminal.
fn without_colors(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(each) = rest.next() {
        match each {
            '\u{1b}' => while rest.next().is_some_and(|code| !code.is_ascii_alphabetic()) {},
            each => plain.push(each),
        }
    }
    plain
}

/// Reads one line as an event; what is none is passed over.
pub(super) fn event(line: &[u8]) -> Option<Json> {
    if line.len() > MAX_LINE || line.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return None;
    }
    let text = String::from_utf8_lossy(line);
    serde_json::from_str(&text).ok()
}

/// Returns the text at a path of keys.
pub(super) fn text<'j>(event: &'j Json, path: &[&str]) -> Option<&'j str> {
    at(event, path)?.as_str()
}

/// Returns the number at a path of keys.
pub(super) fn number(event: &Json, path: &[&str]) -> Option<u64> {
    at(event, path)?.as_u64()
}

/// Returns what is at a path of keys.
pub(super) fn at<'j>(event: &'j Json, path: &[&str]) -> Option<&'j Json> {
    path.iter().try_fold(event, |inside, key| inside.get(key))
}
