//! OpenCode: `opencode run --format json`, the prompt on its input.

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, named, number, text};
use super::process::Ended;
use super::reset::Reset;
use super::trouble::Trouble;
use crate::host::{Permission, Spent, Tokens};
use crate::machine::{Failure, FailureKind};
use serde_json::{Map, Value as Json, json};

pub(super) const CARD: Card = Card {
    name: "opencode",
    title: "OpenCode",
    program: "opencode",
    oldest: "1.18.33",
    tried: Some("1.18.34"),
    install: "npm install -g opencode-ai",
    variables: &[
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OPENAI_API_KEY",
        "OPENCODE_API_KEY",
        "OPENCODE_CONFIG",
        "OPENCODE_CONFIG_CONTENT",
        "OPENROUTER_API_KEY",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
    ],
    keys: &[],
    logins: &[".local/share/opencode/auth.json"],
    can: &[
        (Can::Sessions, "1.18.33"),
        (Can::Live, "1.18.33"),
        (Can::Allowlist, "1.18.33"),
        (Can::ReadOnly, "1.18.33"),
        (Can::Usage, "1.18.33"),
        (Can::Cost, "1.18.33"),
    ],
};

/// What is a permission of its own; anything else that is allowed or denied is a command.
const TOOLS: &[&str] = &[
    "bash",
    "edit",
    "glob",
    "grep",
    "list",
    "read",
    "skill",
    "task",
    "webfetch",
    "websearch",
];
/// How it tells that a tool was not allowed.
const REFUSALS: &[&str] = &[
    "The user rejected permission",
    "The user has specified a rule which prevents",
    "Model tried to call unavailable tool",
];

pub(super) struct OpenCode;

impl Agent for OpenCode {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
        let mut spoken = Spoken {
            input: order.turn.prompt.clone(),
            ..Spoken::default()
        };
        // Without a title it asks the model for one, and pays for it.
        spoken = spoken.with(&["run", "--format", "json", "--title", "bmad"]);
        spoken.set = vec![
            ("OPENCODE_DISABLE_AUTOUPDATE".to_owned(), "1".to_owned()),
            ("OPENCODE_PERMISSION".to_owned(), permission(order).to_string()),
        ];
        if !order.is_reading() && order.settings.permission == Permission::All {
            spoken = spoken.with(&["--auto"]);
        }
        if let Some(model) = order.model {
            spoken = spoken.with(&["-m", model]);
        }
        if let Some(id) = &order.turn.session.resume {
            spoken = spoken.with(&["-s", id]);
        }
        if let Some(persona) = order.persona() {
            let file = order.write("-who.md", persona)?;
            let config = json!({"instructions": [file.to_string_lossy()]}).to_string();
            spoken.set.push(("OPENCODE_CONFIG_CONTENT".to_owned(), config));
            spoken.files.push(file);
        }
        Ok(spoken)
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        match text(event, &["type"]) {
            Some("step_start") => {
                heard.go_on();
                heard.text.clear();
            }
            Some("text") => heard.text.push_str(text(event, &["part", "text"]).unwrap_or_default()),
            Some("tool_use") => tool(event, heard),
            Some("step_finish") => step(event, heard),
            Some("error") => error(event, heard),
            Some(_) | None => {}
        }
    }

    fn after(&self, _order: &Order<'_>, _ended: &Ended, heard: &mut Heard) {
        // A question that nobody answers is a no, and the end of the run.
        if heard.finish.is_none() && heard.trouble.is_none() && !heard.denied.is_empty() {
            let what = format!("it was not allowed: {}", heard.denied.join(", "));
            heard.trouble = Some(Trouble::new(FailureKind::Denied, what));
        }
    }
}

