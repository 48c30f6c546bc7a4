//! OpenCode, as it speaks with `run --format json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::json;

pub(in crate::drivers) struct OpenCode;

impl Voice for OpenCode {
    fn begin(&self, session: &str) -> Vec<String> {
        vec![json!({"type": "step_start", "sessionID": session, "part": {"type": "step-start"}}).to_string()]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        vec![said(end.reply, end.session), finish("stop", end.session)]
    }

    fn failed(&self, fault: Fault, session: &str) -> Option<Failed> {
        let (name, status, words) = match fault {
            Fault::RateLimited => ("APIError", 429, "This request would exceed your rate limit."),
            Fault::LimitedUntil(words) => ("APIError", 429, words),
            Fault::Overloaded => ("APIError", 529, "Overloaded"),
            Fault::ServerError => ("APIError", 500, "Internal server error"),
            Fault::Auth => ("APIError", 401, "invalid x-api-key"),
            Fault::TooLong => ("ContextOverflowError", 400, "The prompt is too long"),
            Fault::Refused => return Failed::told(vec![finish("content-filter", session)], 0),
            Fault::SessionGone => {
                return Failed::noted("Error: Session not found: ses_0", 1);
            }
        };
        let data = json!({"message": words, "statusCode": status, "isRetryable": false});
        let error = json!({"type": "error", "sessionID": session, "error": {"name": name, "data": data}});
        Failed::told(vec![error.to_string()], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry | Notice::LimitNear => None,
            Notice::Denied(command) => {
                let why = "The user rejected permission to use this specific tool call.";
                let state = json!({"status": "error", "input": {"command": command}, "error": why});
                let part = json!({"type": "tool", "tool": "bash", "state": state});
                Some(vec![json!({"type": "tool_use", "part": part}).to_string()])
            }
            Notice::Said(words) => Some(vec![
                said(words, ""),
                finish("tool-calls", ""),
                json!({"type": "step_start", "part": {"type": "step-start"}}).to_string(),
            ]),
        }
    }
}

fn said(words: &str, session: &str) -> String {
    json!({"type": "text", "sessionID": session, "part": {"type": "text", "text": words}}).to_string()
}

fn finish(reason: &str, session: &str) -> String {
    let tokens = json!({"input": 10, "output": 5, "reasoning": 0, "cache": {"read": 2, "write": 0}});
    let part = json!({"type": "step-finish", "reason": reason, "tokens": tokens, "cost": 0.001});
    json!({"type": "step_finish", "sessionID": session, "part": part}).to_string()
}
