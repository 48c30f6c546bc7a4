//! What the scripted model says, heard over HTTP in every API.

use super::client::Heard;
use super::{Model, Scenario, Step, Usage};
use serde_json::{Value, json};

const CHAT: &str = "/v1/chat/completions";
const RESPONSES: &str = "/v1/responses";
const MESSAGES: &str = "/v1/messages?beta=true";
const GEMINI: &str = "/v1beta/models/gemini-2.5-flash:generateContent";
const GEMINI_STREAM: &str = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse";

/// A prompt for each API: its path, and the body that asks for a stream or not.
pub(super) fn prompts(prompt: &str, stream: bool) -> [(&'static str, Value); 4] {
    let messages = json!([{"role": "user", "content": prompt}]);
    let gemini = json!({"contents": [{"role": "user", "parts": [{"text": prompt}]}]});
    [
        (MESSAGES, json!({"model": "m", "stream": stream, "messages": messages})),
        (CHAT, json!({"model": "m", "stream": stream, "messages": messages})),
        (RESPONSES, json!({"model": "m", "stream": stream, "input": messages})),
        (if stream { GEMINI_STREAM } else { GEMINI }, gemini),
    ]
}

/// Returns the text of an answer that is one piece.
pub(super) fn said(path: &str, heard: &Heard) -> String {
    let pointer = match path {
        MESSAGES => "/content/0/text",
        CHAT => "/choices/0/message/content",
        RESPONSES => "/output/0/content/0/text",
        _ => "/candidates/0/content/parts/0/text",
    };
    let text = heard.json();
    text.pointer(pointer)
        .unwrap_or_else(|| panic!("{text}"))
        .as_str()
        .unwrap()
        .to_owned()
}

/// Returns the text of a stream.
fn streamed(path: &str, heard: &Heard) -> String {
    match path {
        MESSAGES => heard.texts("/delta/text"),
        CHAT => heard.texts("/choices/0/delta/content"),
        RESPONSES => heard.texts("/delta"),
        _ => heard.texts("/candidates/0/content/parts/0/text"),
    }
}

fn polite() -> Model {
    Model::start(Scenario::new().on("greet", [Step::text("good morning, Zoë")]))
}

#[test]
fn every_api_answers_in_one_piece() {
    let model = polite();
    for (path, body) in prompts("please greet me", false) {
        assert_eq!(said(path, &model.post(path, &body)), "good morning, Zoë", "{path}");
    }
}

#[test]
fn every_api_answers_as_a_stream_that_comes_to_its_end() {
    let model = polite();
    for (path, body) in prompts("please greet me", true) {
        let heard = model.post(path, &body);
        assert_eq!(streamed(path, &heard), "good morning, Zoë", "{path}");
        assert!(heard.complete, "{path}");
        assert!(heard.head.contains("text/event-stream"), "{path}");
    }
}

#[test]
fn a_prompt_without_a_rule_gets_the_answer_for_all_others() {
    let model = Model::start(
        Scenario::new()
            .on("greet", [Step::text("no")])
            .otherwise([Step::text("yes")]),
    );
    let [(path, body), ..] = prompts("something else", false);
    assert_eq!(said(path, &model.post(path, &body)), "yes");
}

#[test]
fn streams_end_with_the_events_that_clients_wait_for() {
    let model = polite();
    for ((path, body), end) in prompts("greet", true).into_iter().zip([
        "message_stop",
        "[DONE]",
        "response.completed",
        "\"finishReason\":\"STOP\"",
    ]) {
        let heard = model.post(path, &body);
        let last = heard.body.trim_end().lines().last().unwrap();
        assert!(last.contains(end), "{path}: {last}");
    }
}

/// A conversation with a tool for files and this many results, for each API.
fn with_results(results: usize) -> [(&'static str, Value); 4] {
    let [anthropic, chat, responses, gemini] = prompts("make it", false);
    let mut all = [anthropic, chat, responses, gemini];
    all[0].1["tools"] = json!([{"name": "Write"}]);
    all[1].1["tools"] = json!([{"type": "function", "function": {"name": "write"}}]);
    all[2].1["tools"] = json!([{"type": "custom", "name": "apply_patch"}, {"type": "web_search"}]);
    all[3].1["tools"] = json!([{"functionDeclarations": [{"name": "write_file"}]}]);
    let results_of = [
        (
            "messages",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}),
        ),
        (
            "messages",
            json!({"role": "tool", "tool_call_id": "a", "content": "ok"}),
        ),
        (
            "input",
            json!({"type": "custom_tool_call_output", "call_id": "a", "output": "ok"}),
        ),
        (
            "contents",
            json!({"role": "user", "parts": [{"functionResponse": {"name": "write_file"}}]}),
        ),
    ];
    for (conversation, (key, result)) in all.iter_mut().zip(results_of) {
        let messages = conversation.1[key].as_array_mut().unwrap();
        messages.extend(std::iter::repeat_n(result, results));
    }
    all
}

