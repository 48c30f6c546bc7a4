//! The messages API of Anthropic.

use super::http::Question;
use super::scenario::Usage;
use super::talk::{Answer, Dialect, Event, Stream, Talk, blocks};
use super::tools::Tool;
use serde_json::{Value, json};

pub(super) struct Anthropic;

impl Dialect for Anthropic {
    fn talk(&self, question: &Question) -> Talk {
        let body = &question.body;
        let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut talk = Talk {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            system: blocks(&body["system"]).join("\n"),
            messages: messages.len(),
            streamed: body["stream"] == true,
            ..Talk::default()
        };
        let tools = body["tools"].as_array().into_iter().flatten();
        talk.tools = tools
            .filter_map(|tool| Some(Tool::new(tool["name"].as_str()?)))
            .collect();
        for message in messages {
            match (message["role"].as_str(), &message["content"]) {
                (Some("user"), Value::String(text)) => talk.hear(&[text]),
                (Some("user"), content) => {
                    // A prompt that failed shares a message with the next one, and results with what follows them.
                    for part in content.as_array().into_iter().flatten() {
                        match part["type"].as_str() {
                            Some("tool_result") => talk.results += 1,
                            Some("text") => talk.hear(&[part["text"].as_str().unwrap_or_default()]),
                            _ => {}
                        }
                    }
                }
                (Some("system"), content) => talk.instruct(&blocks(content).join("\n")),
                _ => {}
            }
        }
        talk
    }

    fn whole(&self, answer: &Answer) -> Value {
        let mut message = message(answer);
        message["content"] = parts(answer).into();
        message["stop_reason"] = stop(answer).into();
        message["usage"]["output_tokens"] = answer.usage.output.into();
        message
    }

    fn stream(&self, answer: &Answer) -> Stream {
        let opening = vec![
            Event::named("message_start", json!({"message": message(answer)})),
            Event::named("ping", json!({})),
        ];
        let mut rest = Vec::new();
        for (index, part) in parts(answer).into_iter().enumerate() {
            let (empty, deltas) = in_deltas(part);
            let start = json!({"index": index, "content_block": empty});
            rest.push(Event::named("content_block_start", start));
            for delta in deltas {
                let delta = json!({"index": index, "delta": delta});
                rest.push(Event::named("content_block_delta", delta));
            }
            rest.push(Event::named("content_block_stop", json!({"index": index})));
        }
        let end = json!({
            "delta": {"stop_reason": stop(answer), "stop_sequence": null},
            "usage": {"output_tokens": answer.usage.output},
        });
        rest.push(Event::named("message_delta", end));
        rest.push(Event::named("message_stop", json!({})));
        Stream { opening, rest }
    }

    fn refusal(&self, status: u16) -> Value {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        json!({"type": "error", "error": {"type": kind, "message": "the script refuses"}})
    }

    fn broken(&self, _: &Answer, kind: &str) -> Event {
        let error = json!({"type": kind, "message": "the script breaks off"});
        Event::named("error", json!({"error": error}))
    }
}

fn message(answer: &Answer) -> Value {
    let Usage {
        input, cached, stored, ..
    } = answer.usage;
    json!({
        "id": format!("msg_{}", answer.id),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": input,
            "cache_creation_input_tokens": stored,
            "cache_read_input_tokens": cached,
            "output_tokens": 1,
        },
    })
}

fn parts(answer: &Answer) -> Vec<Value> {
    let text = answer.text.as_ref();
    let text = text.map(|text| json!({"type": "text", "text": text}));
    let call = answer.call.as_ref().map(|call| {
        json!({
            "type": "tool_use",
            "id": format!("toolu_{}", answer.id),
            "name": call.name,
            "input": call.arguments,
        })
    });
    text.into_iter().chain(call).collect()
}

/// Splits a part into what it starts as and what is then added to it.
fn in_deltas(mut part: Value) -> (Value, Vec<Value>) {
    if part["type"] == "text" {
        let text = part["text"].take();
        part["text"] = "".into();
        let halves = Answer::halves(text.as_str().unwrap_or_default());
        let delta = |half| json!({"type": "text_delta", "text": half});
        return (part, halves.map(delta).into());
    }
    let input = part["input"].take();
    part["input"] = json!({});
    let delta = json!({"type": "input_json_delta", "partial_json": input.to_string()});
    (part, vec![delta])
}

fn stop(answer: &Answer) -> &'static str {
    if answer.call.is_some() { "tool_use" } else { "end_turn" }
}
