//! How the scripted model refuses, breaks off and says nothing, and what it remembers of what it was asked.

use super::answers::{prompts, said};
use super::client::heard;
use super::{Model, Scenario, Step};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn always(step: Step) -> Model {
    Model::start(Scenario::new().otherwise([step]))
}

#[test]
fn a_refusal_has_the_status_and_the_body_of_its_api() {
    let model = always(Step::fault(429));
    let places = [
        ("/error/type", "rate_limit_error"),
        ("/error/code", "rate_limit_exceeded"),
        ("/error/code", "rate_limit_exceeded"),
        ("/error/status", "RESOURCE_EXHAUSTED"),
    ];
    for ((path, body), (pointer, kind)) in prompts("go", true).into_iter().zip(places) {
        let heard = model.post(path, &body);
        assert_eq!(heard.status, 429, "{path}");
        assert_eq!(heard.json().pointer(pointer), Some(&json!(kind)), "{path}");
    }
}

#[test]
fn a_refusal_may_bring_its_own_body_and_headers() {
    let model = always(Step::fault(429).header("retry-after", "7").body(json!({"mine": true})));
    let [(path, body), ..] = prompts("go", true);
    let heard = model.post(path, &body);
    assert_eq!(heard.json(), json!({"mine": true}));
    assert!(heard.head.contains("retry-after: 7\r\n") || heard.head.ends_with("retry-after: 7"));
}

#[test]
fn faults_end_after_as_many_times_as_the_script_says() {
    let last = Step::fault(500).times(1, Step::text("well again"));
    let model = always(Step::fault(429).times(2, last));
    let [(path, body), ..] = prompts("go", false);
    let heard = [(); 5].map(|()| model.post(path, &body));
    assert_eq!(heard.each_ref().map(|heard| heard.status), [429, 429, 500, 200, 200]);
    assert_eq!(said(path, &heard[4]), "well again");
}

#[test]
fn a_question_without_tools_does_not_use_up_the_faults_of_one_with_tools() {
    let model = always(Step::fault(429).times(1, Step::text("well again")));
    let [(path, title), ..] = prompts("go", false);
    let mut body = title.clone();
    body["tools"] = json!([{"name": "Write"}]);
    let statuses = [&title, &body, &body].map(|body| model.post(path, body).status);
    assert_eq!(statuses, [429, 429, 200]);
}

#[test]
fn a_cut_answer_never_comes_to_its_end() {
    let model = always(Step::cut());
    for stream in [true, false] {
        for (path, body) in prompts("go", stream) {
            let heard = model.post(path, &body);
            assert!(!heard.complete, "{path}");
            assert!(!heard.body.is_empty(), "{path}");
        }
    }
}

#[test]
fn a_malformed_answer_is_complete_and_no_json() {
    let model = always(Step::malformed());
    for stream in [true, false] {
        for (path, body) in prompts("go", stream) {
            let heard = model.post(path, &body);
            assert!(heard.complete && heard.body.contains("{this is no JSON"), "{path}");
        }
    }
}

#[test]
fn an_error_comes_in_the_middle_of_a_stream() {
    let model = always(Step::broken("overloaded_error"));
    let pointers = ["/error/type", "/error/type", "/response/error/code", "/error/status"];
    for ((path, body), pointer) in prompts("go", true).into_iter().zip(pointers) {
        let events = model.post(path, &body).events();
        let last = events.last().unwrap();
        assert_eq!(last.pointer(pointer), Some(&json!("overloaded_error")), "{path}");
        assert!(events.len() > 1, "{path}");
    }
}

#[test]
fn an_error_is_a_status_where_there_is_no_stream() {
    let model = always(Step::broken("overloaded_error"));
    for (path, body) in prompts("go", false) {
        assert_eq!(model.post(path, &body).status, 500, "{path}");
    }
}

#[test]
fn a_model_that_hangs_begins_an_answer_and_lets_go_when_it_is_dropped() {
    let model = always(Step::hang());
    let [(path, body), ..] = prompts("go", true);
    let mut stream = model.dial("POST", path, &body);
    let mut begin = [0; 400];
    stream.read_exact(&mut begin).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    while let Ok(count) = stream.read(&mut begin) {
        assert_ne!(count, 0, "the answer ended");
    }
    drop(model);
    let mut rest = Vec::new();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.read_to_end(&mut rest).unwrap();
    assert!(!String::from_utf8(rest).unwrap().contains("0\r\n\r\n"));
}

