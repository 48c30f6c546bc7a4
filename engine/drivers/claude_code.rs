//! Claude Code: `claude -p` with a stream of JSON events.

use super::card::{Can, Card};
use super::cli::{Agent, Cli, Order, Spoken};
use super::heard::{Finish, Heard, at, number, text};
use super::trouble::Trouble;
use super::{DriverError, Options, relayed};
use crate::host::{Driver, Permission, Spent, Tokens};
use crate::machine::FailureKind;
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "claude-code",
    title: "Claude Code",
    program: "claude",
    oldest: "2.0.0",
    tried: Some("2.1.325"),
    install: "npm install -g @anthropic-ai/claude-code",
    variables: &[
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
        "CLAUDE_CONFIG_DIR",
    ],
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    logins: &[".claude/.credentials.json"],
    can: &[
        (Can::Sessions, "1.0.0"),
        (Can::ChooseSession, "1.0.60"),
        (Can::Live, "1.0.0"),
        (Can::Schema, "2.0.45"),
        (Can::Allowlist, "1.0.0"),
        (Can::ReadOnly, "1.0.0"),
        (Can::Usage, "1.0.0"),
        (Can::Cost, "1.0.0"),
    ],
};

/// The tools that change nothing.
const READING: &str = "Read,Glob,Grep,LS";

pub(super) struct ClaudeCode;

impl ClaudeCode {
    pub(super) fn driver(model: &str, options: &Options) -> Result<Box<dyn Driver>, DriverError> {
        Cli::new(Box::new(Self), model, options)
    }
}

impl Agent for ClaudeCode {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Spoken {
        let mut spoken = Spoken {
            input: order.turn.prompt.clone(),
            ..Spoken::default()
        };
        // The engine asks again itself, where it sees it; two retries are for a moment's trouble.
        spoken.set = vec![
            ("CLAUDE_CODE_MAX_RETRIES".to_owned(), "2".to_owned()),
            ("DISABLE_AUTOUPDATER".to_owned(), "1".to_owned()),
        ];
        spoken = spoken.with(&["-p", "--output-format", "stream-json", "--verbose"]);
        spoken = match (order.is_reading(), order.settings.permission) {
            (true, _) => spoken.with(&["--permission-mode", "default", "--tools", READING]),
            (false, Permission::Edit) => spoken.with(&["--permission-mode", "acceptEdits"]),
            (false, Permission::All) => spoken.with(&["--permission-mode", "bypassPermissions"]),
        };
        let session = &order.turn.session;
        match &session.resume {
            // Without the flag a new system prompt is passed over in an old conversation.
            Some(id) => spoken = spoken.with(&["--resume", id, "--system-prompt-snapshot", "off"]),
            None if session.choose.is_empty() => {}
            None => spoken = spoken.with(&["--session-id", &session.choose]),
        }
        if !order.turn.task.persona.is_empty() {
            spoken = spoken.with(&["--append-system-prompt", &order.turn.task.persona]);
        }
        if let Some(model) = order.model {
            spoken = spoken.with(&["--model", model]);
        }
        if let Some(schema) = &order.schema {
            spoken = spoken.with(&["--json-schema", &schema.to_string()]);
        }
        if let Some(settings) = relayed::settings(order.turn) {
            spoken = spoken.with(&["--settings", &settings.to_string()]);
        }
        if !order.settings.allow.is_empty() && !order.is_reading() {
            spoken = spoken.with(&["--allowedTools", &order.settings.allow.join(",")]);
        }
        if !order.settings.deny.is_empty() {
            spoken = spoken.with(&["--disallowedTools", &order.settings.deny.join(",")]);
        }
        spoken
    }

