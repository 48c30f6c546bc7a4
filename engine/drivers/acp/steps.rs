//! One turn as a conversation: greeting, session, mode, prompt, farewell.

use super::super::heard::{at, number, text};
use super::super::trouble::Trouble;
use super::account::Ledger;
use super::wire::{Line, Refusal};
use super::{error, setting};
use crate::host::Turn;
use crate::machine::FailureKind;
use serde_json::{Value as Json, json};
use std::time::Duration;
use tokio::time::timeout;

/// How long an agent may take to close a conversation.
const FAREWELL: Duration = Duration::from_secs(2);
/// The version of the protocol that is spoken here.
const VERSION: u64 = 1;

/// What a turn is taken with.
pub(super) struct Steps<'a> {
    pub(super) turn: &'a Turn,
    pub(super) model: Option<&'a str>,
    pub(super) ledger: &'a Ledger<'a>,
    pub(super) line: Line,
}

impl Steps<'_> {
    /// Takes the turn; what comes of it is in the ledger.
    pub(super) async fn take(&self) {
        if let Err(refusal) = self.all().await {
            self.ledger.account().refuse(&refusal);
        }
    }

    async fn all(&self) -> Result<(), Refusal> {
        let greeting = self.greet().await?;
        let abilities = at(&greeting, &["agentCapabilities"]).unwrap_or(&Json::Null);
        let (session, offer) = self.session(abilities).await?;
        let goes_on = self.turn.session.resume.as_deref() == Some(session.as_str());
        let text = self
            .turn
            .anew
            .as_ref()
            .filter(|_| !goes_on)
            .unwrap_or(&self.turn.prompt);
        self.set(&session, &offer).await;
        self.ledger.account().open();
        let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
        let result = self.line.ask("session/prompt", prompt).await?;
        self.ledger.account().close(&result, self.turn.session.counted);
        if at(abilities, &["sessionCapabilities", "close"]).is_some_and(|it| !it.is_null()) {
            // The turn is over: whether its end is heard changes nothing.
            drop(timeout(FAREWELL, self.line.ask("session/close", json!({"sessionId": session}))).await);
        }
        Ok(())
    }

    async fn greet(&self) -> Result<Json, Refusal> {
        let greeting = json!({
            "protocolVersion": VERSION,
            "clientCapabilities": {"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false},
            "clientInfo": {"name": "bmad", "title": "bmad", "version": env!("CARGO_PKG_VERSION")},
        });
        let greeting = self.line.ask("initialize", greeting).await?;
        let version = number(&greeting, &["protocolVersion"]);
        if version != Some(VERSION) {
            let other = version.map_or("none".to_owned(), |version| version.to_string());
            return Err(Refusal::Told {
                code: 0,
                message: format!("it speaks version {other} of the protocol, and {VERSION} is spoken here"),
                data: Json::Null,
            });
        }
        let mut account = self.ledger.account();
        account.agent = text(&greeting, &["agentInfo", "name"]).unwrap_or_default().to_owned();
        drop(account);
        Ok(greeting)
    }

    /// Goes on with the conversation, or begins one; answers its name and what can be set in it.
    async fn session(&self, abilities: &Json) -> Result<(String, Json), Refusal> {
        let place = json!({"cwd": self.turn.root.to_string_lossy(), "mcpServers": []});
        if let Some(asked) = &self.turn.session.resume {
            let is_offered = |path: &[&str]| at(abilities, path).is_some_and(|it| !it.is_null() && *it != json!(false));
            let method = if is_offered(&["loadSession"]) {
                Some("session/load")
            } else if is_offered(&["sessionCapabilities", "resume"]) {
                Some("session/resume")
            } else {
                None
            };
            if let Some(offer) = self.old(method, asked, &place).await? {
                self.ledger.account().heard.session = Some(asked.clone());
                return Ok((asked.clone(), offer));
            }
        }
        let offer = self.line.ask("session/new", place).await?;
        let Some(session) = text(&offer, &["sessionId"]).map(str::to_owned) else {
            return Err(Refusal::Told {
                code: 0,
                message: "it began a conversation without a name".to_owned(),
                data: Json::Null,
            });
        };
        self.ledger.account().heard.session = Some(session.clone());
        Ok((session, offer))
    }

    /// Goes on with a conversation; nothing where that cannot be, and a new one can take its place.
    async fn old(&self, method: Option<&str>, asked: &str, place: &Json) -> Result<Option<Json>, Refusal> {
        let Some(method) = method else {
            self.note("it cannot go on with an earlier conversation; a new one was begun");
            return Ok(None);
        };
        let mut params = place.clone();
        params["sessionId"] = json!(asked);
        let refusal = match self.line.ask(method, params).await {
            Ok(offer) => return Ok(Some(offer)),
            Err(refusal) => refusal,
        };
        match error::trouble(&refusal).map(|Trouble { kind, .. }| kind) {
            None | Some(FailureKind::Auth | FailureKind::RateLimited | FailureKind::Overloaded) => Err(refusal),
            // The turn says all it needs, so that a new conversation can take it.
            Some(_) => {
                self.note("the conversation before was lost; a new one was begun");
                Ok(None)
            }
        }
    }

    /// Sets the mode and the model; an agent that will not is asked what it may do all the same.
    async fn set(&self, session: &str, offer: &Json) {
        if let Some((method, params)) = setting::mode(session, offer, self.ledger.permit())
            && self.line.ask(method, params).await.is_err()
        {
            self.note("its mode could not be set; it goes on in its own");
        }
        let Some(name) = self.model else { return };
        let is_set = match setting::model(session, offer, name) {
            Ok(Some((method, params))) => self.line.ask(method, params).await.is_ok(),
            Ok(None) => true,
            Err(()) => false,
        };
        if !is_set {
            self.note(&format!(
                "the model `{name}` could not be chosen; it answers with its own"
            ));
        }
    }

    fn note(&self, what: &str) {
        self.ledger.account().heard.notes.push(what.to_owned());
    }
}
