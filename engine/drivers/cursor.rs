//! Cursor CLI: `cursor-agent -p --output-format stream-json`, as its manual describes it. Nobody could try it here.

use super::card::{Can, Card};
use super::cli::{Agent, Order, Spoken};
use super::heard::{Finish, Heard, at, text};
use super::trouble::Trouble;
use crate::host::Permission;
use crate::machine::Failure;
use serde_json::Value as Json;

pub(super) const CARD: Card = Card {
    name: "cursor",
    title: "Cursor CLI",
    program: "cursor-agent",
    oldest: "2026.1.0",
    tried: None,
    install: "curl https://cursor.com/install -fsS | bash",
    variables: &["CURSOR_API_KEY"],
    keys: &["CURSOR_API_KEY"],
    logins: &[".config/cursor/auth.json"],
    can: &[
        (Can::Sessions, "2026.1.0"),
        (Can::Live, "2026.1.0"),
        (Can::ReadOnly, "2026.1.0"),
    ],
};

/// The longest prompt that goes as an argument; a longer one goes to its input.
const LONGEST: usize = 100 * 1024;

pub(super) struct Cursor;

impl Agent for Cursor {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn command(&self, order: &Order<'_>) -> Result<Spoken, Failure> {
        let mut spoken = Spoken::default().with(&["-p", "--output-format", "stream-json", "--trust"]);
        spoken = match (order.is_reading(), order.settings.permission) {
            (true, _) => spoken.with(&["--mode", "ask"]),
            (false, Permission::Edit) => spoken.with(&["--force", "--sandbox", "enabled"]),
            (false, Permission::All) => spoken.with(&["--force"]),
        };
        if let Some(model) = order.model {
            spoken = spoken.with(&["--model", model]);
        }
        if let Some(id) = &order.turn.session.resume {
            spoken = spoken.with(&["--resume", id]);
        }
        match order.turn.prompt.len() < LONGEST {
            true => spoken.last.push(order.turn.prompt.clone()),
            false => spoken.input.clone_from(&order.turn.prompt),
        }
        Ok(spoken)
    }

    fn hear(&self, event: &Json, heard: &mut Heard) {
        match text(event, &["type"]) {
            Some("system") => heard.model = text(event, &["model"]).map(str::to_owned),
            Some("result") => {
                heard.text = text(event, &["result"]).unwrap_or_default().to_owned();
                let is_done = text(event, &["subtype"]) == Some("success")
                    && at(event, &["is_error"]).and_then(Json::as_bool) == Some(false);
                match is_done {
                    true => heard.finish = Some(Finish::Done),
                    false => heard.fail(Trouble::of(None, &heard.text.clone())),
                }
            }
            Some(_) | None => {}
        }
    }
}
