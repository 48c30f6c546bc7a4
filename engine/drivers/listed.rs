//! A folder in, the hooks that Codex finds there out. It is asked over its own protocol; no model is, so nothing is spent.

use super::Options;
use super::codex::CARD;
use super::ear::{Lines, Next};
use super::heard::last_words;
use super::process::{Job, Patience, converse, passed};
use serde_json::{Value as Json, json};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// How long it may take to answer.
const LIMIT: Duration = Duration::from_secs(20);
/// How long it may stay after it has.
const LINGER: Duration = Duration::from_secs(2);
/// The number of the question.
const ASKED: u64 = 2;

/// A hook that Codex found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedHook {
    /// What it runs at, such as `stop`.
    pub event: String,
    /// The file it stands in.
    pub file: PathBuf,
    /// Whether nobody turned it off.
    pub is_enabled: bool,
    /// Whether it may run.
    pub trust: HookTrust,
}

/// Whether a hook may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookTrust {
    /// Somebody trusted it as it is.
    Trusted,
    /// Nobody did.
    Untrusted,
    /// Somebody trusted it, and it is another one now.
    Changed,
}

/// Why Codex did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered(String);

impl fmt::Display for Unanswered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unanswered {}

/// Asks Codex for the hooks of a folder.
///
/// # Errors
/// Answers why it could not be asked.
pub fn codex_hooks(folder: &Path, options: &Options) -> Result<Vec<ListedHook>, Unanswered> {
    let settings = options.settings(CARD.name);
    let program = settings.program.clone().unwrap_or_else(|| CARD.program.to_owned());
    let mut environment = passed(&options.environment, |name| CARD.variables.contains(&name));
    environment.extend(settings.set.iter().cloned());
    let hello = json!({"id": 1, "method": "initialize", "params": {
        "clientInfo": {"name": "bmad", "version": env!("CARGO_PKG_VERSION")},
    }});
    let question = json!({"id": ASKED, "method": "hooks/list", "params": {"cwds": [folder]}});
    let input = format!("{hello}\n{}\n{question}\n", json!({"method": "initialized"}));
    let argv = [program, "app-server".to_owned()];
    let job = Job {
        argv: &argv,
        root: folder,
        environment: &environment,
        token: "bmad-hooks",
        input: &input,
        patience: Patience {
            limit: Some(LIMIT),
            linger: Some(LINGER),
            ..Patience::default()
        },
        secrets: &options.secrets,
    };
    let mut answer = None;
    // It ends when its input does, and would do so before it answers.
    let (mouth, words) = unbounded_channel();
    let mut mouth = Some(mouth);
    let mut ear = Lines::new(|line: &[u8]| match serde_json::from_slice::<Json>(line) {
        Ok(message) if message["id"] == ASKED => {
            answer = Some(message);
            mouth = None;
            Next::Over
        }
        Ok(_) | Err(_) => Next::More,
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Unanswered(error.to_string()))?;
    let ended = runtime.block_on(converse(&job, words, &mut ear));
    drop(ear);
    match (answer, ended) {
        (Some(answer), _) => read(&answer),
        (None, Err(why)) if why.contains("no such file") => Err(Unanswered("Codex is not here".to_owned())),
        (None, Err(why)) => Err(Unanswered(format!("Codex cannot be run: {why}"))),
        (None, Ok(ended)) => {
            let words = last_words(&ended.err);
            Err(Unanswered(format!("Codex does not tell its hooks: {words}")))
        }
    }
}

fn read(answer: &Json) -> Result<Vec<ListedHook>, Unanswered> {
    let Some(places) = answer["result"]["data"].as_array() else {
        let why = answer["error"]["message"].as_str().unwrap_or("its answer is not known");
        return Err(Unanswered(format!("Codex does not tell its hooks: {why}")));
    };
    let hooks = places.iter().filter_map(|place| place["hooks"].as_array()).flatten();
    Ok(hooks.filter_map(hook).collect())
}

fn hook(listed: &Json) -> Option<ListedHook> {
    Some(ListedHook {
        event: listed["eventName"].as_str()?.to_owned(),
        file: PathBuf::from(listed["sourcePath"].as_str()?),
        is_enabled: listed["enabled"] == true,
        trust: match listed["trustStatus"].as_str()? {
            "trusted" | "managed" => HookTrust::Trusted,
            "modified" => HookTrust::Changed,
            _ => HookTrust::Untrusted,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::{HookTrust, ListedHook, read};
    use serde_json::json;
    use std::path::PathBuf;

    #[test]
    fn what_codex_lists_is_understood() {
        let hook = |trust: &str, enabled: bool| json!({"eventName": "stop", "sourcePath": "/p/.codex/hooks.json", "enabled": enabled, "trustStatus": trust});
        let hooks = [
            hook("trusted", true),
            hook("untrusted", true),
            hook("modified", false),
            json!({"odd": 1}),
        ];
        let answer = json!({"id": 2, "result": {"data": [{"cwd": "/p", "hooks": hooks}]}});
        let expected = [
            (HookTrust::Trusted, true),
            (HookTrust::Untrusted, true),
            (HookTrust::Changed, false),
        ];
        let expected = expected.map(|(trust, is_enabled)| ListedHook {
            event: "stop".to_owned(),
            file: PathBuf::from("/p/.codex/hooks.json"),
            is_enabled,
            trust,
        });
        assert_eq!(read(&answer), Ok(expected.to_vec()));
    }

    #[test]
    fn an_answer_that_is_none_is_an_error() {
        let refused = read(&json!({"id": 2, "error": {"code": -32601, "message": "unknown method"}}));
        assert_eq!(
            refused.unwrap_err().to_string(),
            "Codex does not tell its hooks: unknown method"
        );
        assert!(read(&json!({"id": 2, "result": 5})).is_err());
    }
}
