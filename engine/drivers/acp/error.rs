//! An error of an agent in, what kind of failure it is out. Each agent has its own way to say it.

use super::super::heard::{at, number, text};
use super::super::trouble::Trouble;
use super::wire::Refusal;
use crate::machine::FailureKind;
use serde_json::Value as Json;

/// What the protocol says where somebody has to log in first.
const LOGIN: i32 = -32000;
/// What it says where something does not exist.
const MISSING: i32 = -32002;

/// Words by which agents name a kind of error.
const NAMED: &[(&str, FailureKind)] = &[
    ("rate_limit", FailureKind::RateLimited),
    ("usage_limit_exceeded", FailureKind::RateLimited),
    ("overloaded", FailureKind::Overloaded),
    ("server_overloaded", FailureKind::Overloaded),
    ("server_error", FailureKind::Overloaded),
    ("internal_server_error", FailureKind::Overloaded),
    ("authentication_failed", FailureKind::Auth),
    ("billing_error", FailureKind::Auth),
    ("unauthorized", FailureKind::Auth),
    ("context_window_exceeded", FailureKind::TooLong),
    ("max_output_tokens", FailureKind::Limit),
];

/// Reads a refusal; none where the agent is gone and said nothing.
pub(super) fn trouble(refusal: &Refusal) -> Option<Trouble> {
    let Refusal::Told { code, message, data } = refusal else {
        return None;
    };
    let words = words(message, data);
    let named = [at(data, &["errorKind"]), at(data, &["codex_error_info"])];
    let named = named.into_iter().flatten().filter_map(Json::as_str).find_map(kind);
    let status = u64::try_from(*code).ok().filter(|code| (400..600).contains(code));
    Some(match (*code, named) {
        (LOGIN, _) => Trouble::new(FailureKind::Auth, words),
        (_, Some(kind)) => Trouble::new(kind, words),
        (MISSING, None) => Trouble::new(FailureKind::Missing, words),
        (_, None) => Trouble::of(status.or_else(|| http(data)), &words),
    })
}

/// Finds a status of HTTP that begins a text or stands behind a few known words.
pub(super) fn status_in(words: &str) -> Option<u64> {
    for mark in ["(HTTP ", "Last error: "] {
        if let Some((_, after)) = words.split_once(mark) {
            let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
            if digits.len() == 3 {
                return digits.parse().ok();
            }
        }
    }
    None
}

fn kind(name: &str) -> Option<FailureKind> {
    NAMED.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind)
}

/// Finds the status that Codex puts inside the name of an error.
fn http(data: &Json) -> Option<u64> {
    let kinds = at(data, &["codex_error_info"])?.as_object()?;
    kinds.values().find_map(|it| number(it, &["http_status_code"]))
}

/// Puts what is said of an error together; what only says that there is one is left out.
fn words(message: &str, data: &Json) -> String {
    let inner: Option<Json> = serde_json::from_str(message).ok();
    let inner = inner.as_ref().and_then(|it| text(it, &["error", "message"]));
    let message = inner.unwrap_or(message);
    let message = message.strip_prefix("Internal error").unwrap_or(message);
    let message = message.trim_start_matches(':').trim();
    let more = [at(data, &["message"]), at(data, &["details"]), Some(data)];
    let more = more.into_iter().flatten().find_map(Json::as_str).unwrap_or_default();
    match (message, more) {
        ("", "") => "it failed and did not say why".to_owned(),
        (one, "") | ("", one) => one.to_owned(),
        (one, two) => format!("{one}: {two}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Refusal, status_in, trouble};
    use serde_json::{Value as Json, json};

    /// Reads an error; returns its kind and its words.
    fn told(code: i32, message: &str, data: Json) -> (&'static str, String) {
        let refusal = Refusal::Told {
            code,
            message: message.to_owned(),
            data,
        };
        let trouble = trouble(&refusal).unwrap();
        (trouble.kind.name(), trouble.message)
    }

    fn is(kind: &'static str, words: &str) -> (&'static str, String) {
        (kind, words.to_owned())
    }

    #[test]
    fn a_login_that_is_wanted_is_told_by_the_protocol() {
        let found = told(-32000, "Authentication required", Json::Null);
        assert_eq!(found, is("auth", "Authentication required"));
    }

    #[test]
    fn claude_names_the_kind_of_an_error() {
        let found = told(-32603, "Internal error: slow down", json!({"errorKind": "rate_limit"}));
        assert_eq!(found, is("rate-limited", "slow down"));
    }

    #[test]
    fn codex_names_the_kind_or_puts_a_status_inside_it() {
        let data = json!({"message": "no more tries", "codex_error_info": {"some": {"http_status_code": 429}}});
        assert_eq!(
            told(-32603, "Internal error", data),
            is("rate-limited", "no more tries")
        );
        let data = json!({"message": "all used", "codex_error_info": "usage_limit_exceeded"});
        assert_eq!(told(-32603, "Internal error", data), is("rate-limited", "all used"));
    }

    #[test]
    fn gemini_tells_a_status_for_a_number() {
        let words = r#"{"error":{"code":401,"message":"bad key"}}"#;
        assert_eq!(told(401, words, Json::Null), is("auth", "bad key"));
        assert_eq!(told(503, "down", Json::Null), is("overloaded", "down"));
    }

    #[test]
    fn where_there_are_only_words_they_are_read() {
        let found = told(
            -32603,
            "Internal error: invalid x-api-key",
            json!({"service": "session"}),
        );
        assert_eq!(found, is("auth", "invalid x-api-key"));
        let found = told(
            -32603,
            "Internal error",
            json!({"details": "Invalid session identifier."}),
        );
        assert_eq!(found, is("missing", "Invalid session identifier."));
        let found = told(-32603, "Internal error", Json::Null);
        assert_eq!(found, is("crashed", "it failed and did not say why"));
        assert_eq!(told(-32602, "broken", json!("params")), is("crashed", "broken: params"));
    }

    #[test]
    fn an_agent_that_is_gone_told_nothing() {
        assert_eq!(trouble(&Refusal::Gone), None);
    }

    #[test]
    fn a_status_counts_only_where_it_is_one() {
        assert_eq!(status_in("failed (HTTP 401). Check it"), Some(401));
        assert_eq!(status_in("retried. Last error: 429 slow"), Some(429));
        assert_eq!(status_in("Last error: 4290 things"), None);
        assert_eq!(status_in("401 things"), None);
    }
}
