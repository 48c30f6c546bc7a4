//! Any agent that speaks the Agent Client Protocol: it answers what it is asked, by the number of the question.
//!
//! A line that is no JSON is a command of its own: it begins, or listens.

use super::super::scenario::Expected;
use super::super::voice::{Failed, Fault, Good, Notice, Voice};
use crate::machine::FailureKind;
use crate::machine::escape::shell;
use serde_json::{Value as Json, json};

/// Answers everything up to the prompt, whose number it keeps. A new conversation is begun where the old one is gone, or
/// where it cannot go on with old ones.
const PRELUDE: &str = r#"
say() {
  printf '%s\n' "$1" | sed -e "s|\"@id\"|$id|" -e "s|@session|$session|"
}
begin() {
  session=$1
  old=true
  if [ "$2" = new ] && [ -z "$gone" ]; then old=false; fi
  while IFS= read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case $line in
      *'"method":"initialize"'*)
        say '{"jsonrpc":"2.0","id":"@id","result":{"protocolVersion":1,"agentInfo":{"name":"stand-in"},"agentCapabilities":{"loadSession":'$old'}}}' ;;
      *'"method":"session/load"'*)
        if [ -n "$gone" ]; then
          say '{"jsonrpc":"2.0","id":"@id","error":{"code":-32002,"message":"Session not found"}}'
        else
          say '{"jsonrpc":"2.0","id":"@id","result":{}}'
        fi ;;
      *'"method":"session/new"'*)
        say '{"jsonrpc":"2.0","id":"@id","result":{"sessionId":"@session"}}' ;;
      *'"method":"session/prompt"'*)
        return ;;
    esac
  done
  exit 9
}
"#;

/// Scenarios that make no sense with it: a prompt is a message among others, and has one answer.
const OTHERS: &[&str] = &[
    "a result that is not the last",
    "a prompt of 1 MB that nobody reads",
    "a prompt of 1 MB that nobody reads, and it stays",
];

pub(in crate::drivers) struct Acp;

impl Voice for Acp {
    fn begin(&self, session: &str) -> Vec<String> {
        vec![format!("begin {session}")]
    }

    fn stray(&self, session: &str) -> Vec<String> {
        vec![format!("begin {session} new")]
    }

    fn hear(&self) -> &'static str {
        // It does all along.
        ":"
    }

    fn done(&self, end: &Good<'_>) -> Vec<String> {
        vec![said(end.reply, "last"), ended("end_turn")]
    }

    fn failed(&self, fault: Fault, _session: &str) -> Option<Failed> {
        let kind = |kind: &str| json!({"errorKind": kind});
        let (code, words, data) = match fault {
            Fault::RateLimited => (-32603, "Internal error: slow down", kind("rate_limit")),
            Fault::LimitedUntil(words) => (-32603, words, kind("rate_limit")),
            Fault::Overloaded => (-32603, "Internal error: come back later", kind("overloaded")),
            Fault::ServerError => (500, "Internal error", Json::Null),
            Fault::Auth => (-32000, "Authentication required", Json::Null),
            Fault::TooLong => {
                let data = json!({"message": "no room", "codex_error_info": "context_window_exceeded"});
                (-32603, "Internal error", data)
            }
            Fault::Refused => return Failed::told(vec![ended("refusal")], 0),
            Fault::SessionGone => {
                return Some(Failed {
                    out: vec!["gone=true".to_owned()],
                    err: String::new(),
                    code: None,
                });
            }
        };
        let error = json!({"code": code, "message": words, "data": data});
        let answer = json!({"jsonrpc": "2.0", "id": "@id", "error": error});
        Failed::told(vec![answer.to_string()], 1)
    }

    fn notice(&self, notice: Notice<'_>) -> Option<Vec<String>> {
        match notice {
            Notice::Retry | Notice::LimitNear => None,
            Notice::Said(words) => Some(vec![said(words, "first")]),
            Notice::Denied(command) => {
                let call = json!({"toolCallId": "t1", "kind": "execute", "title": command,
                    "rawInput": {"command": command}});
                let options = json!([{"optionId": "y", "name": "Yes", "kind": "allow_once"},
                    {"optionId": "n", "name": "No", "kind": "reject_once"}]);
                let params = json!({"sessionId": "@session", "toolCall": call, "options": options});
                let asked =
                    json!({"jsonrpc": "2.0", "id": "p1", "method": "session/request_permission", "params": params});
                Some(vec![asked.to_string(), "IFS= read -r answer".to_owned()])
            }
        }
    }

    fn unknown(&self) -> String {
        update(&json!({"sessionUpdate": "novelty", "data": {"a": [1, null]}}))
    }

    fn prelude(&self) -> &'static str {
        PRELUDE
    }

    fn spoken(&self, line: &str) -> Option<String> {
        match line.starts_with('{') {
            true => Some(format!("say {}", shell(line).ok()?)),
            false => Some(line.to_owned()),
        }
    }

    fn plays(&self, scenario: &str) -> bool {
        !OTHERS.contains(&scenario)
    }

    /// Its input stays open for as long as the turn is not over.
    fn expects(&self, scenario: &str) -> Option<Expected> {
        (scenario == "it waits for input").then_some(Expected::Fails(FailureKind::Stuck))
    }
}

fn said(words: &str, message: &str) -> String {
    update(&json!({"sessionUpdate": "agent_message_chunk", "messageId": message,
        "content": {"type": "text", "text": words}}))
}

fn update(update: &Json) -> String {
    let params = json!({"sessionId": "@session", "update": update});
    json!({"jsonrpc": "2.0", "method": "session/update", "params": params}).to_string()
}

fn ended(reason: &str) -> String {
    json!({"jsonrpc": "2.0", "id": "@id", "result": {"stopReason": reason}}).to_string()
}
