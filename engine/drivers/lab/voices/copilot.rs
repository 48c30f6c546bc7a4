//! Copilot CLI, as it speaks with `--output-format json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::json;

pub(in crate::drivers) struct Copilot;

impl Voice for Copilot {
    fn begin(&self, _session: &str) -> Vec<String> {
        vec![
            event("user.message", &json!({"content": "the prompt"})),
            event("assistant.turn_start", &json!({"turnId": "0"})),
        ]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        vec![said(end.reply), result(end.session, 0)]
    }

    fn failed(&self, fault: Fault, session: &str) -> Option<Failed> {
        let (kind, status, words) = match fault {
            Fault::RateLimited => ("rate_limit", 429, "Request failed with status code 429"),
            Fault::LimitedUntil(words) => ("rate_limit", 429, words),
            Fault::Overloaded => ("query", 503, "Request failed with status code 503"),
            Fault::ServerError => ("query", 500, "Request failed with status code 500"),
            Fault::Auth => ("authentication", 401, "Authentication failed"),
            Fault::TooLong => ("context_limit", 400, "The prompt is too long"),
            Fault::Refused => return None,
            Fault::SessionGone => {
                return Failed::noted("Error: No session found for id 0", 1);
            }
        };
        let error = event(
            "session.error",
            &json!({"errorType": kind, "message": words, "statusCode": status}),
        );
        Failed::told(vec![error, result(session, 1)], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry => Some(vec![
                event("model.call_failure", &json!({"statusCode": 429, "failureKind": "api"})),
                event("assistant.turn_retry", &json!({"turnId": "0", "reason": "rate_limit"})),
            ]),
            Notice::LimitNear => None,
            Notice::Denied(command) => Some(vec![
                event(
                    "tool.execution_start",
                    &json!({"toolCallId": "c1", "toolName": "bash", "arguments": {"command": command}}),
                ),
                event(
                    "tool.execution_complete",
                    &json!({"toolCallId": "c1", "success": false, "error": {"code": "denied"}}),
                ),
            ]),
            Notice::Said(words) => Some(vec![said(words)]),
        }
    }
}

fn said(words: &str) -> String {
    event(
        "assistant.message",
        &json!({"content": words, "model": "stand-in", "toolRequests": []}),
    )
}

fn event(kind: &str, data: &serde_json::Value) -> String {
    json!({"type": kind, "data": data, "id": "e", "parentId": null}).to_string()
}

fn result(session: &str, code: i32) -> String {
    json!({"type": "result", "sessionId": session, "exitCode": code, "usage": {"premiumRequests": 0}}).to_string()
}
