//! What an agent writes to its stop hook in, what it asks out.

use crate::os;
use crate::policy::stop::last_message;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much of the end of a transcript is read.
const MOST_TRANSCRIPT: u64 = 8 * 1024 * 1024;

const BOUNDS: os::Bounds = os::Bounds {
    most: 64 * 1024 * 1024,
    patience: Duration::from_secs(5),
    is_whole: |bytes| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok(),
};

/// What came in.
#[derive(Debug)]
pub(super) enum Asked {
    /// Nothing at all: nobody asks.
    Nothing,
    /// Something that is no question, and why.
    Garbage(String),
    /// A question.
    Question(Question),
}

/// An agent that wants to stop.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Question {
    /// The folder it works in.
    pub(super) folder: Option<PathBuf>,
    /// Whether it is another event that it asks about, such as the end of a helper.
    pub(super) is_other_event: bool,
    /// Whether it works on only because it was kept from stopping before.
    pub(super) is_again: bool,
    message: Option<String>,
    transcript: Option<PathBuf>,
}

impl Question {
    /// Returns the last words of the agent: those it hands over, or those of its transcript.
    pub(super) fn said(&self) -> Option<String> {
        if let Some(message) = &self.message {
            return Some(message.clone());
        }
        let bytes = os::ending(self.transcript.as_deref()?, MOST_TRANSCRIPT).ok()?;
        last_message(&String::from_utf8_lossy(&bytes))
    }
}

/// Reads what an agent asks from the standard input of the process.
pub(super) fn read() -> Asked {
    match os::input(&BOUNDS) {
        Ok(bytes) => understood(&bytes),
        Err(error) => Asked::Garbage(error.to_string().to_lowercase()),
    }
}

fn understood(bytes: &[u8]) -> Asked {
    let text = String::from_utf8_lossy(bytes);
    if text.trim().is_empty() {
        return Asked::Nothing;
    }
    let fields = match serde_json::from_str::<Json>(&text) {
        Ok(Json::Object(fields)) => fields,
        Ok(_) => return Asked::Garbage("it is no JSON object".to_owned()),
        Err(error) => return Asked::Garbage(format!("it is no JSON: {error}")),
    };
    let word = |name: &str| {
        fields
            .get(name)
            .and_then(Json::as_str)
            .filter(|text| !text.trim().is_empty())
    };
    Asked::Question(Question {
        folder: word("cwd")
            .map(Path::new)
            .filter(|path| path.is_absolute())
            .map(Path::to_path_buf),
        is_other_event: word("hook_event_name").is_some_and(|event| event != "Stop"),
        is_again: fields.get("stop_hook_active").and_then(Json::as_bool) == Some(true),
        message: word("last_assistant_message").map(str::to_owned),
        transcript: word("transcript_path").map(PathBuf::from),
    })
}

#[cfg(test)]
mod tests {
    use super::{Asked, Question, understood};
    use std::path::Path;

    fn question(text: &[u8]) -> Question {
        match understood(text) {
            Asked::Question(question) => question,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_not_as_it_should_be_is_as_good_as_not_there() {
        let odd = br#"{"cwd": 5, "stop_hook_active": "yes", "last_assistant_message": ["a"], "transcript_path": null}"#;
        assert_eq!(question(odd), Question::default());
        let blank = br#"{"cwd": "relative", "last_assistant_message": " \n"}"#;
        assert_eq!(question(blank), Question::default());
        assert_eq!(
            question(b"{\"last_assistant_message\": \"\xff\"}").said().as_deref(),
            Some("\u{fffd}")
        );
        assert_eq!(question(br#"{"cwd": "/a"}"#).folder.as_deref(), Some(Path::new("/a")));
    }

    #[test]
    fn garbage_is_told_from_nothing() {
        assert!(matches!(understood(b" \n"), Asked::Nothing));
        let deep = "[".repeat(100_000);
        for text in ["{", "[]", "null", "{}{}", "\0", deep.as_str()] {
            assert!(
                matches!(understood(text.as_bytes()), Asked::Garbage(_)),
                "{}",
                &text[..1]
            );
        }
    }
}
