//! Agents that misbehave: whatever they do, the turn comes to an end that says what happened.

use super::{Scene, told};
use std::time::{Duration, Instant};

const ENVELOPE: &str = r#"{\"text\": \"hello\"}"#;

/// Returns a script with a greeting, a session, and what follows the prompt.
fn script(after: &[&str]) -> String {
    let before = [
        r#"0 > {"id":1,"method":"initialize"}"#,
        r#"0 < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"stand-in","version":"1"}}}"#,
        r#"0 > {"id":2,"method":"session/new"}"#,
        r#"0 < {"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}"#,
        r#"0 > {"id":3,"method":"session/prompt"}"#,
    ];
    [&before[..], after].concat().join("\n")
}

fn says(text: &str) -> String {
    format!(
        r#"0 < {{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{text}"}}}}}}}}"#
    )
}

fn ends(reason: &str) -> String {
    format!(r#"0 < {{"jsonrpc":"2.0","id":3,"result":{{"stopReason":"{reason}"}}}}"#)
}

#[test]
fn lines_of_a_log_between_messages_are_passed_over() {
    let noise =
        ["starting up", "{not json", "[1, 2]", "{\"level\":\"info\"}", "\u{fffd}"].map(|it| format!("0 ! raw {it}"));
    let noise = noise.join("\n");
    let scene = Scene::new(&script(&[&noise, &says(ENVELOPE), &noise, &ends("end_turn")]));
    assert_eq!(told(&scene.take()), "done: hello");
}

#[test]
fn a_reply_in_pieces_is_one_reply() {
    let halves = [says(r#"{\"text\": \"hel"#), says(r#"lo\"}"#), ends("end_turn")];
    let scene = Scene::new(&script(&halves.each_ref().map(String::as_str)));
    assert_eq!(told(&scene.take()), "done: hello");
}

#[test]
fn an_agent_that_hangs_is_ended_when_it_was_silent_for_too_long() {
    let mut scene = Scene::new(&script(&[&says("I begin"), "0 ! hang"]));
    scene.settings.silence = Some(1);
    let began = Instant::now();
    assert_eq!(
        told(&scene.take()),
        "stuck: stand-in gave no sign of life and was ended"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_agent_that_takes_too_long_is_ended() {
    let mut scene = Scene::new(&script(&["0 ! hang"]));
    scene.turn.task.timeout = Some(1);
    assert_eq!(told(&scene.take()), "timeout: stand-in took too long and was ended");
}

#[test]
fn an_agent_that_dies_in_the_middle_is_not_done_whatever_it_said() {
    let scene = Scene::new(&script(&[&says(ENVELOPE), "0 ! die 3"]));
    assert_eq!(
        told(&scene.take()),
        "crashed: stand-in ended with exit code 3 before it was done: out of memory"
    );
    let cut = r#"0 ! say {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end"#;
    assert_eq!(
        told(&Scene::new(&script(&[&says(ENVELOPE), cut, "0 ! die 0"])).take()),
        "crashed: stand-in ended before it was done: out of memory"
    );
}

#[test]
fn an_agent_that_dies_at_once_says_why_with_its_last_words() {
    let scene = Scene::new("0 > {\"id\":1,\"method\":\"initialize\"}\n0 ! die 7");
    assert_eq!(
        told(&scene.take()),
        "crashed: the agent ended with exit code 7 before it was done: out of memory"
    );
}

#[test]
fn of_a_line_of_fifty_megabytes_nothing_is_kept_and_the_turn_goes_on() {
    let scene = Scene::new(&script(&["0 ! long 50", &says(ENVELOPE), &ends("end_turn")]));
    assert_eq!(told(&scene.take()), "done: hello");
}

#[test]
fn what_nobody_knows_is_refused_by_its_number_and_the_turn_goes_on() {
    let write = r#"0 < {"jsonrpc":"2.0","id":"w","method":"fs/write_text_file","params":{"sessionId":"s","path":"/x","content":"y"}}"#;
    let other = r#"0 < {"jsonrpc":"2.0","id":77,"method":"brand/new"}"#;
    let scene = Scene::new(&script(&[write, other, &says(ENVELOPE), &ends("end_turn")]));
    assert_eq!(told(&scene.take()), "done: hello");
    let heard = scene.heard();
    let answers: Vec<&str> = heard.lines().filter(|line| line.contains("\"error\"")).collect();
    assert_eq!(answers.len(), 2, "{heard}");
    assert!(answers.iter().all(|line| line.contains("-32601")), "{heard}");
    assert!(answers[0].contains("\"w\"") && answers[1].contains("77"), "{heard}");
}

#[test]
fn an_agent_of_another_version_is_not_spoken_to() {
    let script =
        script(&[&says(ENVELOPE), &ends("end_turn")]).replace("\"protocolVersion\":1", "\"protocolVersion\":9");
    let scene = Scene::new(&script);
    let told = told(&scene.take());
    assert!(told.starts_with("crashed: ") && told.contains("version"), "{told}");
    assert!(!scene.heard().contains("session/new"), "{}", scene.heard());
}

#[test]
fn an_agent_that_stays_after_its_turn_is_ended_and_its_reply_counts() {
    let mut scene = Scene::new(&script(&[&says(ENVELOPE), &ends("end_turn")])).with("STAND_STAYS", "1");
    scene.settings.linger = Some(1);
    let began = Instant::now();
    assert_eq!(told(&scene.take()), "done: hello");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let mut scene = Scene::new("");
    scene.settings.program = Some("/no/such/agent".to_owned());
    assert_eq!(
        told(&scene.take()),
        "crashed: `/no/such/agent` could not be started: no such file or directory (os error 2); install it, or write its path after `acp:`"
    );
}

#[test]
fn every_reason_to_stop_but_one_is_a_failure() {
    let kinds = ["max_tokens", "max_turn_requests", "refusal", "cancelled", "brand_new"].map(|reason| {
        let scene = Scene::new(&script(&[&says(ENVELOPE), &ends(reason)]));
        told(&scene.take())
    });
    insta::assert_snapshot!(kinds.join("\n"), @r"
    limit: stand-in: it wrote as much as its model may
    limit: stand-in: it asked its model as often as it may
    refused: stand-in: it will not go on with this
    stuck: stand-in: it broke off
    crashed: stand-in: it stopped: brand_new
    ");
}
