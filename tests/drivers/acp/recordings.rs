//! What real agents said, and what comes of it; whatever else they may say one day changes nothing.

use super::stand::prompts;
use super::{Scene, told};
use bmad::host::Call;
use serde_json::{Map, Value as Json, json};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/transcripts")
}

/// Returns all recordings of the protocol, by name.
fn recordings() -> Vec<(String, String)> {
    let inside = |path: &Path| {
        let entries = fs::read_dir(path).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let mut found = Vec::new();
    for agent in inside(&folder()) {
        let name = agent.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("acp-") || !agent.is_dir() {
            continue;
        }
        for case in inside(&agent) {
            let stem = case.file_stem().unwrap().to_str().unwrap();
            found.push((format!("{name}/{stem}"), fs::read_to_string(&case).unwrap()));
        }
    }
    found
}

/// Plays one prompt of a recording. What was rejected when it was recorded is asked for in a turn that only reads.
fn play(name: &str, script: &str, nth: usize) -> Call {
    let scene = Scene::new(script).with("STAND_PROMPT", &nth.to_string());
    match name.contains("reject") {
        true => scene.reading().take(),
        false => scene.take(),
    }
}

fn row(name: &str, prompt: &str, call: &Call) -> String {
    let tokens = call.spent.tokens.map_or("-".to_owned(), |it| {
        format!("{}+{}+{}+{}", it.input, it.cached, it.stored, it.output)
    });
    let cost = call.spent.cost.map_or("-".to_owned(), |cost| format!("{cost:.6}"));
    let session = if call.session.is_some() { "session" } else { "-" };
    let model = call.model.as_deref().unwrap_or("-");
    let class = match told(call) {
        // The model of the recordings wrote plain words: that the agent says it is done is all there is.
        text if text.starts_with("malformed: the reply ") => text.replacen("malformed", "done", 1),
        text => text.replace('\n', " "),
    };
    format!("{name} | {prompt} | {class} | {tokens} | {cost} | {model} | {session}")
}

/// Plays everything, after a change to what the agent says.
fn rows(change: impl Fn(&str) -> String) -> Vec<String> {
    let mut rows = Vec::new();
    for (name, script) in recordings() {
        let changed = change(&script);
        for (nth, prompt) in prompts(&script).iter().enumerate() {
            rows.push(row(&name, prompt, &play(&name, &changed, nth)));
        }
    }
    rows
}

fn table() -> Vec<String> {
    let text = fs::read_to_string(folder().join("acp.txt")).unwrap_or_default();
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Changes every message of the agent, and perhaps puts others before it.
fn changed(script: &str, change: impl Fn(Json) -> Json, before: Option<&str>) -> String {
    let mut lines = Vec::new();
    for line in script.lines() {
        let Some((time, said)) = line.split_once(" < ").filter(|(_, said)| said.starts_with('{')) else {
            lines.push(line.to_owned());
            continue;
        };
        lines.extend(before.map(str::to_owned));
        // Long lists were cut off when they were recorded; they are passed over by the stand-in too.
        lines.push(match serde_json::from_str(said) {
            Ok(message) => format!("{time} < {}", change(message)),
            Err(_) => line.to_owned(),
        });
    }
    lines.join("\n")
}

fn reversed(value: Json) -> Json {
    match value {
        Json::Object(map) => Json::Object(map.into_iter().rev().map(|(key, it)| (key, reversed(it))).collect()),
        Json::Array(items) => items.into_iter().map(reversed).collect(),
        plain => plain,
    }
}

fn widened(value: Json) -> Json {
    match value {
        Json::Object(map) => {
            let mut wide = Map::new();
            wide.insert(
                "_new".to_owned(),
                json!({"stopReason": "refusal", "code": 401, "text": "rate limit"}),
            );
            wide.extend(map.into_iter().map(|(key, it)| (key, widened(it))));
            wide.insert("zNew".to_owned(), json!(["401 unauthorized", 5]));
            Json::Object(wide)
        }
        Json::Array(items) => items.into_iter().map(widened).collect(),
        plain => plain,
    }
}

#[test]
fn every_recording_is_read_as_the_table_says() {
    let rows = rows(str::to_owned);
    if std::env::var("BMAD_BLESS").is_ok() {
        let head = "# recording | prompt | what came of it | tokens: new + cached + stored + written | dollars | model | session\n";
        fs::write(folder().join("acp.txt"), format!("{head}{}\n", rows.join("\n"))).unwrap();
    }
    assert!(rows.len() > 30, "{}", rows.len());
    assert_eq!(rows, table());
}

#[test]
fn the_order_of_keys_changes_nothing() {
    assert_eq!(rows(|script| changed(script, reversed, None)), table());
}

#[test]
fn keys_and_events_that_nobody_knows_change_nothing() {
    let events = concat!(
        r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"API Error: 401 unauthorized"}}}}"#,
        "\n",
        r#"0 < {"jsonrpc":"2.0","method":"_vendor/rate_limit","params":{"error":"429","stopReason":"refusal"}}"#,
        "\n",
        r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"brand_new","error":{"code":401}}}}"#,
        "\n",
        r"0 ! raw 2026-11-15 ERROR rate limit: 429 too many requests",
    );
    assert_eq!(rows(|script| changed(script, widened, Some(events))), table());
}

#[test]
fn words_of_errors_in_what_a_model_writes_change_nothing() {
    let spoil = |mut message: Json| {
        if message["params"]["update"]["sessionUpdate"] == "tool_call_update" {
            let words = json!("rate limit 429 overloaded 401 unauthorized permission denied");
            message["params"]["update"]["rawOutput"] = words.clone();
            message["params"]["update"]["title"] = words;
        }
        message
    };
    let spoiled = |script: &str| {
        let noisy = r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"SESSION","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Error: 401 unauthorized, rate limit"}}}}"#;
        let session = script
            .split("\"sessionId\":\"")
            .nth(1)
            .and_then(|it| it.split('"').next())
            .unwrap();
        changed(script, spoil, Some(&noisy.replace("SESSION", session)))
    };
    assert_eq!(rows(spoiled), table());
}
