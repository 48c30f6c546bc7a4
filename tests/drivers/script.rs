//! Replies from a file, and a person who brings them.

use super::{Yard, task, texts, wait};
use bmad::drivers::{Options, named};
use bmad::host::Turn;
use bmad::machine::{Envelope, FailureKind, Task, Wanted};
use std::fs;
use std::sync::{Arc, Mutex};

fn everything() -> Task {
    Task {
        conditions: texts(&["c"]),
        wanted: Wanted {
            variables: texts(&["v"]),
            sections: texts(&["s"]),
            fields: texts(&["findings", "edits", "vote", "status", "text"]),
        },
        ..task(&["one", "two"])
    }
}

fn json(envelope: &Envelope) -> String {
    serde_json::to_string(envelope).unwrap()
}

#[test]
fn ack_acknowledges_everything_and_judges_by_the_flag() {
    let yard = Yard::new(&[]);
    let reply = yard.take("script:--ack", everything()).unwrap();
    insta::assert_snapshot!(json(&reply.envelope), @r#"{"instructions":[{"n":1,"status":"done","evidence":[{"kind":"said","text":"acknowledged by the script"}]},{"n":2,"status":"done","evidence":[{"kind":"said","text":"acknowledged by the script"}]}],"judgements":[{"n":1,"holds":false,"evidence":"decided by the script"}],"variables":{"v":"ack"},"sections":{"s":"Acknowledged: s"},"fields":{"edits":[],"vote":"ack","status":"ack","findings":[]},"text":"ack"}"#);
    let yes = yard.take("script:--ack --judge=true", everything()).unwrap();
    assert!(yes.envelope.judgements[0].holds);
    let options = Options {
        ack: true,
        judge: true,
        ..yard.options()
    };
    assert_eq!(yard.take_with("script", &options, everything()).unwrap(), yes);
}

const SCRIPT: &str = r#"
- step: 2
  attempt: 1
  fail: timeout
- agent: reviewer
  reply:
    findings: [{claim: too long}]
- says: SECOND thing
  nth: 2
  reply: {text: again}
- says: second thing
  ack: false
  reply: {variables: {count: 3, name: "3"}}
- step: 3
  judge: true
  reply:
    asks: [Which one?]
- workflow: other
  fail: {denied: not today}
"#;

fn scripted(spec: &str, task: Task, n: u32) -> Result<Envelope, String> {
    let yard = Yard::new(&[("replies.yaml", SCRIPT)]);
    let driver = named(spec, &yard.options()).unwrap();
    let turn = Turn { n, ..yard.turn(task) };
    let outcome = wait(driver.perform(Arc::new(turn))).result;
    outcome
        .map(|reply| reply.envelope)
        .map_err(|failure| format!("{}: {}", failure.kind.name(), failure.message))
}

fn step(label: &str, instructions: &[&str]) -> Task {
    Task {
        step: label.to_owned(),
        ..task(instructions)
    }
}

#[test]
fn the_first_entry_that_fits_replies() {
    let play = |task, n| scripted("script:replies.yaml", task, n);
    assert_eq!(play(step("2", &[]), 0).unwrap_err(), "timeout: the script says so");
    let reviewer = Task {
        agent: Some("reviewer".to_owned()),
        ..step("9", &["x"])
    };
    let found = play(reviewer, 0).unwrap();
    assert_eq!((found.findings.len(), found.instructions.len()), (1, 1));
    let second = step("9", &["Do the second thing."]);
    assert_eq!(
        json(&play(second.clone(), 0).unwrap()),
        r#"{"variables":{"count":3,"name":"3"}}"#
    );
    assert_eq!(play(second, 1).unwrap().text, "again");
    let asks = play(step("3", &["x"]), 0).unwrap();
    assert_eq!((asks.asks.len(), asks.instructions.len()), (1, 0));
    let other = Task {
        workflow: "other".to_owned(),
        ..step("9", &[])
    };
    assert_eq!(play(other, 0).unwrap_err(), "denied: not today");
}

#[test]
fn a_turn_without_an_entry_fails_or_is_acknowledged() {
    let lost = step("9", &["something else"]);
    assert_eq!(
        scripted("script:replies.yaml", lost.clone(), 0).unwrap_err(),
        "missing: the script has no reply for this turn in step `9` of test; add one, or use --ack"
    );
    let acked = scripted("script:replies.yaml --ack", lost, 0).unwrap();
    assert_eq!(acked.instructions.len(), 1);
}

#[test]
fn a_script_may_be_json() {
    let yard = Yard::new(&[(
        "replies.json",
        "{\"replies\": [{\"step\": \"1\", \"reply\": {\"text\": \"hi\"}}]}",
    )]);
    assert_eq!(yard.take("script:replies.json", task(&[])).unwrap().envelope.text, "hi");
}

#[test]
fn what_is_wrong_in_a_script_is_told_with_its_line() {
    let refusal = |text: &str| {
        let yard = Yard::new(&[("r.yaml", text)]);
        named("script:r.yaml", &yard.options()).err().unwrap().to_string()
    };
    let refusals = [
        refusal("- step: 1\n  replly: {}\n"),
        refusal("- step: 1\n- reply: {instructions: [{n: 1, status: finished}]}\n"),
        refusal("- fail: exploded\n"),
        refusal("- nth: 0\n"),
        refusal("- [\n"),
        refusal("just words"),
        refusal(""),
    ];
    insta::assert_snapshot!(refusals.join("\n"), @r#"
    `r.yaml` cannot be used, line 2: `replly` is no part of a reply; did you mean `reply`?
    `r.yaml` cannot be used, line 2: instructions[0].status is "finished"; use done, blocked, skipped or gap
    `r.yaml` cannot be used, line 1: `fail` is one of crashed, timeout, malformed, denied, limit, missing
    `r.yaml` cannot be used, line 1: `nth` is a number from 1
    `r.yaml` cannot be used, line 2: it is not valid YAML: while parsing a node, did not find expected node content
    `r.yaml` cannot be used, line 1: write a list of replies
    `r.yaml` cannot be used: it is empty; write a list of replies
    "#);
}

#[test]
fn a_person_brings_the_reply_of_any_chat() {
    let yard = Yard::new(&[]);
    let shown: Arc<Mutex<String>> = Arc::default();
    let screen = Arc::clone(&shown);
    let options = Options {
        show: Some(Arc::new(move |text: &str| screen.lock().unwrap().push_str(text))),
        paste: Some(Arc::new(|prompt: &str| {
            let brought = format!("Sure!\n```json\n{{\"text\": \"{}\"}}\n```", prompt.trim());
            Box::pin(std::future::ready(Some(brought)))
        })),
        prompts: Some(yard.root().join("run")),
        ..yard.options()
    };
    let reply = yard.take_with("manual", &options, task(&["x"])).unwrap();
    assert_eq!(reply.envelope.text, "The prompt of step 1.");
    let files: Vec<_> = fs::read_dir(yard.root().join("run")).unwrap().collect();
    let file = files[0].as_ref().unwrap().path();
    assert_eq!(fs::read_to_string(&file).unwrap(), "The prompt of step 1.\n");
    let shown = shown.lock().unwrap();
    assert!(
        shown.contains("The prompt of step 1.") && shown.contains(file.to_str().unwrap()),
        "{shown}"
    );
}

#[test]
fn without_a_person_there_is_no_reply() {
    let yard = Yard::new(&[]);
    assert_eq!(yard.take("manual", task(&[])).unwrap_err().kind, FailureKind::Denied);
    let absent = Options {
        paste: Some(Arc::new(|_| Box::pin(std::future::ready(None)))),
        ..yard.options()
    };
    let failure = yard.take_with("manual", &absent, task(&[])).unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Denied, "no reply was brought")
    );
}

#[test]
fn an_entry_that_asks_fits_until_it_is_answered() {
    let file = "- reply: {asks: [{question: Which one?}]}\n- reply: {text: The second.}\n";
    let yard = Yard::new(&[("r.yaml", file)]);
    let text = |answered: Vec<(String, String)>| {
        let task = Task {
            answered,
            ..task(&["Choose"])
        };
        yard.take("script:r.yaml", task).unwrap().envelope.text
    };
    assert_eq!(text(Vec::new()), "");
    let answered = vec![("Which one?".to_owned(), "the second".to_owned())];
    assert_eq!(text(answered), "The second.");
}
