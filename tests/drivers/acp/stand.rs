//! The stand-in: this test binary, started as an agent. It plays what was recorded, whenever the question to it comes.
//!
//! A script has the form of the recordings: a time, `>` for what was said to the agent, `<` for what it said. `!` is for
//! what no agent should do: `raw`, `long`, `say`, `hang`, `die`.

use serde_json::{Value as Json, json};
use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::time::Duration;

const NAME: &str = "drivers::acp::stand::stands_in_for_an_agent";

pub(super) fn arguments() -> Vec<String> {
    ["--exact", NAME, "--ignored", "--nocapture"].map(String::from).into()
}

/// One line of a script.
#[derive(Debug, Clone)]
enum Line {
    /// Said to the agent.
    Asked(Json),
    /// Said by the agent.
    Said(Json),
    /// Done by the agent.
    Deed(String),
}

/// A question, and what follows it.
struct Exchange {
    method: String,
    lines: Vec<Line>,
}

fn line(text: &str) -> Option<Line> {
    let (_, rest) = text.trim_start().split_once(' ')?;
    let (mark, rest) = rest.split_once(' ')?;
    match mark {
        ">" => Some(Line::Asked(serde_json::from_str(rest).ok()?)),
        "<" => Some(Line::Said(serde_json::from_str(rest).ok()?)),
        "!" => Some(Line::Deed(rest.to_owned())),
        _ => None,
    }
}

fn exchanges(script: &str) -> Vec<Exchange> {
    let mut found: Vec<Exchange> = Vec::new();
    for line in script.lines().filter_map(line) {
        match (&line, found.last_mut()) {
            (Line::Asked(asked), _) if asked.get("method").is_some() && asked.get("id").is_some() => {
                let method = asked["method"].as_str().unwrap().to_owned();
                let lines = Vec::new();
                found.push(Exchange { method, lines });
            }
            // Answers and cancellations come when they come.
            (Line::Asked(_), _) | (_, None) => {}
            (Line::Said(_) | Line::Deed(_), Some(last)) => last.lines.push(line),
        }
    }
    found
}

/// Returns what was asked in the prompts of a recording.
pub(super) fn prompts(script: &str) -> Vec<String> {
    let asked = script.lines().filter_map(line).filter_map(|line| match line {
        Line::Asked(asked) if asked["method"] == "session/prompt" => Some(asked),
        Line::Asked(_) | Line::Said(_) | Line::Deed(_) => None,
    });
    asked
        .map(|asked| {
            asked["params"]["prompt"][0]["text"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

struct Stand {
    exchanges: Vec<Exchange>,
    input: std::io::Lines<std::io::StdinLock<'static>>,
}

impl Stand {
    fn play(&mut self, asked: &Json) {
        let method = asked["method"].as_str().unwrap_or_default();
        let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse::<usize>().ok());
        let nth = match method {
            "session/prompt" => number("STAND_PROMPT").unwrap_or(0),
            _ => 0,
        };
        let found = self.exchanges.iter().filter(|it| it.method == method).nth(nth);
        let Some(lines) = found.map(|it| it.lines.clone()) else {
            return say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {}}));
        };
        for line in lines {
            match line {
                Line::Asked(_) => {}
                Line::Deed(deed) => act(&deed),
                Line::Said(mut said) if said.get("method").is_none() => {
                    said["id"] = asked["id"].clone();
                    say(&said);
                }
                Line::Said(said) => {
                    say(&said);
                    if said.get("id").is_some() {
                        self.hear();
                    }
                }
            }
        }
    }

    /// Waits for the next line of the client, and keeps it.
    fn hear(&mut self) -> Option<Json> {
        let line = self.input.next()?.unwrap();
        let path = std::env::var("STAND_HEARD").unwrap();
        let mut heard = OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(heard, "{line}").unwrap();
        Some(serde_json::from_str(&line).unwrap())
    }
}

fn say(message: &Json) {
    raw(&message.to_string());
}

fn raw(text: &str) {
    let mut out = std::io::stdout().lock();
    // A client that is gone is no failure of the agent.
    out.write_all(format!("{text}\n").as_bytes())
        .and_then(|()| out.flush())
        .ok();
}

#[expect(clippy::exit, reason = "an agent that dies takes the whole process along")]
fn act(deed: &str) {
    let (verb, rest) = deed.split_once(' ').unwrap_or((deed, ""));
    match verb {
        "raw" => raw(rest),
        "say" => {
            let mut out = std::io::stdout().lock();
            out.write_all(rest.as_bytes()).and_then(|()| out.flush()).unwrap();
        }
        "long" => {
            let text = "a".repeat(rest.parse::<usize>().unwrap() * 1024 * 1024);
            let content = json!({"type": "text", "text": text});
            let update = json!({"sessionUpdate": "agent_message_chunk", "content": content});
            say(&json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}));
        }
        "hang" => std::thread::sleep(Duration::from_secs(1000)),
        "die" => {
            std::io::stderr().write_all(b"out of memory\n").unwrap();
            std::process::exit(rest.parse().unwrap());
        }
        other => panic!("{other}"),
    }
}

#[test]
#[ignore = "is a program for other tests"]
fn stands_in_for_an_agent() {
    let Ok(script) = std::env::var("STAND_SCRIPT") else {
        return;
    };
    // The harness has begun a line of its own.
    raw("");
    let mut stand = Stand {
        exchanges: exchanges(&std::fs::read_to_string(script).unwrap()),
        input: std::io::stdin().lock().lines(),
    };
    while let Some(heard) = stand.hear() {
        if heard.get("method").is_some() && heard.get("id").is_some() {
            stand.play(&heard);
        }
    }
    if std::env::var("STAND_STAYS").is_ok() {
        act("hang");
    }
}
