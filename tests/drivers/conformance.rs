//! What every listed driver keeps: an answer in the contract, or a failure of a known kind.

use super::{Yard, task, texts, turn, wait};
use bmad::drivers::{DRIVERS, Kind, Options, named};
use bmad::host::{AgentSettings, Reply, Turn};
use bmad::machine::{Envelope, Failure, Task, Wanted};
use std::sync::Arc;

/// Says how each kind is made here; a new kind without a line here fails the test below.
fn spec(kind: &'static str) -> &'static str {
    match kind {
        "offline" => "offline",
        "script" => "script:--ack",
        "manual" => "manual",
        "command" => "command:sh -c 'cat > /dev/null; echo \"{\\\"text\\\": \\\"hello\\\"}\"'",
        "record" => "record:out/tape.jsonl:chaos:5",
        "cassette" => "cassette:tape.jsonl",
        "chaos" => "chaos:3",
        "acp" => "acp:/nowhere/agent",
        "claude-code" => "claude-code",
        "codex" => "codex:some-model",
        "copilot" => "copilot",
        "cursor" => "cursor",
        "gemini" => "gemini",
        "opencode" => "opencode",
        other => panic!("no spec for {other}: add one"),
    }
}

#[test]
fn the_linter_knows_every_agent() {
    let names: Vec<&str> = DRIVERS.iter().map(|kind| kind.name).collect();
    assert_eq!(bmad::lint::AGENTS_THERE_ARE, names);
}

fn tasks() -> Vec<(&'static str, Task)> {
    vec![
        ("empty", Task::default()),
        (
            "judge",
            Task {
                conditions: texts(&["it rains", "it is late"]),
                ..task(&[])
            },
        ),
        ("instructions", task(&["Read a.md", "Think about it"])),
        (
            "dispatch",
            Task {
                prompt: "Say what could go wrong. Answer with risks.".to_owned(),
                wanted: Wanted {
                    fields: texts(&["risks", "vote"]),
                    ..Wanted::default()
                },
                ..task(&[])
            },
        ),
        (
            "wanted",
            Task {
                conditions: texts(&["it is done"]),
                wanted: Wanted {
                    variables: texts(&["x", "y"]),
                    sections: texts(&["intro --> end"]),
                    fields: texts(&["findings", "text"]),
                },
                ..task(&["Write the intro"])
            },
        ),
    ]
}

/// Fails where a reply speaks of things the task does not have.
fn assert_contract(task: &Task, outcome: &Result<Reply, Failure>, place: &str) {
    let envelope: &Envelope = match outcome {
        Ok(reply) => &reply.envelope,
        Err(failure) => {
            assert!(!failure.message.is_empty(), "{place}");
            return;
        }
    };
    let mut numbers: Vec<u32> = envelope.instructions.iter().map(|given| given.n).collect();
    assert!(
        numbers
            .iter()
            .all(|n| task.instructions.iter().any(|order| order.n == *n)),
        "{place}"
    );
    numbers.dedup();
    assert_eq!(numbers.len(), envelope.instructions.len(), "{place}");
    let conditions = u32::try_from(task.conditions.len()).unwrap();
    assert!(
        envelope
            .judgements
            .iter()
            .all(|given| (1..=conditions).contains(&given.n)),
        "{place}"
    );
    assert!(
        envelope
            .sections
            .iter()
            .all(|(name, _)| task.wanted.sections.contains(name)),
        "{place}"
    );
    let json = serde_json::to_string(envelope).unwrap();
    assert_eq!(serde_json::from_str::<Envelope>(&json).unwrap(), *envelope, "{place}");
}

fn options(yard: &Yard) -> Options {
    Options {
        paste: Some(Arc::new(|_| {
            Box::pin(std::future::ready(Some("{\"text\": \"hi\"}".to_owned())))
        })),
        agents: DRIVERS.iter().filter_map(unstartable).collect(),
        ..yard.options()
    }
}

/// Nobody's real agent is started here.
fn unstartable(kind: &Kind) -> Option<(String, AgentSettings)> {
    let settings = AgentSettings {
        program: Some("no-such-agent".to_owned()),
        ..AgentSettings::default()
    };
    Some((kind.card?.name.to_owned(), settings))
}

#[test]
fn every_listed_driver_answers_in_the_contract_or_fails_in_a_known_way() {
    for kind in DRIVERS {
        let yard = Yard::new(&[("a.md", "# A\n"), ("tape.jsonl", "")]);
        let driver = named(spec(kind.name), &options(&yard)).unwrap();
        assert!(driver.name().starts_with(kind.name), "{}", driver.name());
        for (name, task) in tasks() {
            for n in 0..3 {
                let turn = Turn {
                    n,
                    ..yard.turn(task.clone())
                };
                let outcome = wait(driver.perform(Arc::new(turn))).result;
                assert_contract(&task, &outcome, &format!("{} {name} {n}", kind.name));
            }
        }
    }
}

#[test]
fn every_listed_driver_takes_a_huge_prompt() {
    for kind in DRIVERS {
        let yard = Yard::new(&[("tape.jsonl", "")]);
        let driver = named(spec(kind.name), &options(&yard)).unwrap();
        let task = task(&["Think"]);
        let huge = Turn {
            prompt: "x".repeat(20 * 1024 * 1024),
            ..turn(task.clone(), yard.root().to_path_buf())
        };
        let outcome = wait(driver.perform(Arc::new(huge))).result;
        assert_contract(&task, &outcome, kind.name);
    }
}

#[test]
fn every_listed_driver_says_what_it_is() {
    for kind in DRIVERS {
        assert!(
            kind.usage.starts_with(kind.name) && kind.summary.len() > 10,
            "{}",
            kind.name
        );
    }
}

#[test]
fn the_chapter_about_agents_is_true() {
    let chapter = include_str!("../../spec/13-agents.md");
    for kind in DRIVERS {
        assert!(chapter.contains(kind.summary), "`{}` is not in the chapter", kind.name);
    }
    let block = |head: &str| {
        let (_, rest) = chapter.split_once(&format!("```{head}\n")).unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    let reply = bmad::drivers::reply::read(block("json").as_bytes()).unwrap();
    assert_eq!(reply.envelope.instructions.len(), 2);
    let yard = Yard::new(&[("replies.yaml", &block("yaml replies.yaml"))]);
    let third = Task {
        step: "3".to_owned(),
        ..task(&[])
    };
    assert_eq!(yard.take("script:replies.yaml", third).unwrap().envelope.text, "Done.");
}

#[test]
fn the_checks_of_documents_are_in_the_chapter() {
    let chapter = include_str!("../../spec/18-checks.md");
    let yard = Yard::new(&[("a.md", "# A\n")]);
    let reply = yard.take(
        "offline",
        Task {
            prompt: "Review a.md".to_owned(),
            ..task(&[])
        },
    );
    let fields = reply.unwrap().envelope.fields;
    let checks = fields.into_iter().find(|(name, _)| name == "checks");
    let Some((_, bmad::builtins::Value::Map(checks))) = checks else {
        panic!("{checks:?}")
    };
    assert!(checks.len() > 20, "{checks:?}");
    for (name, _) in checks {
        assert!(chapter.contains(&format!("\n### {name}\n")), "{name}");
    }
}
