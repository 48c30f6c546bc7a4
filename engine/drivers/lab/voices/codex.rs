//! Codex, as it speaks with `exec --json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::json;

pub(in crate::drivers) struct Codex;

impl Voice for Codex {
    fn begin(&self, session: &str) -> Vec<String> {
        let started = json!({"type": "thread.started", "thread_id": session});
        vec![started.to_string(), json!({"type": "turn.started"}).to_string()]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        let usage = json!({"input_tokens": 12, "cached_input_tokens": 2, "cache_write_input_tokens": 0,
            "output_tokens": 5, "reasoning_output_tokens": 1});
        vec![
            said(end.reply),
            json!({"type": "turn.completed", "usage": usage}).to_string(),
        ]
    }

    fn failed(&self, fault: Fault, _session: &str) -> Option<Failed> {
        let words = match fault {
            Fault::RateLimited => "exceeded retry limit, last status: 429 Too Many Requests",
            Fault::LimitedUntil(words) => words,
            Fault::Overloaded => "exceeded retry limit, last status: 503 Service Unavailable",
            Fault::ServerError => "exceeded retry limit, last status: 500 Internal Server Error",
            Fault::Auth => "unexpected status 401 Unauthorized: invalid api key",
            Fault::TooLong => "Codex ran out of room in the model's context window.",
            Fault::Refused => return None,
            Fault::SessionGone => {
                return Failed::noted("Error: no rollout found for thread id 0", 1);
            }
        };
        let retry = json!({"type": "error", "message": words});
        let failed = json!({"type": "turn.failed", "error": {"message": words}});
        Failed::told(vec![retry.to_string(), failed.to_string()], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry => Some(vec![
                json!({"type": "error", "message": "Reconnecting... 1/5 (429 Too Many Requests)"}).to_string(),
            ]),
            Notice::LimitNear => None,
            Notice::Denied(command) => {
                let item =
                    json!({"id": "item_1", "type": "command_execution", "command": command, "status": "declined"});
                Some(vec![json!({"type": "item.completed", "item": item}).to_string()])
            }
            Notice::Said(words) => Some(vec![said(words)]),
        }
    }
}

fn said(words: &str) -> String {
    json!({"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": words}}).to_string()
}
