//! What an agent tells of a turn in, one account of it out.

use super::super::heard::{Finish, Heard, at, text};
use super::super::reply;
use super::super::trouble::Trouble;
use super::error;
use super::permit::Permit;
use super::usage::{self, Habit};
use super::wire::{Listener, Refusal};
use crate::host::Spent;
use crate::machine::FailureKind;
use serde_json::Value as Json;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Hears what is told of one turn, and answers what is asked in it.
pub(super) struct Ledger<'a> {
    permit: Permit<'a>,
    account: Mutex<Account>,
}

/// What was told so far.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) heard: Heard,
    /// The name the agent gives itself.
    pub(super) agent: String,
    /// Whether the turn is under way: what comes before it is about earlier ones.
    is_open: bool,
    message: Option<String>,
    /// Pieces of text since something else happened.
    pieces: Vec<String>,
    /// Whether the next piece begins a text of its own.
    is_new: bool,
    tools: Vec<String>,
    cost: Option<f64>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(permit: Permit<'a>) -> Self {
        Self {
            permit,
            account: Mutex::default(),
        }
    }

    pub(super) fn permit(&self) -> &Permit<'a> {
        &self.permit
    }

    pub(super) fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn into_account(self) -> Account {
        self.account.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Ledger<'_> {
    fn told(&self, method: &str, params: &Json) {
        let mut account = self.account();
        account.heard.events += 1;
        let ours = account.heard.session.as_deref();
        if method == "session/update" && ours.is_some() && text(params, &["sessionId"]) == ours {
            account.update(at(params, &["update"]).unwrap_or(&Json::Null));
        }
    }

    fn asked(&self, method: &str, params: &Json) -> Option<Json> {
        let mut account = self.account();
        account.heard.events += 1;
        if method != "session/request_permission" {
            return None;
        }
        if let Some(id) = text(params, &["toolCall", "toolCallId"]) {
            account.used(id);
        }
        let (answer, denied) = self.permit.answer(params);
        if let Some(denied) = denied {
            account.heard.deny(denied);
        }
        Some(answer)
    }
}

impl Account {
    /// Notes that the turn begins: what was told of earlier ones is not part of it.
    pub(super) fn open(&mut self) {
        self.is_open = true;
    }

    fn update(&mut self, update: &Json) {
        if let Some(model) = usage::model(update) {
            self.heard.model = Some(model.to_owned());
        }
        if !self.is_open {
            return;
        }
        match text(update, &["sessionUpdate"]) {
            Some("agent_message_chunk") => self.said(update),
            Some("tool_call" | "tool_call_update") => self.used(text(update, &["toolCallId"]).unwrap_or_default()),
            Some("usage_update") => self.cost = usage::dollars(update).or(self.cost),
            Some(_) | None => {}
        }
    }

    /// The reply is what is said last: after all tools, in one message.
    fn said(&mut self, update: &Json) {
        let Some(piece) = text(update, &["content", "text"]) else {
            return;
        };
        // What Copilot tells of itself comes between what its model says.
        if Habit::of(&self.agent).is_copilot() && piece.starts_with("Info: ") {
            return;
        }
        let message = text(update, &["messageId"]).map(str::to_owned);
        if self.is_new || message != self.message {
            self.pieces.clear();
        }
        self.is_new = false;
        self.message = message;
        self.pieces.push(piece.to_owned());
    }

    /// News of a tool that is known may come late, and cuts nothing.
    fn used(&mut self, tool: &str) {
        if !self.tools.iter().any(|known| known == tool) {
            self.tools.push(tool.to_owned());
            self.is_new = true;
        }
    }

    /// Takes the answer to the prompt.
    pub(super) fn close(&mut self, result: &Json, counted: Spent) {
        self.is_open = false;
        let habit = Habit::of(&self.agent);
        self.heard.text = self.pieces.concat();
        if let Some(model) = usage::model(result) {
            self.heard.model = Some(model.to_owned());
        }
        self.heard.spent = habit.spent(result, self.cost, self.tools.len(), counted);
        let trouble = match text(result, &["stopReason"]) {
            Some("end_turn") => habit.is_copilot().then(|| self.confessed()).flatten(),
            Some(reason) => Some(self.stopped(reason)),
            None => Some(Trouble::new(FailureKind::Crashed, "it did not say why it stopped")),
        };
        self.heard.finish = Some(match &trouble {
            None => Finish::Done,
            Some(_) => Finish::Failed,
        });
        self.heard.trouble = trouble;
    }

    fn stopped(&self, reason: &str) -> Trouble {
        match reason {
            "max_tokens" => Trouble::new(FailureKind::Limit, "it wrote as much as its model may"),
            "max_turn_requests" => Trouble::new(FailureKind::Limit, "it asked its model as often as it may"),
            "refusal" => Trouble::new(FailureKind::Refused, "it will not go on with this"),
            // Some stop where they were refused something.
            "cancelled" if !self.heard.denied.is_empty() => Trouble::new(
                FailureKind::Denied,
                format!("it was not allowed: {}", self.heard.denied.join(", ")),
            ),
            "cancelled" => Trouble::new(FailureKind::Stuck, "it broke off"),
            other => Trouble::new(FailureKind::Crashed, format!("it stopped: {other}")),
        }
    }

    /// Copilot ends a turn that failed as any other; only its words differ. They come in one piece, and nothing else
    /// is said but that it tries again.
    fn confessed(&self) -> Option<Trouble> {
        let [only] = self.pieces.as_slice() else { return None };
        let words = only.strip_prefix("Error: ")?;
        if reply::read(words.as_bytes()).is_ok() {
            return None;
        }
        Some(Trouble::of(error::status_in(words), words))
    }

    /// Takes a refusal that ends the turn.
    pub(super) fn refuse(&mut self, refusal: &Refusal) {
        self.is_open = false;
        if let Some(trouble) = error::trouble(refusal) {
            self.heard.trouble = Some(trouble);
            self.heard.finish = Some(Finish::Failed);
        }
    }
}

#[cfg(test)]
mod tests;