/// Says what it may do. A tool that would ask is denied, so that the run goes on.
fn permission(order: &Order<'_>) -> Json {
    let mut rules = Map::new();
    let mut commands = Map::new();
    match (order.is_reading(), order.settings.permission) {
        (true, _) => {
            rules.insert("*".to_owned(), json!("deny"));
            for tool in ["read", "glob", "grep", "list"] {
                rules.insert(tool.to_owned(), json!("allow"));
            }
        }
        (false, Permission::Edit) => {
            rules.insert("edit".to_owned(), json!("allow"));
            rules.insert("external_directory".to_owned(), json!("deny"));
            commands.insert("*".to_owned(), json!("deny"));
        }
        (false, Permission::All) => {
            commands.insert("*".to_owned(), json!("allow"));
        }
    }
    let allowed = order.settings.allow.iter().filter(|_| !order.is_reading());
    let denied = order.settings.deny.iter();
    let listed = allowed.map(|it| (it, "allow")).chain(denied.map(|it| (it, "deny")));
    for (what, decision) in listed {
        match what.as_str() {
            "bash" => drop(commands.insert("*".to_owned(), json!(decision))),
            tool if TOOLS.contains(&tool) => drop(rules.insert(tool.to_owned(), json!(decision))),
            command => drop(commands.insert(command.to_owned(), json!(decision))),
        }
    }
    if !commands.is_empty() && !order.is_reading() {
        rules.insert("bash".to_owned(), Json::Object(commands));
    }
    Json::Object(rules)
}

fn tool(event: &Json, heard: &mut Heard) {
    let said = |path: &[&str]| text(event, path).unwrap_or_default();
    let why = match said(&["part", "tool"]) {
        "invalid" => said(&["part", "state", "input", "error"]),
        _ => said(&["part", "state", "error"]),
    };
    if REFUSALS.iter().any(|refusal| why.starts_with(refusal)) {
        let tool = match said(&["part", "tool"]) {
            "invalid" => said(&["part", "state", "input", "tool"]),
            tool => tool,
        };
        heard.deny(named(tool, at(event, &["part", "state", "input"])));
    }
}

fn step(event: &Json, heard: &mut Heard) {
    let count = |path: &[&str]| number(event, path).unwrap_or_default();
    let cost = at(event, &["part", "cost"]).and_then(Json::as_f64);
    heard.spend(Spent {
        tokens: at(event, &["part", "tokens"]).map(|_| Tokens {
            input: count(&["part", "tokens", "input"]),
            cached: count(&["part", "tokens", "cache", "read"]),
            stored: count(&["part", "tokens", "cache", "write"]),
            output: count(&["part", "tokens", "output"]) + count(&["part", "tokens", "reasoning"]),
        }),
        // It tells nothing where it knows no price.
        cost: cost.filter(|cost| *cost > 0.0),
    });
    match text(event, &["part", "reason"]) {
        Some("stop") => heard.finish = Some(Finish::Done),
        Some("length") => heard.fail(Trouble::new(FailureKind::Malformed, "its reply was cut off")),
        Some("content-filter") => heard.fail(Trouble::new(FailureKind::Refused, "the model refused")),
        Some(_) | None => {}
    }
}

fn error(event: &Json, heard: &mut Heard) {
    let name = text(event, &["error", "name"]).unwrap_or("an error");
    let message = text(event, &["error", "data", "message"]).unwrap_or(name);
    if name == "MessageAbortedError" {
        heard.finish = Some(Finish::Stopped);
        return;
    }
    let mut trouble = match name {
        "ProviderAuthError" => Trouble::new(FailureKind::Auth, message),
        "ContextOverflowError" => Trouble::new(FailureKind::TooLong, message),
        "MessageOutputLengthError" => Trouble::new(FailureKind::Malformed, message),
        _ => Trouble::of(number(event, &["error", "data", "statusCode"]), message),
    };
    let header = |name: &str| text(event, &["error", "data", "responseHeaders", name]);
    trouble.until = header("retry-after").and_then(Reset::in_header).or(trouble.until);
    heard.fail(trouble);
}
