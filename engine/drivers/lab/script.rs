//! The acts of a scenario in, a program for the shell that does them in the voice of an agent out.

use super::scenario::{Act, Given, Scenario};
use super::voice::{Fault, Good, Notice, Voice};
use crate::machine::escape::shell;

/// The conversation that a turn goes on with.
pub(super) const BEFORE: &str = "11111111-1111-4111-8111-111111111111";
/// Another one.
const OTHER: &str = "22222222-2222-4222-8222-222222222222";
/// A reply as it should be.
const REPLY: &str = "Here it is.\n\n```json\n{\"instructions\": [{\"n\": 1, \"status\": \"done\", \"evidence\": []}], \"text\": \"fine\"}\n```\n";

/// Writes the stand-in; none where the agent has no words for what it should do.
pub(super) fn script(scenario: &Scenario, voice: &dyn Voice) -> Option<String> {
    let strays = scenario.acts.iter().any(|act| matches!(act, Act::BeginOther));
    let goes_on = scenario.given == Given::Resuming && !strays;
    let mut script = Script {
        voice,
        session: if goes_on { BEFORE } else { OTHER },
        denied: scenario.acts.iter().find_map(Act::denied),
        text: format!("#!/bin/sh\n{}", voice.prelude()),
    };
    for act in scenario.acts {
        script.act(*act)?;
    }
    Some(script.text)
}

/// A stand-in that is being written.
struct Script<'a> {
    voice: &'a dyn Voice,
    session: &'static str,
    /// A command that is not allowed on the way.
    denied: Option<&'static str>,
    text: String,
}

impl Script<'_> {
    fn act(&mut self, act: Act) -> Option<()> {
        match act {
            Act::Begin => self.say(&self.voice.begin(self.session)),
            Act::BeginOther => {
                let lines = self.voice.stray(OTHER);
                (!lines.is_empty()).then_some(())?;
                self.say(&lines)
            }
            Act::Done => self.say(&self.done(REPLY)),
            Act::Reply(words) => self.say(&self.done(words)),
            Act::Torn => {
                self.text.push_str("{\n");
                self.say(&self.done(REPLY))?;
                // The first letter of the reply stands nowhere else.
                self.text.push_str("} | LC_ALL=C tr H '\\377'\n");
                Some(())
            }
            Act::Fail(fault) => self.fail(fault),
            Act::FailOnce(fault) => {
                self.text.push_str("if [ ! -e \"$0.once\" ]; then\n: > \"$0.once\"\n");
                self.fail(fault)?;
                self.text.push_str("fi\n");
                Some(())
            }
            Act::Notice(notice) => self.say(&self.voice.notice(notice)?),
            Act::Hear => {
                self.text.push_str(self.voice.hear());
                self.text.push('\n');
                Some(())
            }
            Act::Shell(line) => {
                self.text.push_str(line);
                self.text.push('\n');
                Some(())
            }
            Act::Cut => {
                let lines = self.done(REPLY);
                let last = lines.last().filter(|_| self.voice.has_end())?;
                let half: String = last.chars().take(last.chars().count() / 2).collect();
                self.text.push_str(&format!("printf %s {}\n", shell(&half).ok()?));
                Some(())
            }
            Act::Shuffled => {
                let lines = self.done(REPLY);
                let shuffled: Option<Vec<String>> = lines.iter().map(|line| shuffled(line)).collect();
                self.say(&shuffled?)
            }
            Act::Unknown => match self.voice.has_end() {
                true => self.say(&[self.voice.unknown()]),
                false => Some(()),
            },
        }
    }

    fn done(&self, reply: &str) -> Vec<String> {
        self.voice.done(&Good {
            reply,
            session: self.session,
            denied: self.denied,
        })
    }

    fn fail(&mut self, fault: Fault) -> Option<()> {
        let failed = self.voice.failed(fault, self.session)?;
        self.say(&failed.out)?;
        if !failed.err.is_empty() {
            self.text.push_str(&format!("echo {} >&2\n", shell(&failed.err).ok()?));
        }
        if let Some(code) = failed.code {
            self.text.push_str(&format!("exit {code}\n"));
        }
        Some(())
    }

    fn say(&mut self, lines: &[String]) -> Option<()> {
        for line in lines {
            self.text.push_str(&self.voice.spoken(line)?);
            self.text.push('\n');
        }
        Some(())
    }
}

impl Act {
    fn denied(&self) -> Option<&'static str> {
        match self {
            Act::Notice(Notice::Denied(command)) => Some(command),
            Act::Notice(Notice::Retry | Notice::LimitNear | Notice::Said(_))
            | Act::Begin
            | Act::BeginOther
            | Act::Done
            | Act::Reply(_)
            | Act::Torn
            | Act::Fail(_)
            | Act::FailOnce(_)
            | Act::Hear
            | Act::Shell(_)
            | Act::Cut
            | Act::Shuffled
            | Act::Unknown => None,
        }
    }
}

/// Turns the keys of an object around and puts one more into it.
fn shuffled(line: &str) -> Option<String> {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(line) else {
        return None;
    };
    let pairs: Vec<String> = object
        .iter()
        .rev()
        .map(|(key, value)| format!("{}: {value}", serde_json::Value::String(key.clone())))
        .collect();
    Some(format!("{{\"novelty\": {{\"deep\": [1, 2]}}, {}}}", pairs.join(", ")))
}
