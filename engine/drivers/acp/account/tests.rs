//! Updates and answers in, accounts out.

use super::{Account, Ledger};
use crate::drivers::acp::permit::Permit;
use crate::drivers::acp::wire::{Listener, Refusal};
use crate::drivers::heard::Finish;
use crate::host::{AgentSettings, Spent};
use crate::machine::FailureKind;
use serde_json::{Value as Json, json};
use std::path::Path;

fn piece(text: &str) -> Json {
    json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})
}

fn of(text: &str, message: &str) -> Json {
    let mut piece = piece(text);
    piece["messageId"] = json!(message);
    piece
}

fn tool(event: &str, id: &str) -> Json {
    json!({"sessionUpdate": event, "toolCallId": id, "status": "completed"})
}

/// Hears a turn of an agent to its end.
fn turn(agent: &str, updates: &[Json], reason: &str) -> Account {
    let mut account = Account {
        agent: agent.to_owned(),
        ..Account::default()
    };
    account.open();
    for update in updates {
        account.update(update);
    }
    account.close(&json!({"stopReason": reason}), Spent::default());
    account
}

fn text(updates: &[Json]) -> String {
    turn("any", updates, "end_turn").heard.text
}

#[test]
fn the_reply_is_what_is_said_after_all_tools() {
    assert_eq!(
        text(&[piece("I will."), tool("tool_call", "1"), piece("It "), piece("is.")]),
        "It is."
    );
    assert_eq!(
        text(&[piece("I will."), tool("tool_call_update", "1"), piece("It is.")]),
        "It is."
    );
    assert_eq!(text(&[of("One.", "a"), of("Tw", "b"), of("o.", "b")]), "Two.");
}

#[test]
fn late_news_of_a_tool_cuts_nothing() {
    let late = [
        tool("tool_call", "1"),
        piece("It "),
        tool("tool_call_update", "1"),
        json!({"sessionUpdate": "plan", "entries": []}),
        piece("is."),
    ];
    assert_eq!(text(&late), "It is.");
}

#[test]
fn what_is_told_before_the_turn_is_no_part_of_it() {
    let mut account = Account::default();
    account.update(&piece("old"));
    account.open();
    account.close(&json!({"stopReason": "end_turn"}), Spent::default());
    assert_eq!(account.heard.text, "");
}

#[test]
fn an_error_that_copilot_tells_as_a_reply_is_an_error() {
    let told = |agent: &str, pieces: &[&str]| {
        let updates: Vec<Json> = pieces.iter().map(|text| piece(text)).collect();
        turn(agent, &updates, "end_turn")
            .heard
            .trouble
            .map(|trouble| trouble.kind)
    };
    let words = "Error: Authentication failed with provider (HTTP 401).";
    assert_eq!(told("Copilot", &[words]), Some(FailureKind::Auth));
    assert_eq!(
        told("Copilot", &["Info: Retrying...", "Info: Retrying...", words]),
        Some(FailureKind::Auth)
    );
    assert_eq!(told("Copilot", &["Err", "or: Authentication failed (HTTP 401)."]), None);
    assert_eq!(told("Copilot", &[words, " That is what I read."]), None);
    assert_eq!(told("Copilot", &["I read: ", words]), None);
    assert_eq!(
        told(
            "Copilot",
            &["Error: (HTTP 401)\n```json\n{\"text\": \"is the fault I found\"}\n```"]
        ),
        None
    );
    assert_eq!(told("any", &[words]), None);
}

#[test]
fn what_copilot_tells_of_itself_is_no_part_of_the_reply() {
    let updates = [piece("It "), piece("Info: /a/file"), piece("is.")];
    assert_eq!(turn("Copilot", &updates, "end_turn").heard.text, "It is.");
    assert_eq!(turn("any", &updates, "end_turn").heard.text, "It Info: /a/fileis.");
}

#[test]
fn an_agent_that_breaks_off_where_it_was_refused_was_refused() {
    let mut account = Account::default();
    account.open();
    account.heard.deny("edit `a`");
    account.close(&json!({"stopReason": "cancelled"}), Spent::default());
    assert_eq!(account.heard.trouble.unwrap().kind, FailureKind::Denied);
    assert_eq!(
        turn("any", &[], "cancelled").heard.trouble.unwrap().kind,
        FailureKind::Stuck
    );
}

#[test]
fn an_agent_that_is_gone_did_not_finish() {
    let mut account = Account::default();
    account.refuse(&Refusal::Gone);
    assert_eq!(account.heard.finish, None);
    account.refuse(&Refusal::Told {
        code: -32000,
        message: "log in".to_owned(),
        data: Json::Null,
    });
    assert_eq!(account.heard.finish, Some(Finish::Failed));
}

#[test]
fn only_permission_is_answered() {
    let settings = AgentSettings::default();
    let ledger = Ledger::new(Permit {
        is_reading: true,
        settings: &settings,
        root: Path::new("/"),
    });
    assert_eq!(ledger.asked("fs/write_text_file", &json!({"path": "/x"})), None);
    assert_eq!(ledger.asked("terminal/create", &json!({})), None);
    assert!(ledger.asked("session/request_permission", &json!({})).is_some());
    assert_eq!(ledger.into_account().heard.denied, ["a tool"]);
}
