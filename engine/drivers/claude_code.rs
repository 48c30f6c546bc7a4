//! Claude Code: `claude -p` with a stream of JSON events.

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, named, number, text};
use super::relayed;
use super::reset::Reset;
use super::trouble::Trouble;
use crate::host::{Permission, Spent, Tokens};
use crate::machine::{Failure, FailureKind};
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "claude-code",
    title: "Claude Code",
    program: "claude",
    oldest: "2.0.0",
    tried: Some("2.1.326"),
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

impl Agent for ClaudeCode {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
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
        if let Some(persona) = order.persona() {
            spoken = spoken.with(&["--append-system-prompt", persona]);
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
        Ok(spoken)
    }

    fn runs_hooks(&self) -> bool {
        true
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        // Tokens are those of the call, dollars those of the whole conversation.
        heard.counting.cost = true;
        match text(event, &["type"]) {
            Some("system") => match text(event, &["subtype"]) {
                Some("init") => {
                    heard.go_on();
                    heard.model = text(event, &["model"]).map(str::to_owned);
                }
                Some("api_retry") => {
                    let word = text(event, &["error"]).unwrap_or_default();
                    let status = number(event, &["error_status"]);
                    let mut retried = trouble(word, status, &format!("its service said no: {word}"));
                    let stated = heard.waiting.take().filter(|before| before.kind == retried.kind);
                    retried.until = retried.until.or_else(|| stated?.until);
                    heard.waiting = Some(retried);
                }
                Some(_) | None => {}
            },
            Some("assistant") => {
                heard.trouble = text(event, &["error"]).map(|word| trouble(word, None, said(event).unwrap_or(word)));
                if heard.trouble.is_none() {
                    heard.waiting = None;
                }
            }
            Some("rate_limit_event") => limit(event, heard),
            Some("result") => result(event, heard),
            Some(_) | None => {}
        }
    }
}

/// Returns the first text of a message.
fn said(event: &Json) -> Option<&str> {
    let blocks = at(event, &["message", "content"])?.as_array()?;
    blocks.iter().find_map(|block| text(block, &["text"]))
}

/// A warning that a limit is near is no failure; one that was hit tells when it ends.
fn limit(event: &Json, heard: &mut Heard) {
    let resets = number(event, &["rate_limit_info", "resetsAt"]).and_then(|at| i64::try_from(at).ok());
    match text(event, &["rate_limit_info", "status"]) {
        Some("rejected") => {
            let mut trouble = Trouble::new(FailureKind::RateLimited, "the usage limit is reached");
            trouble.until = resets.map(|at| Reset::At(at.saturating_mul(1000)));
            heard.waiting = Some(trouble);
        }
        Some("allowed_warning") => heard.note("a usage limit of the account is near"),
        Some(_) | None => {}
    }
}

fn result(event: &Json, heard: &mut Heard) {
    heard.text = text(event, &["result"]).unwrap_or_default().to_owned();
    heard.structured = at(event, &["structured_output"]).filter(|it| it.is_object()).cloned();
    let denials = at(event, &["permission_denials"]).and_then(Json::as_array);
    for denial in denials.into_iter().flatten() {
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
    let is_error = at(event, &["is_error"]).and_then(Json::as_bool) != Some(false);
    let reason = text(event, &["terminal_reason"]).unwrap_or_default();
    match (is_error, text(event, &["stop_reason"]).unwrap_or_default()) {
        (true, _) if reason.starts_with("aborted") => heard.finish = Some(Finish::Stopped),
        (true, _) => {
            let trouble = failure(event, heard);
            heard.fail(trouble);
        }
        (false, "refusal") => heard.fail(Trouble::new(FailureKind::Refused, "the model refused")),
        (false, "max_tokens") => heard.fail(Trouble::new(FailureKind::Malformed, "its reply was cut off")),
        (false, _) if reason == "stop_hook_prevented" => {
            heard.fail(Trouble::new(FailureKind::Denied, "a hook stopped it"));
        }
        (false, _) => heard.finish = Some(Finish::Done),
    }
}

fn failure(event: &Json, heard: &Heard) -> Trouble {
    let errors = at(event, &["errors"]).and_then(Json::as_array).into_iter().flatten();
    let told = errors.filter_map(Json::as_str).next_back();
    let subtype = text(event, &["subtype"]).unwrap_or_default();
    let message = match heard.text.trim() {
        "" => told.unwrap_or(subtype),
        words => words,
    };
    let status = number(event, &["api_error_status"]);
    match (subtype, text(event, &["terminal_reason"]).unwrap_or_default()) {
        (_, "prompt_too_long") => Trouble::new(FailureKind::TooLong, message),
        ("error_max_turns" | "error_max_budget_usd", _) => Trouble::new(FailureKind::Limit, message),
        ("error_max_structured_output_retries", _) => Trouble::new(FailureKind::Malformed, message),
        (_, _) => {
            let known = heard.trouble.clone().filter(|known| known.kind != FailureKind::Crashed);
            let billed = |known: &Trouble| known.kind == FailureKind::Limit || status.is_none();
            let mut trouble = known.filter(billed).unwrap_or_else(|| Trouble::of(status, message));
            let limited = heard.waiting.as_ref().filter(|waiting| waiting.kind == trouble.kind);
            trouble.until = trouble.until.or_else(|| limited?.until.clone());
            trouble
        }
    }
}

/// What the word of an error means; a status says more than most words.
fn trouble(word: &str, status: Option<u64>, message: &str) -> Trouble {
    let kind = match word {
        "rate_limit" => FailureKind::RateLimited,
        "billing_error" => FailureKind::Limit,
        "authentication_failed" | "oauth_org_not_allowed" => FailureKind::Auth,
        "overloaded" | "server_error" => FailureKind::Overloaded,
        "model_not_found" => FailureKind::Missing,
        "max_output_tokens" => FailureKind::Malformed,
        _ => return Trouble::of(status, message),
    };
    Trouble::new(kind, message)
}

fn denied(denial: &Json) -> String {
    let tool = text(denial, &["tool_name"]).unwrap_or("a tool");
    named(tool, at(denial, &["tool_input"]))
}
