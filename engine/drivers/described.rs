//! Arguments with holes in, words out; the JSON that a program writes in, what was looked for in it out.

use super::heard::{at, event};
use crate::host::{AgentSettings, Spent, Tokens, Turn};
use crate::machine::Access;
use serde_json::Value as Json;

/// What was found in what a program wrote.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    /// Its reply.
    pub(super) text: Option<String>,
    /// The conversation.
    pub(super) session: Option<String>,
    /// The model.
    pub(super) model: Option<String>,
    /// What went wrong.
    pub(super) error: Option<String>,
    /// What it used.
    pub(super) spent: Spent,
}

/// Says whether a program is asked for by arguments that hold the prompt; otherwise it reads it.
pub(super) fn takes_prompt(settings: &AgentSettings) -> bool {
    settings.arguments.iter().any(|it| it.contains("{prompt}"))
}

/// Returns what follows the program.
pub(super) fn arguments(settings: &AgentSettings, turn: &Turn) -> Vec<String> {
    let described = &settings.described;
    let model = settings.model(turn.task.model.as_deref()).unwrap_or_default();
    let session = turn.session.resume.as_deref().unwrap_or_default();
    let is_reading = turn.task.access == Access::Read || turn.task.only_judges();
    let parts = [
        (true, &settings.arguments),
        (!model.is_empty(), &described.with_model),
        (!session.is_empty(), &described.with_session),
        (is_reading, &described.when_reading),
    ];
    let chosen = parts
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .flat_map(|(_, part)| part);
    // Each word is filled in once and by itself: what a prompt holds is never taken for a hole.
    let fill = |word: &String| match word.split_once("{prompt}") {
        Some((before, after)) => format!("{before}{}{after}", turn.prompt),
        None => word.replace("{model}", model).replace("{session}", session),
    };
    chosen.map(fill).collect()
}

/// Looks for what is described in lines of JSON, or in one JSON text; the last of each counts.
pub(super) fn find(settings: &AgentSettings, out: &[u8]) -> Found {
    let whole: Option<Json> = serde_json::from_slice(out).ok();
    let events: Vec<Json> = match whole {
        Some(whole) => vec![whole],
        None => out.split(|byte| *byte == b'\n').filter_map(event).collect(),
    };
    let last = |what: &str| -> Option<&Json> {
        let path = settings.described.path(what)?;
        events.iter().rev().find_map(|event| at(event, &path))
    };
    let text = |what: &str| last(what).and_then(Json::as_str).map(str::to_owned);
    let count = |what: &str| last(what).and_then(Json::as_u64);
    let tokens = (count("input"), count("output"));
    // One number that is none makes all of them unknown.
    let is_wrong = ["input", "output", "cached"]
        .iter()
        .any(|what| last(what).is_some_and(|value| value.is_number() && !value.is_u64()));
    Found {
        text: last("text").map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)),
        session: text("session"),
        model: text("model"),
        error: text("error"),
        spent: Spent {
            tokens: (tokens != (None, None) && !is_wrong).then(|| Tokens {
                input: tokens.0.unwrap_or_default(),
                cached: count("cached").unwrap_or_default(),
                stored: 0,
                output: tokens.1.unwrap_or_default(),
            }),
            cost: last("cost").and_then(Json::as_f64),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{arguments, find};
    use crate::host::{AgentSettings, Described, Spent, Tokens, Turn};

    fn settings() -> AgentSettings {
        let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        let pairs = [
            ("text", "result.text"),
            ("session", "id"),
            ("input", "usage.in"),
            ("output", "usage.out"),
        ];
        AgentSettings {
            arguments: words(&["run", "-p", "{prompt}"]),
            described: Described {
                with_model: words(&["--model", "{model}"]),
                with_session: words(&["--resume={session}"]),
                when_reading: words(&["--read-only"]),
                find: pairs
                    .iter()
                    .map(|(what, path)| ((*what).to_owned(), (*path).to_owned()))
                    .collect(),
            },
            ..AgentSettings::default()
        }
    }

    #[test]
    fn only_what_is_wanted_is_added_and_a_prompt_fills_no_holes() {
        let mut turn = Turn {
            prompt: "say {model} and {session}".to_owned(),
            ..Turn::default()
        };
        assert_eq!(
            arguments(&settings(), &turn),
            ["run", "-p", "say {model} and {session}"]
        );
        turn.task.model = Some("large".to_owned());
        turn.session.resume = Some("abc".to_owned());
        turn.task.access = crate::machine::Access::Read;
        assert_eq!(
            arguments(&settings(), &turn)[3..],
            ["--model", "large", "--resume=abc", "--read-only"]
        );
    }

    #[test]
    fn the_last_of_each_counts_in_lines_and_in_one_text() {
        let lines = b"log\n{\"id\": \"a\"}\n{\"result\": {\"text\": \"one\"}}\n{\"result\": {\"text\": \"two\"}, \"usage\": {\"in\": 3, \"out\": 4}}\n";
        let found = find(&settings(), lines);
        assert_eq!(
            (found.text.as_deref(), found.session.as_deref()),
            (Some("two"), Some("a"))
        );
        let tokens = Tokens {
            input: 3,
            output: 4,
            ..Tokens::default()
        };
        assert_eq!(
            found.spent,
            Spent {
                tokens: Some(tokens),
                cost: None
            }
        );
        let wrong = b"{\"usage\": {\"in\": -3, \"out\": 4}}";
        assert_eq!(find(&settings(), wrong).spent, Spent::default());
        let one = b"{\n \"result\": {\"text\": {\"text\": \"hi\"}}\n}";
        assert_eq!(find(&settings(), one).text.as_deref(), Some("{\"text\":\"hi\"}"));
    }
}
