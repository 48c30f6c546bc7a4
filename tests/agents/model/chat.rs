//! The chat completions API of OpenAI.

use super::http::Question;
use super::scenario::Usage;
use super::talk::{Answer, Dialect, Event, Stream, Talk, blocks};
use super::tools::Tool;
use serde_json::{Value, json};

pub(super) struct Chat;

impl Dialect for Chat {
    fn talk(&self, question: &Question) -> Talk {
        let body = &question.body;
        let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut talk = Talk {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            messages: messages.len(),
            streamed: body["stream"] == true,
            ..Talk::default()
        };
        let tools = body["tools"].as_array().into_iter().flatten();
        talk.tools = tools
            .filter_map(|tool| Some(Tool::new(tool["function"]["name"].as_str()?)))
            .collect();
        for message in messages {
            let said = blocks(&message["content"]);
            match message["role"].as_str() {
                Some("system" | "developer") => talk.instruct(&said.join("\n")),
                Some("user") => talk.hear(&said),
                Some("tool") => talk.results += 1,
                _ => {}
            }
        }
        talk
    }

    fn whole(&self, answer: &Answer) -> Value {
        let mut message = json!({"role": "assistant", "content": answer.text});
        if let Some(call) = call(answer) {
            message["tool_calls"] = json!([call]);
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": finish(answer)});
        json!({
            "id": format!("chatcmpl-{}", answer.id),
            "object": "chat.completion",
            "created": 0,
            "model": answer.model,
            "choices": [choice],
            "usage": usage(answer),
        })
    }

    fn stream(&self, answer: &Answer) -> Stream {
        let delta = |delta: Value, finish: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
            Event::plain(&chunk(answer, json!([choice]), Value::Null))
        };
        let opening = vec![delta(json!({"role": "assistant", "content": ""}), Value::Null)];
        let mut rest = Vec::new();
        for half in answer.text.as_deref().into_iter().flat_map(Answer::halves) {
            rest.push(delta(json!({"content": half}), Value::Null));
        }
        if let Some(mut call) = call(answer) {
            call["index"] = 0.into();
            rest.push(delta(json!({"tool_calls": [call]}), Value::Null));
        }
        rest.push(delta(json!({}), finish(answer).into()));
        rest.push(Event::plain(&chunk(answer, json!([]), usage(answer))));
        rest.push(Event {
            name: None,
            payload: "[DONE]".to_owned(),
        });
        Stream { opening, rest }
    }

    fn refusal(&self, status: u16) -> Value {
        refusal(status)
    }

    fn broken(&self, _: &Answer, kind: &str) -> Event {
        let error = json!({"type": kind, "code": kind, "message": "the script breaks off"});
        Event::plain(&json!({"error": error}))
    }
}

/// Writes the body of a refusal, which both APIs of OpenAI have in common.
pub(super) fn refusal(status: u16) -> Value {
    let (kind, code) = match status {
        400 => ("invalid_request_error", None),
        401 => ("authentication_error", Some("invalid_api_key")),
        403 => ("permission_error", None),
        429 => ("rate_limit_error", Some("rate_limit_exceeded")),
        _ => ("server_error", None),
    };
    json!({"error": {"message": "the script refuses", "type": kind, "code": code}})
}

fn chunk(answer: &Answer, choices: Value, usage: Value) -> Value {
    json!({
        "id": format!("chatcmpl-{}", answer.id),
        "object": "chat.completion.chunk",
        "created": 0,
        "model": answer.model,
        "choices": choices,
        "usage": usage,
    })
}

fn call(answer: &Answer) -> Option<Value> {
    let call = answer.call.as_ref()?;
    Some(json!({
        "id": format!("call_{}", answer.id),
        "type": "function",
        "function": {"name": call.name, "arguments": call.text()},
    }))
}

fn finish(answer: &Answer) -> &'static str {
    if answer.call.is_some() { "tool_calls" } else { "stop" }
}

fn usage(answer: &Answer) -> Value {
    // This API counts what the cache had as a part of the prompt.
    let Usage {
        input,
        output,
        cached,
        stored,
    } = answer.usage;
    let input = input + cached + stored;
    json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": cached},
    })
}
