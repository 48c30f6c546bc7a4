//! Codex: `codex exec --json`, the prompt on its input.

mod trust;

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, number, text};
use super::process::Ended;
use super::trouble::Trouble;
use crate::host::{Permission, Spent, Tokens};
use crate::machine::{Failure, FailureKind};
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "codex",
    title: "Codex",
    program: "codex",
    oldest: "0.166.0",
    tried: Some("0.169.0"),
    install: "npm install -g @openai/codex",
    variables: &["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY"],
    keys: &["CODEX_API_KEY", "OPENAI_API_KEY"],
    logins: &[".codex/auth.json"],
    can: &[
        (Can::Sessions, "0.166.0"),
        (Can::Live, "0.166.0"),
        (Can::Schema, "0.166.0"),
        (Can::ReadOnly, "0.166.0"),
        (Can::Usage, "0.166.0"),
    ],
};

/// How its log, which is not part of its events, tells that a tool was not allowed.
const REJECTED: &str = "codex_core::tools::router: error=";

pub(super) struct Codex;

impl Agent for Codex {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
        let mut spoken = Spoken {
            input: order.turn.prompt.clone(),
            ..Spoken::default()
        };
        // Always said: a folder that a person trusts it may write in.
        let sandbox = match (order.is_reading(), order.settings.permission) {
            (true, _) => "read-only",
            (false, Permission::Edit) => "workspace-write",
            (false, Permission::All) => "danger-full-access",
        };
        spoken = spoken.with(&["exec", "--json", "--skip-git-repo-check", "-s", sandbox]);
        if let Some(setting) = trust::setting(order) {
            spoken = spoken.with(&["-c", &setting]);
        }
        if let Some(model) = order.model {
            spoken = spoken.with(&["-m", model]);
        }
        if let Some(persona) = order.persona() {
            // A text of JSON is a text of TOML.
            spoken = spoken.with(&["-c", &format!("developer_instructions={}", Json::from(persona))]);
        }
        if let Some(schema) = &order.schema {
            let file = order.write("-schema.json", &schema.to_string())?;
            spoken = spoken.with_file("--output-schema", file);
        }
        // What belongs to the call stands before the word `resume`, which takes little of it.
        if let Some(id) = &order.turn.session.resume {
            spoken.last.extend(["resume".to_owned(), id.clone()]);
        }
        spoken.last.push("-".to_owned());
        Ok(spoken)
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        match text(event, &["type"]) {
            Some("thread.started") => heard.session = text(event, &["thread_id"]).map(str::to_owned),
            Some("turn.started") => heard.go_on(),
            Some("item.started" | "item.updated" | "item.completed") => item(event, heard),
            // It goes on by itself: how it ended is told by the end of the turn alone.
            Some("error") => heard.waiting = text(event, &["message"]).map(trouble),
            Some("turn.completed") => {
                heard.finish = Some(Finish::Done);
                heard.counting.tokens = true;
                heard.spent = spent(event);
            }
            Some("turn.failed") => {
                let message = text(event, &["error", "message"]).unwrap_or("the turn failed");
                heard.fail(trouble(message));
            }
            Some(_) | None => {}
        }
    }

    fn after(&self, order: &Order<'_>, ended: &Ended, heard: &mut Heard) {
        if let Some(note) = trust::note(order) {
            heard.note(note);
        }
        let log = String::from_utf8_lossy(&ended.err);
        let errors = log.lines().filter_map(|line| line.split_once(REJECTED));
        for (_, why) in errors.filter(|(_, why)| why.contains("reject")) {
            heard.deny(rejection(why));
        }
    }
}

/// Takes the words for a person out of the error of a command: it names the command.
fn rejection(why: &str) -> &str {
    let said = why.split_once("Rejected(\\\"").map(|(_, rest)| rest);
    let said = said.map(|rest| rest.split_once("\\\")").map_or(rest, |(words, _)| words));
    said.unwrap_or(why).trim()
}

fn item(event: &Json, heard: &mut Heard) {
    let said = |key: &str| text(event, &["item", key]).unwrap_or_default();
    match said("type") {
        // Not a failure: an unknown model, another way to the service.
        "error" => heard.note(said("message")),
        "agent_message" => {
            heard.waiting = None;
            heard.text = said("text").to_owned();
        }
        "command_execution" if said("status") == "declined" => heard.deny(format!("`{}`", said("command"))),
        _ => heard.waiting = None,
    }
}

/// Cached tokens are part of the input here, and thoughts of the output.
fn spent(event: &Json) -> Spent {
    let count = |name: &str| number(event, &["usage", name]).unwrap_or_default();
    let (cached, stored) = (count("cached_input_tokens"), count("cache_write_input_tokens"));
    Spent {
        tokens: at(event, &["usage"]).map(|_| Tokens {
            input: count("input_tokens").saturating_sub(cached + stored),
            cached,
            stored,
            output: count("output_tokens"),
        }),
        cost: None,
    }
}

fn trouble(message: &str) -> Trouble {
    match message.starts_with("Quota exceeded") {
        // Money is needed, not patience.
        true => Trouble::new(FailureKind::Limit, message),
        false => Trouble::of(None, message),
    }
}
