//! Events of an agent in, one account of the call out: what it said, what it used, and how it says that it ended.
//!
//! Agents tell an end by an event. An exit code is only believed where no event came.

use super::ear::MAX_LINE;
use super::process::{Ended, Killed};
use super::trouble::Trouble;
use super::{failed, reply};
use crate::host::{Call, Reply, Spent};
use crate::machine::{Failure, FailureKind};
use crate::policy::secret::masked;
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
    /// What it waits for at the moment: its service said no, and it tries again by itself.
    pub(super) waiting: Option<Trouble>,
    /// Tools it began to use, by the name of the call, so that a refusal can say what was refused.
    pub(super) begun: Vec<(String, String)>,
    /// What it used.
    pub(super) spent: Spent,
    /// What of that is counted from the beginning of the conversation.
    pub(super) counting: Counting,
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
    /// It was stopped on its way.
    Stopped,
}

/// What an agent counts from the beginning of a conversation and not from that of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counting {
    /// Its tokens.
    pub(super) tokens: bool,
    /// Its dollars.
    pub(super) cost: bool,
}

impl Heard {
    /// Notes what was not allowed, once.
    pub(super) fn deny(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.denied.contains(&what) {
            self.denied.push(what);
        }
    }

    /// Notes that a tool is used.
    pub(super) fn begin(&mut self, call: &str, what: String) {
        self.begun.push((call.to_owned(), what));
    }

    /// Notes that a tool was not allowed.
    pub(super) fn refuse(&mut self, call: &str) {
        let begun = self.begun.iter().find(|(name, _)| name == call);
        let what = begun.map_or("a tool", |(_, what)| what).to_owned();
        self.deny(what);
    }

    /// Notes something for a person, once.
    pub(super) fn note(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }

    /// Notes the end of a call that did not work.
    pub(super) fn fail(&mut self, trouble: Trouble) {
        self.trouble = Some(trouble);
        self.finish = Some(Finish::Failed);
    }

    /// Notes that work goes on: what was waited for is over.
    pub(super) fn go_on(&mut self) {
        self.waiting = None;
        self.finish = None;
    }

    /// Adds to what was used.
    pub(super) fn spend(&mut self, more: Spent) {
        self.spent = self.spent.plus(more);
    }

    /// Takes the words for people for what they say where the agent itself told nothing of its end.
    fn believe_words(&mut self, ended: &Ended) {
        let is_cut = self.finish.is_none() && matches!(ended.killed, Some(Killed::Lingered) | None);
        if is_cut && self.trouble.is_none() {
            self.trouble = in_messages(ended);
        }
    }

    /// Says what came of the call, at a time. `who` is the program, for a person.
    pub(super) fn call(mut self, who: &str, ended: &Ended, counted: Spent, now: i64) -> Call {
        self.believe_words(ended);
        let result = self.result(who, ended);
        let spent = self.spent_since(counted);
        if !self.denied.is_empty() {
            self.notes
                .push(format!("it was not allowed: {}", self.denied.join(", ")));
        }
        let notes = self.notes.iter().map(|note| masked(note).into_owned()).collect();
        let kind = result.as_ref().err().map(|failure| failure.kind);
        let trouble = self.trouble.as_ref().or(self.waiting.as_ref());
        let trouble = trouble.filter(|trouble| Some(trouble.kind) == kind);
        let reset = trouble.and_then(|trouble| trouble.until.as_ref());
        Call {
            until: reset.and_then(|reset| reset.moment(now)),
            result: result.map_err(|failure| Failure {
                message: masked(&failure.message).into_owned(),
                ..failure
            }),
            spent,
            session: self.session,
            model: self.model,
            notes,
        }
    }

    /// Takes off what was counted before, where the agent counts from the beginning of the conversation.
    fn spent_since(&self, counted: Spent) -> Spent {
        let all = self.spent;
        let rest = all.minus(counted);
        // Who tells less than was counted before began to count anew.
        let tokens = |spent: Spent| spent.tokens.unwrap_or_default().sum();
        let dollars = |spent: Spent| spent.cost.unwrap_or_default();
        let takes_tokens = self.counting.tokens && tokens(all) >= tokens(counted);
        let takes_cost = self.counting.cost && dollars(all) >= dollars(counted);
        Spent {
            tokens: if takes_tokens { rest.tokens } else { all.tokens },
            cost: if takes_cost { rest.cost } else { all.cost },
        }
    }