#[test]
fn an_answer_waits_as_long_as_the_script_says() {
    let model = always(Step::text("slow").after(Duration::from_millis(200)));
    let [(path, body), ..] = prompts("go", false);
    let start = Instant::now();
    assert_eq!(said(path, &model.post(path, &body)), "slow");
    assert!(start.elapsed() >= Duration::from_millis(200));
}

#[test]
fn one_connection_carries_several_questions_also_in_chunks() {
    let model = always(Step::text("yes"));
    let mut stream = TcpStream::connect(model.url.trim_start_matches("http://")).unwrap();
    let body = r#"{"messages":[{"role":"user","content":"hi"}]}"#;
    let (first, second) = body.split_at(10);
    write!(
        stream,
        "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n\
         HEAD / HTTP/1.1\r\n\r\nGET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n",
        first.len(),
        second.len()
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 3);
    assert_eq!(model.requests()[0].prompt, "hi");
    assert_eq!(model.others(), ["HEAD /", "GET /v1/models"]);
}

#[test]
fn what_is_asked_beside_conversations_is_answered_and_noted() {
    let model = always(Step::text("yes"));
    let tokens = model.post("/v1/messages/count_tokens?beta=true", &json!({}));
    assert_eq!(tokens.json(), json!({"input_tokens": 1000}));
    let tokens = model.post("/v1beta/models/m:countTokens", &json!({}));
    assert_eq!(tokens.json(), json!({"totalTokens": 1000}));
    assert_eq!(model.ask("GET", "/v1/responses", &json!({})).status, 404);
    assert_eq!(model.requests().len(), 0);
    assert_eq!(model.others()[2], "GET /v1/responses");
}

#[test]
fn a_conversation_is_noted_with_all_that_a_test_may_ask() {
    let model = always(Step::text("yes"));
    let body = json!({
        "model": "opus",
        "system": [{"type": "text", "text": "be kind"}],
        "tools": [{"name": "Write"}, {"name": "Bash"}],
        "messages": [
            {"role": "user", "content": "first"},
            {"role": "system", "content": "and brief"},
            {"role": "user", "content": [
                {"type": "text", "text": "the one that failed"},
                {"type": "text", "text": "second <system-reminder>not the person</system-reminder>"},
                {"type": "text", "text": "<system-reminder>nor this</system-reminder>"},
            ]},
        ],
    });
    model.post("/v1/messages?beta=true", &body);
    let request = model.requests().pop().unwrap();
    assert_eq!(request.path, "/v1/messages?beta=true");
    assert_eq!(
        (request.model.as_str(), request.system.as_str()),
        ("opus", "be kind\nand brief")
    );
    assert_eq!((request.prompt.as_str(), request.messages), ("second", 3));
    assert_eq!(request.tools, ["Write", "Bash"]);
    assert_eq!(request.body, body);
    assert!(request.at < Duration::from_secs(60));
}

#[test]
fn the_rules_of_a_project_and_the_surroundings_are_no_prompt() {
    let model = always(Step::text("yes"));
    let body = json!({"instructions": "base", "input": [
        {"role": "developer", "content": [{"type": "input_text", "text": "more"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "the prompt"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "# AGENTS.md instructions"}]},
        {"role": "user", "content": [{"type": "input_text", "text": "<environment_context>x</environment_context>"}]},
    ]});
    model.post("/v1/responses", &body);
    let request = model.requests().pop().unwrap();
    assert_eq!(
        (request.prompt.as_str(), request.system.as_str()),
        ("the prompt", "base\nmore")
    );
    model.post("/v1/responses", &json!({"input": "short"}));
    assert_eq!(model.requests()[1].prompt, "short");
}

#[test]
fn a_client_hears_whether_an_answer_was_complete() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 4";
    assert!(heard(&format!("{head}\r\n\r\nfour")).complete);
    assert!(!heard(&format!("{head}\r\n\r\ntwo")).complete);
    let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked";
    assert!(heard(&format!("{head}\r\n\r\n2\r\nab\r\n0\r\n\r\n")).complete);
    assert!(!heard(&format!("{head}\r\n\r\n2\r\nab\r\n")).complete);
}
