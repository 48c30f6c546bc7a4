//! The responses API of OpenAI.

use super::http::Question;
use super::scenario::Usage;
use super::talk::{Answer, Dialect, Event, Stream, Talk, blocks};
use super::tools::Tool;
use serde_json::{Value, json};

pub(super) struct Responses;

impl Dialect for Responses {
    fn talk(&self, question: &Question) -> Talk {
        let body = &question.body;
        let items = body["input"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut talk = Talk {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            system: body["instructions"].as_str().unwrap_or_default().to_owned(),
            messages: items.len(),
            streamed: body["stream"] == true,
            ..Talk::default()
        };
        if let Some(text) = body["input"].as_str() {
            talk.messages = 1;
            talk.hear(&[text]);
        }
        let tools = body["tools"].as_array().into_iter().flatten();
        talk.tools = tools
            .filter_map(|tool| {
                let name = tool["name"].as_str().or(tool["type"].as_str())?;
                Some(Tool {
                    free: tool["type"] == "custom",
                    ..Tool::new(name)
                })
            })
            .collect();
        for item in items {
            let kind = item["type"].as_str().unwrap_or("message");
            match (kind, item["role"].as_str()) {
                ("message", Some("user")) => hear(&mut talk, &blocks(&item["content"])),
                ("message", Some("developer" | "system")) => talk.instruct(&blocks(&item["content"]).join("\n")),
                ("message", _) => {}
                (kind, _) => talk.results += usize::from(kind.ends_with("_output")),
            }
        }
        talk
    }

    fn whole(&self, answer: &Answer) -> Value {
        let mut response = response(answer);
        response["status"] = "completed".into();
        response["output"] = items(answer).into();
        response["usage"] = usage(answer);
        response
    }

    fn stream(&self, answer: &Answer) -> Stream {
        let mut rest = Vec::new();
        for (index, item) in items(answer).into_iter().enumerate() {
            if item["type"] == "message" {
                speak(index, &item, &mut rest);
            } else {
                let added = json!({"output_index": index, "item": item});
                rest.push(Event::named("response.output_item.added", added));
            }
            let done = json!({"output_index": index, "item": item});
            rest.push(Event::named("response.output_item.done", done));
        }
        let completed = json!({"response": self.whole(answer)});
        rest.push(Event::named("response.completed", completed));
        Stream {
            opening: vec![Event::named("response.created", json!({"response": response(answer)}))],
            rest,
        }
    }

    fn refusal(&self, status: u16) -> Value {
        super::chat::refusal(status)
    }

    fn broken(&self, answer: &Answer, kind: &str) -> Event {
        let mut response = response(answer);
        response["status"] = "failed".into();
        response["error"] = json!({"code": kind, "message": "the script breaks off"});
        Event::named("response.failed", json!({"response": response}))
    }
}

/// Takes text of the user; the rules of a project come as a message of the user too.
fn hear(talk: &mut Talk, blocks: &[&str]) {
    if !blocks.iter().any(|block| block.starts_with("# AGENTS.md")) {
        talk.hear(blocks);
    }
}

fn response(answer: &Answer) -> Value {
    json!({
        "id": format!("resp_{}", answer.id),
        "object": "response",
        "created_at": 0,
        "model": answer.model,
        "status": "in_progress",
        "output": [],
        "usage": null,
    })
}

fn items(answer: &Answer) -> Vec<Value> {
    let text = answer.text.as_ref().map(|text| {
        json!({
            "type": "message",
            "id": format!("msg_{}", answer.id),
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        })
    });
    let call = answer.call.as_ref().map(|call| {
        let (kind, key) = match call.arguments {
            Value::String(_) => ("custom_tool_call", "input"),
            _ => ("function_call", "arguments"),
        };
        json!({
            "type": kind,
            "id": format!("fc_{}", answer.id),
            "call_id": format!("call_{}", answer.id),
            "status": "completed",
            "name": call.name,
            key: call.text(),
        })
    });
    text.into_iter().chain(call).collect()
}

/// Adds the events of a message, up to the one that says it is done.
fn speak(index: usize, item: &Value, events: &mut Vec<Event>) {
    let text = item["content"][0]["text"].as_str().unwrap_or_default();
    let mut begun = item.clone();
    begun["status"] = "in_progress".into();
    begun["content"] = json!([]);
    let at =
        |key: &str, value: Value| json!({"item_id": item["id"], "output_index": index, "content_index": 0, key: value});
    let added = json!({"output_index": index, "item": begun});
    events.push(Event::named("response.output_item.added", added));
    let empty = json!({"type": "output_text", "text": "", "annotations": []});
    events.push(Event::named("response.content_part.added", at("part", empty)));
    for half in Answer::halves(text) {
        events.push(Event::named("response.output_text.delta", at("delta", half.into())));
    }
    events.push(Event::named("response.output_text.done", at("text", text.into())));
    let part = item["content"][0].clone();
    events.push(Event::named("response.content_part.done", at("part", part)));
}

fn usage(answer: &Answer) -> Value {
    // This API counts what the cache had as a part of the input.
    let Usage {
        input,
        output,
        cached,
        stored,
    } = answer.usage;
    let input = input + cached + stored;
    json!({
        "input_tokens": input,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + output,
    })
}