    fn runs_hooks(&self) -> bool {
        true
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        match text(event, &["type"]) {
            Some("system") if text(event, &["subtype"]) == Some("init") => {
                heard.model = text(event, &["model"]).map(str::to_owned);
            }
            Some("assistant") => {
                if let Some(error) = text(event, &["error"]) {
                    let words = text(event, &["message", "content", "0", "text"]).unwrap_or(error);
                    heard.trouble = Some(Trouble::new(kind(error), words));
                }
            }
            Some("rate_limit_event") => limit(event, heard),
            Some("result") => result(event, heard),
            Some(_) | None => {}
        }
    }
}

/// A warning that a limit is near is no failure; one that was hit tells when it ends.
fn limit(event: &Json, heard: &mut Heard) {
    let status = text(event, &["rate_limit_info", "status"]);
    if status == Some("rejected") {
        let mut trouble = Trouble::new(FailureKind::RateLimited, "the usage limit is reached");
        let resets = number(event, &["rate_limit_info", "resetsAt"]).and_then(|at| i64::try_from(at).ok());
        trouble.until = resets.map(|at| super::reset::Reset::At(at * 1000));
        heard.trouble = Some(trouble);
    }
}

fn result(event: &Json, heard: &mut Heard) {
    let is_error = at(event, &["is_error"]).and_then(Json::as_bool).unwrap_or(false);
    heard.text = text(event, &["result"]).unwrap_or_default().to_owned();
    heard.structured = at(event, &["structured_output"]).filter(|it| it.is_object()).cloned();
    heard.finish = Some(match is_error {
        true => Finish::Failed,
        false => Finish::Done,
    });
    for denial in at(event, &["permission_denials"])
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        heard.deny(denied(denial));
    }
    let count = |name: &str| number(event, &["usage", name]).unwrap_or_default();
    heard.spent = Spent {
        tokens: at(event, &["usage"]).map(|_| Tokens {
            input: count("input_tokens"),
            cached: count("cache_read_input_tokens"),
            stored: count("cache_creation_input_tokens"),
            output: count("output_tokens"),
        }),
        cost: at(event, &["total_cost_usd"]).and_then(Json::as_f64),
    };
    if is_error {
        fail(event, heard);
    }
}

fn fail(event: &Json, heard: &mut Heard) {
    let errors = at(event, &["errors"]).and_then(Json::as_array).into_iter().flatten();
    let told = errors.filter_map(Json::as_str).next_back().map(str::to_owned);
    let message = match heard.text.trim() {
        "" => told.unwrap_or_else(|| text(event, &["subtype"]).unwrap_or("it failed").to_owned()),
        words => words.to_owned(),
    };
    let status = number(event, &["api_error_status"]);
    let reason = text(event, &["terminal_reason"]).unwrap_or_default();
    let trouble = match (text(event, &["subtype"]).unwrap_or_default(), reason) {
        (_, "prompt_too_long") => Trouble::new(FailureKind::TooLong, message),
        ("error_max_turns" | "error_max_budget_usd", _) => Trouble::new(FailureKind::Limit, message),
        ("error_max_structured_output_retries", _) => Trouble::new(FailureKind::Malformed, message),
        (_, _) => match heard.trouble.take() {
            Some(known) if known.kind != FailureKind::Crashed && status.is_none() => known,
            Some(known) if known.until.is_some() => known,
            Some(_) | None => Trouble::of(status, &message),
        },
    };
    heard.trouble = Some(trouble);
}

/// What the word in an event means.
fn kind(error: &str) -> FailureKind {
    match error {
        "rate_limit" => FailureKind::RateLimited,
        "authentication_failed" | "billing_error" => FailureKind::Auth,
        "overloaded" | "server_error" => FailureKind::Overloaded,
        "invalid_request" => FailureKind::Crashed,
        _ => FailureKind::Crashed,
    }
}

fn denied(denial: &Json) -> String {
    let tool = text(denial, &["tool_name"]).unwrap_or("a tool");
    let what = ["command", "file_path", "path", "url"]
        .iter()
        .find_map(|key| text(denial, &["tool_input", key]));
    match what {
        Some(what) => format!("{tool} `{what}`"),
        None => tool.to_owned(),
    }
}
