//! Cursor CLI, as its documents say that it speaks with `--output-format stream-json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::json;

pub(in crate::drivers) struct Cursor;

impl Voice for Cursor {
    fn begin(&self, session: &str) -> Vec<String> {
        let init = json!({"type": "system", "subtype": "init", "session_id": session, "model": "stand-in"});
        vec![init.to_string()]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        vec![said(end.reply), result(end.session, end.reply, false)]
    }

    fn failed(&self, fault: Fault, session: &str) -> Option<Failed> {
        let words = match fault {
            Fault::RateLimited => "Request failed: too many requests (429)",
            Fault::LimitedUntil(words) => words,
            Fault::Overloaded => "The service is overloaded",
            Fault::ServerError => "Internal server error",
            Fault::Auth => "Not logged in",
            Fault::TooLong => "The prompt exceeds the context window",
            Fault::Refused | Fault::SessionGone => return None,
        };
        Failed::told(vec![result(session, words, true)], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry | Notice::LimitNear | Notice::Denied(_) => None,
            Notice::Said(words) => Some(vec![said(words)]),
        }
    }
}

fn said(words: &str) -> String {
    let message = json!({"role": "assistant", "content": [{"type": "text", "text": words}]});
    json!({"type": "assistant", "message": message}).to_string()
}

fn result(session: &str, words: &str, is_error: bool) -> String {
    let subtype = if is_error { "error" } else { "success" };
    json!({"type": "result", "subtype": subtype, "is_error": is_error, "result": words, "session_id": session})
        .to_string()
}
