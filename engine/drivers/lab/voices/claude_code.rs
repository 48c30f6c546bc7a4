//! Claude Code, as it speaks with `--output-format stream-json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::{Value as Json, json};

pub(in crate::drivers) struct ClaudeCode;

impl Voice for ClaudeCode {
    fn begin(&self, session: &str) -> Vec<String> {
        let init = json!({"type": "system", "subtype": "init", "session_id": session, "model": "stand-in",
            "tools": ["Read", "Write", "Bash"], "permissionMode": "default", "apiKeySource": "ANTHROPIC_API_KEY"});
        vec![init.to_string()]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        let denials: Vec<Json> = end
            .denied
            .iter()
            .map(|command| json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": command}}))
            .collect();
        let last = [
            ("result", json!(end.reply)),
            ("subtype", json!("success")),
            ("permission_denials", json!(denials)),
        ];
        vec![said(end.reply), result(end.session, &last)]
    }

    fn failed(&self, fault: Fault, session: &str) -> Option<Failed> {
        let (status, words) = match fault {
            Fault::RateLimited => (Some(429), "API Error: Request rejected (429)"),
            Fault::LimitedUntil(words) => (Some(429), words),
            Fault::Overloaded => (Some(529), "API Error: Repeated 529 Overloaded errors"),
            Fault::ServerError => (Some(500), "API Error: 500 Internal server error"),
            Fault::Auth => (Some(401), "Invalid API key"),
            Fault::TooLong => {
                let end = [
                    ("result", json!("Prompt is too long")),
                    ("terminal_reason", json!("prompt_too_long")),
                ];
                return Failed::told(vec![wrong(session, &end)], 1);
            }
            Fault::Refused => {
                let end = [
                    ("result", json!("")),
                    ("stop_reason", json!("refusal")),
                    ("subtype", json!("success")),
                ];
                return Failed::told(vec![result(session, &end)], 0);
            }
            Fault::SessionGone => {
                let errors = json!(["No conversation found with session ID: 0"]);
                let end = [("subtype", json!("error_during_execution")), ("errors", errors)];
                return Failed::told(vec![wrong(session, &end)], 1);
            }
        };
        let end = [
            ("result", json!(words)),
            ("subtype", json!("success")),
            ("terminal_reason", json!("api_error")),
            ("api_error_status", json!(status)),
        ];
        Failed::told(vec![wrong(session, &end)], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        let event = match notice {
            Notice::Retry => json!({"type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 2,
                "retry_delay_ms": 1, "error_status": 429, "error": "rate_limit"}),
            Notice::LimitNear => json!({"type": "rate_limit_event",
                "rate_limit_info": {"status": "allowed_warning", "resetsAt": 1_794_747_600, "utilization": 0.91}}),
            Notice::Denied(command) => json!({"type": "system", "subtype": "permission_denied", "tool_name": "Bash",
                "tool_input": {"command": command}}),
            Notice::Said(words) => return Some(vec![said(words)]),
        };
        Some(vec![event.to_string()])
    }
}

fn said(words: &str) -> String {
    let message = json!({"role": "assistant", "content": [{"type": "text", "text": words}]});
    json!({"type": "assistant", "message": message}).to_string()
}

fn wrong(session: &str, end: &[(&str, Json)]) -> String {
    let mut all = vec![("is_error", json!(true))];
    all.extend(end.iter().cloned());
    result(session, &all)
}

fn result(session: &str, end: &[(&str, Json)]) -> String {
    let mut event = json!({"type": "result", "is_error": false, "session_id": session, "num_turns": 1,
        "total_cost_usd": 0.01, "permission_denials": [],
        "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1}});
    for (key, value) in end {
        event[*key] = value.clone();
    }
    event.to_string()
}