    fn result(&self, who: &str, ended: &Ended) -> Result<Reply, Failure> {
        self.finished(who, ended)?;
        self.reply(who)
    }

    /// Says how the call ended, whatever the reply is worth: done means that the agent says so, was allowed all it
    /// tried, and said something.
    pub(super) fn class(&self, who: &str, ended: &Ended) -> Result<(), Failure> {
        self.finished(who, ended)?;
        if !self.denied.is_empty() {
            return Err(self.refused(who));
        }
        match self.text.trim().is_empty() && self.structured.is_none() {
            true => Err(reply::malformed(format!("{who} says that it is done and said nothing"))),
            false => Ok(()),
        }
    }

    /// Answers with a failure unless the agent says that it is done.
    fn finished(&self, who: &str, ended: &Ended) -> Result<(), Failure> {
        match (ended.killed, self.finish) {
            (_, Some(Finish::Done)) => Ok(()),
            (_, Some(Finish::Failed)) => Err(self.told(who, ended)),
            (Some(Killed::Late), Some(Finish::Stopped) | None) => {
                Err(self.ended_by_us(who, FailureKind::Timeout, "took too long"))
            }
            (Some(Killed::Silent), Some(Finish::Stopped) | None) => {
                Err(self.ended_by_us(who, FailureKind::Stuck, "gave no sign of life"))
            }
            (Some(Killed::Flood), Some(Finish::Stopped) | None) => {
                Err(reply::malformed(format!("{who} wrote more than is read and was ended")))
            }
            (Some(Killed::Lingered) | None, Some(Finish::Stopped)) => Err(failed(
                FailureKind::Crashed,
                format!("{who} was stopped before it was done"),
            )),
            (Some(Killed::Lingered) | None, None) => Err(self.cut(who, ended)),
        }
    }

    /// Makes the failure of a call that we ended. One that only waited for its service failed at that.
    fn ended_by_us(&self, who: &str, kind: FailureKind, why: &str) -> Failure {
        match self
            .waiting
            .as_ref()
            .filter(|trouble| trouble.kind != FailureKind::Crashed)
        {
            Some(trouble) => failed(
                trouble.kind,
                format!("{who} {why} and was ended while it tried again: {}", trouble.message),
            ),
            None => failed(kind, format!("{who} {why} and was ended")),
        }
    }

    fn refused(&self, who: &str) -> Failure {
        failed(
            FailureKind::Denied,
            format!("{who} was not allowed: {}", self.denied.join(", ")),
        )
    }

    /// Reads the reply of an agent that says it is done.
    fn reply(&self, who: &str) -> Result<Reply, Failure> {
        if let Some(structured) = &self.structured {
            return reply::read(structured.to_string().as_bytes());
        }
        match reply::read(self.text.as_bytes()) {
            Err(_) if !self.denied.is_empty() => Err(self.refused(who)),
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
        if let Some(trouble) = self.trouble.clone().or_else(|| in_messages(ended)) {
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

/// Finds what went wrong in the words for people: in the last of them, or in the first that is marked as an error.
fn in_messages(ended: &Ended) -> Option<Trouble> {
    let told = Trouble::in_words(&last_words(&ended.err));
    told.or_else(|| Trouble::in_words(&first_error(&ended.err)))
}

/// Returns the last line that a program wrote for people.
pub(super) fn last_words(err: &[u8]) -> String {
    let text = String::from_utf8_lossy(err);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
    short(&without_colors(line.unwrap_or("")))
}

/// Returns the first line that a program marked as an error: advice may follow it.
fn first_error(err: &[u8]) -> String {
    let text = String::from_utf8_lossy(err);
    let mut lines = text.lines().map(without_colors);
    let marked = lines.find(|line| line.trim_start().starts_with("Error: "));
    short(marked.unwrap_or_default().trim())
}

fn short(line: &str) -> String {
    const LONGEST: usize = 300;
    masked(line).chars().take(LONGEST).collect()
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

/// Names the use of a tool: the tool, and what it was used on.
pub(super) fn named(tool: &str, input: Option<&Json>) -> String {
    let keys = ["command", "file_path", "filePath", "path", "url"];
    let what = input.and_then(|input| keys.iter().find_map(|key| text(input, &[key])));
    match what {
        Some(what) => format!("{tool} `{what}`"),
        None => tool.to_owned(),
    }
}
