//! What is asked of an agent in a turn: the conversation, the mode, the model, permission.

use super::{Scene, told};
use bmad::host::{Permission, Spent};
use serde_json::Value as Json;

const OLD: &str = r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"{\"text\": \"old\"}"}}}}"#;
const NEW: &str = r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"{\"text\": \"new\"}"}}}}"#;
const COST: &str = r#"0 < {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1.5,"currency":"USD"}}}}"#;
const END: &str = r#"0 < {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#;
const MODES: &str = r#""modes":{"currentModeId":"default","availableModes":[{"id":"default"},{"id":"plan"},{"id":"acceptEdits"}]},"models":{"currentModelId":"small","availableModels":[{"modelId":"small"},{"modelId":"large"}]}"#;

fn script(abilities: &str, load: &[&str], prompt: &[&str]) -> String {
    let greeting = format!(
        r#"0 < {{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":1,"agentCapabilities":{abilities},"agentInfo":{{"name":"stand-in"}}}}}}"#
    );
    let begun = format!(r#"0 < {{"jsonrpc":"2.0","id":2,"result":{{"sessionId":"s1",{MODES}}}}}"#);
    let mut lines = vec![r#"0 > {"id":1,"method":"initialize"}"#, &greeting];
    lines.extend([r#"0 > {"id":2,"method":"session/new"}"#, &begun]);
    lines.extend(load);
    lines.push(r#"0 > {"id":3,"method":"session/prompt"}"#);
    lines.extend(prompt);
    lines.join("\n")
}

fn load(result: &str) -> [String; 3] {
    let answer = format!(r#"0 < {{"jsonrpc":"2.0","id":9,{result}}}"#);
    [
        r#"0 > {"id":9,"method":"session/load"}"#.to_owned(),
        OLD.to_owned(),
        answer,
    ]
}

/// Returns the methods that the stand-in was asked for, with one value of each.
fn asked(scene: &Scene, key: &str) -> Vec<String> {
    let heard = scene.heard();
    let lines = heard.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let asked = lines.filter_map(|line| {
        let value = line["params"][key].as_str().unwrap_or("-").to_owned();
        Some(format!("{} {value}", line["method"].as_str()?))
    });
    asked.collect()
}

#[test]
fn what_is_replayed_of_a_conversation_is_no_part_of_the_reply() {
    let load = load(r#""result":{}"#);
    let mut scene = Scene::new(&script(
        r#"{"loadSession":true}"#,
        &load.each_ref().map(String::as_str),
        &[NEW, END],
    ));
    scene.turn.session.resume = Some("s1".to_owned());
    let call = scene.take();
    assert_eq!(told(&call), "done: new");
    assert_eq!(call.session.as_deref(), Some("s1"));
    assert!(!scene.heard().contains("session/new"));
    let empty = script(r#"{"loadSession":true}"#, &load.each_ref().map(String::as_str), &[END]);
    let mut scene = Scene::new(&empty);
    scene.turn.session.resume = Some("s1".to_owned());
    assert_eq!(told(&scene.take()), "malformed: the reply is empty");
}

#[test]
fn a_conversation_that_is_lost_is_begun_anew_and_that_is_said() {
    let load =
        load(r#""error":{"code":-32603,"message":"Internal error","data":{"details":"Invalid session identifier"}}"#);
    let mut scene = Scene::new(&script(
        r#"{"loadSession":true}"#,
        &load.each_ref().map(String::as_str),
        &[NEW, END],
    ));
    scene.turn.session.resume = Some("gone".to_owned());
    let call = scene.take();
    assert_eq!(told(&call), "done: new");
    assert_eq!(call.session.as_deref(), Some("s1"));
    assert_eq!(call.notes, ["the conversation before was lost; a new one was begun"]);
}

#[test]
fn an_agent_that_wants_a_login_is_not_given_a_new_conversation() {
    let load = load(r#""error":{"code":-32000,"message":"Authentication required"}"#);
    let mut scene = Scene::new(&script(
        r#"{"loadSession":true}"#,
        &load.each_ref().map(String::as_str),
        &[NEW, END],
    ));
    scene.turn.session.resume = Some("s1".to_owned());
    assert_eq!(told(&scene.take()), "auth: stand-in: Authentication required");
    assert!(!scene.heard().contains("session/new"));
}

#[test]
fn an_agent_that_can_only_resume_resumes_and_one_that_can_neither_says_so() {
    let mut scene = Scene::new(&script(
        r#"{"loadSession":false,"sessionCapabilities":{"resume":{}}}"#,
        &[],
        &[NEW, END],
    ));
    scene.turn.session.resume = Some("s1".to_owned());
    assert_eq!(told(&scene.take()), "done: new");
    assert!(asked(&scene, "sessionId").contains(&"session/resume s1".to_owned()));
    let mut scene = Scene::new(&script("{}", &[], &[NEW, END]));
    scene.turn.session.resume = Some("s1".to_owned());
    let call = scene.take();
    assert_eq!(told(&call), "done: new");
    assert_eq!(
        call.notes,
        ["it cannot go on with an earlier conversation; a new one was begun"]
    );
}

#[test]
fn the_mode_and_the_model_are_set_before_the_prompt_and_the_session_is_closed_after_it() {
    let mut scene = Scene::new(&script(r#"{"sessionCapabilities":{"close":{}}}"#, &[], &[NEW, END])).reading();
    scene.turn.task.model = Some("large".to_owned());
    assert_eq!(told(&scene.take()), "done: new");
    assert_eq!(
        asked(&scene, "modeId"),
        [
            "initialize -",
            "session/new -",
            "session/set_mode plan",
            "session/set_model -",
            "session/prompt -",
            "session/close -"
        ]
    );
}

#[test]
fn a_model_that_is_not_offered_is_named() {
    let mut scene = Scene::new(&script("{}", &[], &[NEW, END]));
    scene.turn.task.model = Some("huge".to_owned());
    let call = scene.take();
    assert_eq!(
        call.notes,
        ["the model `huge` could not be chosen; it answers with its own"]
    );
}

#[test]
fn what_was_not_allowed_is_named_and_a_turn_without_a_reply_failed_of_it() {
    let wish = r#"0 < {"jsonrpc":"2.0","id":5,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t","kind":"execute","title":"run","rawInput":{"command":"rm -rf x"}},"options":[{"optionId":"y","kind":"allow_once"},{"optionId":"n","kind":"reject_once"}]}}"#;
    let mut scene = Scene::new(&script("{}", &[], &[wish, END]));
    scene.settings.permission = Permission::Edit;
    let call = scene.take();
    assert_eq!(told(&call), "denied: stand-in was not allowed: execute `rm -rf x`");
    assert!(scene.heard().contains(r#""optionId":"n""#), "{}", scene.heard());
    scene.settings.allow = vec!["rm *".to_owned()];
    let call = scene.take();
    assert_eq!(told(&call), "malformed: the reply is empty");
    assert!(scene.heard().contains(r#""optionId":"y""#), "{}", scene.heard());
}

#[test]
fn what_a_conversation_cost_before_is_taken_off() {
    let mut scene = Scene::new(&script("{}", &[], &[COST, NEW, END]));
    assert_eq!(scene.take().spent.cost, Some(1.5));
    scene.turn.session.counted = Spent {
        cost: Some(1.25),
        ..Spent::default()
    };
    assert_eq!(scene.take().spent.cost, Some(0.25));
}
