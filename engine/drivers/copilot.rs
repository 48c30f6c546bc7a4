//! Copilot CLI: `copilot --output-format json`, the prompt on its input. Tokens are told in a file alone.

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, named, number, text};
use super::process::Ended;
use super::trouble::Trouble;
use crate::host::{Permission, Spent, Tokens};
use crate::machine::{Failure, FailureKind};
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    oldest: "1.0.102",
    tried: Some("1.0.102"),
    install: "npm install -g @github/copilot",
    variables: &[
        "COPILOT_GITHUB_TOKEN",
        "COPILOT_HOME",
        "COPILOT_MODEL",
        "COPILOT_OFFLINE",
        "COPILOT_PROVIDER_API_KEY",
        "COPILOT_PROVIDER_BASE_URL",
        "COPILOT_PROVIDER_BEARER_TOKEN",
        "COPILOT_PROVIDER_TYPE",
        "COPILOT_PROVIDER_WIRE_API",
        "GH_HOST",
        "GH_TOKEN",
        "GITHUB_TOKEN",
    ],
    keys: &[
        "COPILOT_GITHUB_TOKEN",
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "COPILOT_PROVIDER_API_KEY",
        "COPILOT_PROVIDER_BEARER_TOKEN",
    ],
    logins: &[".copilot/config.json"],
    can: &[
        (Can::Sessions, "1.0.102"),
        (Can::ChooseSession, "1.0.102"),
        (Can::Live, "1.0.102"),
        (Can::Allowlist, "1.0.102"),
        (Can::ReadOnly, "1.0.102"),
        (Can::Usage, "1.0.102"),
    ],
};

/// The tools that change nothing.
const READING: &str = "--available-tools=view,glob,grep";
/// The file of a call that tells what was used.
const USAGE: &str = "-usage.json";

pub(super) struct Copilot;

impl Agent for Copilot {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
        let mut spoken = Spoken {
            input: order.turn.prompt.clone(),
            ..Spoken::default()
        };
        spoken.set = vec![("COPILOT_AUTO_UPDATE".to_owned(), "false".to_owned())];
        spoken = spoken.with(&["--output-format", "json", "--no-ask-user"]);
        spoken = match (order.is_reading(), order.settings.permission) {
            (true, _) => spoken.with(&[READING, "--deny-tool=write", "--deny-tool=shell"]),
            (false, Permission::Edit) => spoken.with(&["--allow-tool=write"]),
            (false, Permission::All) => spoken.with(&["--allow-all-tools"]),
        };
        for tool in order.settings.allow.iter().filter(|_| !order.is_reading()) {
            spoken = spoken.with(&[&format!("--allow-tool={tool}")]);
        }
        for tool in &order.settings.deny {
            spoken = spoken.with(&[&format!("--deny-tool={tool}")]);
        }
        let session = &order.turn.session;
        match &session.resume {
            Some(id) => spoken = spoken.with(&[&format!("--resume={id}")]),
            None if session.choose.is_empty() => {}
            None => spoken = spoken.with(&["--session-id", &session.choose]),
        }
        if let Some(model) = order.model {
            spoken = spoken.with(&["--model", model]);
        }
        let usage = order.file(USAGE);
        // What a call that was killed left behind is not what this one uses; it may well not be there.
        drop(order.files.remove(&usage));
        Ok(spoken.with_file("--usage-output-file", usage))
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        let said = |key: &str| text(event, &["data", key]).unwrap_or_default();
        let status = number(event, &["data", "statusCode"]);
        match text(event, &["type"]) {
            Some("assistant.turn_start") => {
                heard.go_on();
                heard.trouble = None;
            }
            Some("assistant.message") => {
                heard.waiting = None;
                heard.model = text(event, &["data", "model"]).map(str::to_owned);
                heard.text = said("content").to_owned();
            }
            Some("tool.execution_start") => {
                let what = named(said("toolName"), at(event, &["data", "arguments"]));
                heard.begin(said("toolCallId"), what);
            }
            Some("tool.execution_complete") if text(event, &["data", "error", "code"]) == Some("denied") => {
                heard.refuse(said("toolCallId"));
            }
            Some("model.call_failure") => heard.waiting = Some(Trouble::of(status, "its service said no")),
            Some("session.error") => heard.trouble = Some(trouble(said("errorType"), status, said("message"))),
            // It says 0 at the end all the same.
            Some("abort") => heard.finish = Some(Finish::Stopped),
            Some("result") => result(event, heard),
            Some(_) | None => {}
        }
    }

    fn after(&self, order: &Order<'_>, _ended: &Ended, heard: &mut Heard) {
        let bytes = order.files.read(&order.file(USAGE)).unwrap_or_default();
        let usage: Json = serde_json::from_slice(&bytes).unwrap_or_default();
        let models = at(&usage, &["modelMetrics"]).and_then(Json::as_object);
        heard.counting.tokens = true;
        for metrics in models.into_iter().flat_map(|models| models.values()) {
            heard.spend(spent(metrics));
        }
    }
}

fn result(event: &Json, heard: &mut Heard) {
    match (&heard.trouble, heard.finish) {
        (Some(_), _) => heard.finish = Some(Finish::Failed),
        (None, Some(Finish::Stopped)) => {}
        (None, Some(Finish::Done | Finish::Failed) | None) => {
            let is_done = number(event, &["exitCode"]) == Some(0);
            heard.finish = Some(if is_done { Finish::Done } else { Finish::Failed });
        }
    }
}

/// Cached tokens are part of the input here.
fn spent(metrics: &Json) -> Spent {
    let count = |name: &str| number(metrics, &["usage", name]).unwrap_or_default();
    let (cached, stored) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    Spent {
        tokens: Some(Tokens {
            input: count("inputTokens").saturating_sub(cached + stored),
            cached,
            stored,
            output: count("outputTokens"),
        }),
        cost: None,
    }
}

fn trouble(kind: &str, status: Option<u64>, message: &str) -> Trouble {
    match (kind, status) {
        ("authentication" | "authorization", None) => Trouble::new(FailureKind::Auth, message),
        ("rate_limit", None) => Trouble::new(FailureKind::RateLimited, message),
        ("quota", _) => Trouble::new(FailureKind::Limit, message),
        ("context_limit", _) => Trouble::new(FailureKind::TooLong, message),
        (_, _) => Trouble::of(status, message),
    }
}
