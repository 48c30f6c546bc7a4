//! Gemini CLI, as it speaks with `-o stream-json`.

use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use serde_json::json;

pub(in crate::drivers) struct Gemini;

impl Voice for Gemini {
    fn begin(&self, session: &str) -> Vec<String> {
        let user = json!({"type": "message", "role": "user", "content": "the prompt"});
        vec![
            json!({"type": "init", "session_id": session, "model": "stand-in"}).to_string(),
            user.to_string(),
        ]
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        let stats = json!({"total_tokens": 17, "input_tokens": 12, "output_tokens": 5, "cached": 2, "tool_calls": 0});
        let result = json!({"type": "result", "status": "success", "stats": stats});
        vec![said(end.reply), result.to_string()]
    }

    fn failed(&self, fault: Fault, _session: &str) -> Option<Failed> {
        let (words, code) = match fault {
            Fault::RateLimited => ("[API Error: This request would exceed your rate limit.]", 173),
            Fault::LimitedUntil(words) => (words, 173),
            Fault::Overloaded => (
                "[API Error: {\"error\":{\"code\":503,\"message\":\"The model is overloaded.\"}}]",
                247,
            ),
            Fault::ServerError => (
                "[API Error: {\"error\":{\"code\":500,\"message\":\"Internal error\"}}]",
                244,
            ),
            Fault::Auth => (
                "[API Error: {\"error\":{\"code\":401,\"message\":\"invalid key\"}}]",
                145,
            ),
            Fault::TooLong => (
                "[API Error: The input is too long: maximum context length exceeded]",
                144,
            ),
            Fault::Refused => return None,
            Fault::SessionGone => {
                return Failed::noted("Error resuming session: Invalid session identifier \"0\".", 42);
            }
        };
        let stats = json!({"total_tokens": 0, "input_tokens": 0, "output_tokens": 0, "cached": 0});
        let error = json!({"type": "unknown", "message": words});
        let result = json!({"type": "result", "status": "error", "error": error, "stats": stats});
        Failed::told(vec![result.to_string()], code)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry | Notice::LimitNear => None,
            Notice::Denied(command) => {
                let used = json!({"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "t1",
                    "parameters": {"command": command}});
                let error = json!({"type": "tool_not_registered", "message": "Tool not found"});
                let result = json!({"type": "tool_result", "tool_id": "t1", "status": "error", "error": error});
                Some(vec![used.to_string(), result.to_string()])
            }
            Notice::Said(words) => {
                let used = json!({"type": "tool_use", "tool_name": "read_file", "tool_id": "t0", "parameters": {}});
                let result = json!({"type": "tool_result", "tool_id": "t0", "status": "success"});
                Some(vec![said(words), used.to_string(), result.to_string()])
            }
        }
    }
}

fn said(words: &str) -> String {
    json!({"type": "message", "role": "assistant", "content": words, "delta": true}).to_string()
}
