//! Gemini CLI: `gemini -o stream-json`, the prompt on its input.

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, named, number, text};
use super::process::Ended;
use super::trouble::Trouble;
use crate::host::{Permission, Tokens};
use crate::machine::{Failure, FailureKind};
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    oldest: "0.61.0",
    tried: Some("0.61.0"),
    install: "npm install -g @google/gemini-cli",
    variables: &[
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_USE_VERTEXAI",
    ],
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    logins: &[".gemini/oauth_creds.json"],
    can: &[
        (Can::Sessions, "0.61.0"),
        (Can::ChooseSession, "0.61.0"),
        (Can::Live, "0.61.0"),
        (Can::Allowlist, "0.61.0"),
        (Can::ReadOnly, "0.61.0"),
        (Can::Usage, "0.61.0"),
    ],
};

/// Its plan mode ends in a mode that allows everything, without a question: nobody may enter it.
const PLANS: &[&str] = &["enter_plan_mode", "exit_plan_mode"];
/// What changes something.
const WRITING: &[&str] = &["write_file", "replace", "run_shell_command"];
/// The errors of a tool that mean it was not allowed; what is not allowed is not even there.
const REFUSALS: &[&str] = &["policy_violation", "tool_not_registered", "execution_denied"];
/// It exits with a status of HTTP, of which a byte is left.
const STATUSES: &[i32] = &[400, 401, 403, 404, 429, 500, 502, 503, 504];

pub(super) struct Gemini;

impl Agent for Gemini {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
        let mut spoken = Spoken {
            input: order.turn.prompt.clone(),
            ..Spoken::default()
        };
        spoken.set = vec![("GEMINI_CLI_TRUST_WORKSPACE".to_owned(), "true".to_owned())];
        let (mode, mut denied) = match (order.is_reading(), order.settings.permission) {
            (true, _) => ("default", [PLANS, WRITING].concat()),
            (false, Permission::Edit) => ("auto_edit", PLANS.to_vec()),
            (false, Permission::All) => ("yolo", Vec::new()),
        };
        spoken = spoken.with(&["-o", "stream-json", "--approval-mode", mode]);
        denied.extend(order.settings.deny.iter().map(String::as_str));
        if !denied.is_empty() {
            let tools = Json::from(denied);
            let policy = format!("[[rule]]\ntoolName = {tools}\ndecision = \"deny\"\npriority = 999\n");
            let file = order.write("-policy.toml", &policy)?;
            spoken = spoken.with_file("--admin-policy", file);
        }
        if !order.settings.allow.is_empty() && !order.is_reading() {
            spoken = spoken.with(&["--allowed-tools", &order.settings.allow.join(",")]);
        }
        if let Some(model) = order.model {
            spoken = spoken.with(&["-m", model]);
        }
        let session = &order.turn.session;
        match &session.resume {
            Some(id) => spoken = spoken.with(&["--resume", id]),
            None if session.choose.is_empty() => {}
            None => spoken = spoken.with(&["--session-id", &session.choose]),
        }
        Ok(spoken)
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        let said = |key: &str| text(event, &[key]).unwrap_or_default();
        match said("type") {
            "init" => heard.model = text(event, &["model"]).map(str::to_owned),
            "message" if said("role") == "assistant" => {
                heard.trouble = None;
                heard.text.push_str(said("content"));
            }
            "tool_use" => {
                // What was said before a tool was used is not the reply.
                heard.text.clear();
                heard.begin(said("tool_id"), named(said("tool_name"), at(event, &["parameters"])));
            }
            "tool_result" => {
                heard.text.clear();
                if text(event, &["error", "type"]).is_some_and(|kind| REFUSALS.contains(&kind)) {
                    heard.refuse(said("tool_id"));
                }
            }
            // A run that goes in circles, or whose model was silenced, is a success at its end all the same.
            "error" => heard.trouble = Some(trouble(None, said("message"))),
            "result" => result(event, heard),
            _ => {}
        }
    }

    fn after(&self, _order: &Order<'_>, ended: &Ended, heard: &mut Heard) {
        let is_open = heard.finish.is_none() && heard.trouble.is_none() && ended.killed.is_none();
        let Some(code) = ended.code.filter(|_| is_open) else {
            return;
        };
        let log = String::from_utf8_lossy(&ended.err);
        let line = log
            .lines()
            .rev()
            .find_map(|line| line.trim().strip_prefix("\"message\": "));
        let line = line.or_else(|| log.lines().find(|line| line.starts_with("Error ")));
        let words = line.unwrap_or("it gave no reason").trim_matches(['"', ',']);
        let status = STATUSES.iter().find(|status| **status % 256 == code);
        heard.trouble = match (code, status) {
            (41, _) => Some(Trouble::new(FailureKind::Auth, words)),
            (42, _) => Trouble::in_words(words),
            (53, _) => Some(Trouble::new(FailureKind::Limit, words)),
            (55, _) => Some(Trouble::new(FailureKind::Denied, "it does not trust the folder")),
            (_, Some(status)) => Some(trouble(u64::try_from(*status).ok(), words)),
            (_, None) => None,
        };
    }
}

fn result(event: &Json, heard: &mut Heard) {
    let count = |name: &str| number(event, &["stats", name]).unwrap_or_default();
    let (input, cached) = (count("input_tokens"), count("cached"));
    heard.spent.tokens = at(event, &["stats"]).map(|_| Tokens {
        input: input.saturating_sub(cached),
        cached,
        stored: 0,
        // Thoughts are counted in the total alone.
        output: count("output_tokens").max(count("total_tokens").saturating_sub(input)),
    });
    let told = text(event, &["error", "message"]).unwrap_or("it failed");
    match (text(event, &["status"]), heard.trouble.take()) {
        (Some("success"), None) => heard.finish = Some(Finish::Done),
        (Some("success"), Some(earlier)) => heard.fail(earlier),
        (_, _) => match text(event, &["error", "type"]) {
            Some("FatalTurnLimitedError") => heard.fail(Trouble::new(FailureKind::Limit, told)),
            Some("FatalAuthenticationError") => heard.fail(Trouble::new(FailureKind::Auth, told)),
            Some("FatalCancellationError") => heard.finish = Some(Finish::Stopped),
            Some(_) | None => heard.fail(trouble(None, told)),
        },
    }
}

fn trouble(status: Option<u64>, message: &str) -> Trouble {
    let kinds = [
        ("Maximum session turns", FailureKind::Limit),
        ("The model response was blocked", FailureKind::Refused),
        ("Model response was truncated", FailureKind::Malformed),
    ];
    let known = kinds.iter().find(|(words, _)| message.starts_with(words));
    match known {
        Some((_, kind)) => Trouble::new(*kind, message),
        None => Trouble::of(status, message),
    }
}