fn maker() -> Model {
    let write = Step::write("/tmp/a.txt", "hello\n").saying("I write it");
    Model::start(Scenario::new().on("make", [write, Step::text("written")]))
}

#[test]
fn a_file_is_written_by_the_tool_that_each_client_declares() {
    let model = maker();
    let calls = [
        ("/content/1/name", "Write"),
        ("/choices/0/message/tool_calls/0/function/name", "write"),
        ("/output/1/name", "apply_patch"),
        ("/candidates/0/content/parts/1/functionCall/name", "write_file"),
    ];
    for ((path, body), (pointer, name)) in with_results(0).into_iter().zip(calls) {
        let heard = model.post(path, &body);
        assert_eq!(heard.json().pointer(pointer), Some(&json!(name)), "{path}");
        assert_eq!(said(path, &heard), "I write it", "{path}");
    }
}

#[test]
fn a_streamed_call_carries_its_arguments() {
    let model = maker();
    let pointers = [
        "/delta/partial_json",
        "/choices/0/delta/tool_calls/0/function/arguments",
        "/item/input",
        "/candidates/0/content/parts/0/functionCall/args/content",
    ];
    for ((path, mut body), pointer) in with_results(0).into_iter().zip(pointers) {
        body["stream"] = true.into();
        let path = if path == GEMINI { GEMINI_STREAM } else { path };
        assert!(model.post(path, &body).texts(pointer).contains("hello"), "{path}");
    }
}

#[test]
fn the_step_is_the_number_of_results_since_the_prompt() {
    let model = maker();
    for _again in 0..2 {
        for (path, body) in with_results(1) {
            assert_eq!(said(path, &model.post(path, &body)), "written", "{path}");
        }
    }
}

#[test]
fn a_new_prompt_starts_its_own_count_of_results() {
    let model = polite();
    for ((path, mut body), key) in with_results(3)
        .into_iter()
        .zip(["messages", "messages", "input", "contents"])
    {
        let next = json!({"role": "user", "content": "greet", "parts": [{"text": "greet"}]});
        body[key].as_array_mut().unwrap().push(next);
        assert_eq!(said(path, &model.post(path, &body)), "good morning, Zoë", "{path}");
        let request = model.requests().pop().unwrap();
        assert_eq!((request.results, request.messages), (0, 5), "{path}");
    }
}

#[test]
fn a_script_that_ends_with_a_call_says_done_to_its_result() {
    let model = Model::start(Scenario::new().otherwise([Step::shell("ls")]));
    let [(path, body), ..] = with_results(1);
    assert_eq!(said(path, &model.post(path, &body)), "done");
}

#[test]
fn a_tool_is_called_by_its_name_as_the_script_says() {
    let step = Step::call("mcp__echo__echo", json!({"text": "hi"}));
    let model = Model::start(Scenario::new().otherwise([step]));
    let [(path, body), ..] = prompts("go", false);
    let call = &model.post(path, &body).json()["content"][0];
    assert_eq!(
        (&call["name"], &call["input"]),
        (&json!("mcp__echo__echo"), &json!({"text": "hi"}))
    );
}

#[test]
fn a_structured_answer_is_a_call_where_there_is_a_tool_for_it_and_text_elsewhere() {
    let model = Model::start(Scenario::new().otherwise([Step::structured(json!({"age": 3}))]));
    let [(path, mut body), ..] = prompts("go", false);
    assert_eq!(said(path, &model.post(path, &body)), r#"{"age":3}"#);
    body["tools"] = json!([{"name": "StructuredOutput"}]);
    let call = &model.post(path, &body).json()["content"][0];
    assert_eq!(
        (&call["name"], &call["input"]),
        (&json!("StructuredOutput"), &json!({"age": 3}))
    );
}

#[test]
fn tokens_are_counted_as_the_scenario_or_the_step_says() {
    let of = |input| Usage {
        input,
        output: 7,
        cached: 5,
        stored: 2,
    };
    let scenario = Scenario::new()
        .usage(of(10))
        .on("dear", [Step::text("x").usage(of(90))]);
    let model = Model::start(scenario);
    let pointers = [
        "/usage/input_tokens",
        "/usage/prompt_tokens",
        "/usage/input_tokens",
        "/usageMetadata/promptTokenCount",
    ];
    // Three of the four count what the cache had, and has from now on, as a part of the input.
    for (prompt, alone) in [("cheap", 10), ("dear", 90)] {
        let counts = prompts(prompt, false)
            .into_iter()
            .zip(pointers)
            .map(|((path, body), pointer)| {
                let text = model.post(path, &body).json();
                text.pointer(pointer).unwrap().as_u64().unwrap()
            });
        assert_eq!(counts.collect::<Vec<_>>(), [alone, alone + 7, alone + 7, alone + 7]);
    }
}
