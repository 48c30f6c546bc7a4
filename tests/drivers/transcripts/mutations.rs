//! Every recorded run, changed in ways that mean nothing, keeps its class; cut off, it is never done.

use super::{Case, cases};
use serde_json::{Map, Value as Json};
use std::fmt::Write as _;

/// Words that are errors where an agent tells one, and nothing where a model or a tool says them.
const WORDS: &str =
    " rate limit 401 unauthorized overloaded permission denied usage limit reached|1794747600 prompt is too long";
/// The keys whose texts a model or a tool wrote.
const SAID: &[&str] = &[
    "aggregated_output",
    "content",
    "deltaContent",
    "detailedContent",
    "output",
    "result",
    "stdout",
    "text",
    "thinking",
];
/// The events in which the agent itself speaks of an error.
const ERRORS: &[&str] = &["error", "turn.failed", "session.error"];

/// Writes JSON with the keys of every object in the opposite order.
fn backwards(json: &Json) -> String {
    match json {
        Json::Object(map) => {
            let pairs = map.iter().rev();
            let pairs = pairs.map(|(key, value)| format!("{}:{}", Json::from(key.as_str()), backwards(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(backwards).collect();
            format!("[{}]", items.join(","))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => json.to_string(),
    }
}

/// Adds a key that nobody knows to every object.
fn with_unknown_keys(json: &Json) -> Json {
    match json {
        Json::Object(map) => {
            let mut more: Map<String, Json> = map
                .iter()
                .map(|(key, it)| (key.clone(), with_unknown_keys(it)))
                .collect();
            // A map from models to what they used is no object with keys of its own.
            if !map.values().all(Json::is_object) || map.is_empty() {
                more.insert("a_new_key".to_owned(), Json::from(WORDS));
                more.insert("zz_status".to_owned(), Json::from(429));
            }
            Json::Object(more)
        }
        Json::Array(items) => Json::Array(items.iter().map(with_unknown_keys).collect()),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => json.clone(),
    }
}

/// Adds words of errors to whatever a model or a tool wrote.
fn with_error_words(json: &Json) -> Json {
    match json {
        Json::Object(map) => {
            let said = |(key, value): (&String, &Json)| match value {
                // Where nothing was said, that is what counts.
                Json::String(text) if SAID.contains(&key.as_str()) && !text.is_empty() => {
                    (key.clone(), Json::from(format!("{text}{WORDS}")))
                }
                value => (key.clone(), with_error_words(value)),
            };
            Json::Object(map.iter().map(said).collect())
        }
        Json::Array(items) => Json::Array(items.iter().map(with_error_words).collect()),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => json.clone(),
    }
}

/// Says whether the agent itself tells an error here.
fn is_error(event: &Json) -> bool {
    let kind = event["type"].as_str().unwrap_or_default();
    ERRORS.contains(&kind) || event["is_error"] == Json::Bool(true) || !event["error"].is_null()
}

/// Changes every event of a run.
fn changed(case: &Case, change: impl Fn(&Json) -> String) -> Case {
    let mut out = String::new();
    for line in case.lines() {
        match serde_json::from_str::<Json>(&line) {
            Ok(event) => writeln!(out, "{}", change(&event)).unwrap(),
            Err(_) => writeln!(out, "{line}").unwrap(),
        }
    }
    case.with_out(out)
}

#[test]
fn the_order_of_keys_means_nothing() {
    for case in cases() {
        let other = changed(&case, backwards);
        assert_eq!(other.told().ended, case.told().ended, "{}", case.name);
        assert_eq!(other.told().call.spent, case.told().call.spent, "{}", case.name);
    }
}

#[test]
fn keys_that_nobody_knows_mean_nothing() {
    for case in cases() {
        let other = changed(&case, |event| with_unknown_keys(event).to_string());
        assert_eq!(other.class(), case.class(), "{}", case.name);
        assert_eq!(other.told().call.spent, case.told().call.spent, "{}", case.name);
    }
}

#[test]
fn events_that_nobody_knows_mean_nothing() {
    let noise = [
        r#"{"type":"telemetry.flushed","data":{"status":"error","code":429}}"#,
        r#"{"type":"system","subtype":"a_new_one","error":"rate_limit"}"#,
        r#"{"type":"item.a_new_one","item":{"type":"a_new_one"}}"#,
        r#"{"no_type":true}"#,
        r#"{"type":7}"#,
        r"[1,2,3]",
        "rate limit, 401 unauthorized, overloaded",
        "{broken",
        "\u{1b}[31mred\u{1b}[0m",
    ];
    for case in cases() {
        let mut out = String::new();
        for (at, line) in case.lines().iter().enumerate() {
            writeln!(out, "{}\n{line}", noise[at % noise.len()]).unwrap();
        }
        // Where nothing was told, something would be.
        if !case.recorded.out.is_empty() {
            out.push_str(&noise.join("\n"));
            assert_eq!(case.with_out(out).class(), case.class(), "{}", case.name);
        }
    }
}

#[test]
fn words_of_errors_in_what_a_model_or_a_tool_says_mean_nothing() {
    let mut texts = 0;
    for case in cases() {
        let other = changed(&case, |event| match is_error(event) {
            true => event.to_string(),
            false => with_error_words(event).to_string(),
        });
        texts += usize::from(other.recorded.out.len() > case.recorded.out.len() + WORDS.len());
        assert_eq!(other.class(), case.class(), "{}: {:?}", case.name, other.told().ended);
        assert_eq!(other.told().call.until, case.told().call.until, "{}", case.name);
    }
    assert!(texts > 100, "only {texts} runs say anything");
}

#[test]
fn a_run_that_is_cut_off_inside_its_last_line_is_never_done() {
    for case in cases() {
        let out = &case.recorded.out;
        let last = out.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let length = out.len() - last;
        for cut in [1, length / 4, length / 2, length * 9 / 10, length.saturating_sub(1)] {
            let short = case.with_out(&out[..last + cut.min(length)]);
            if cut < length {
                assert_ne!(short.class(), "done", "{} cut at {cut}", case.name);
            }
        }
    }
}

#[test]
fn a_run_that_is_cut_off_between_lines_is_never_done() {
    for case in cases() {
        let lines = case.lines();
        for count in 0..lines.len() {
            let short = case.with_out(lines[..count].join("\n"));
            assert_ne!(short.class(), "done", "{} after {count} lines", case.name);
        }
    }
}
