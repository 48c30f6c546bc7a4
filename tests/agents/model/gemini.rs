//! The content API of Gemini, where the path names the model and how the answer is wanted.

use super::http::Question;
use super::scenario::Usage;
use super::talk::{Answer, Dialect, Event, Stream, Talk, blocks};
use super::tools::Tool;
use serde_json::{Value, json};

pub(super) struct Gemini;

impl Dialect for Gemini {
    fn talk(&self, question: &Question) -> Talk {
        let body = &question.body;
        let contents = body["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
        let place = question.place();
        let model = place.split_once("/models/").map_or("", |(_, after)| after);
        let mut talk = Talk {
            model: model.split(':').next().unwrap_or_default().to_owned(),
            system: blocks(&body["systemInstruction"]["parts"]).join("\n"),
            messages: contents.len(),
            streamed: place.ends_with(":streamGenerateContent"),
            ..Talk::default()
        };
        let sets = body["tools"].as_array().into_iter().flatten();
        let tools = sets.filter_map(|set| set["functionDeclarations"].as_array());
        talk.tools = tools
            .flatten()
            .filter_map(|tool| Some(Tool::new(tool["name"].as_str()?)))
            .collect();
        for content in contents.iter().filter(|content| content["role"] != "model") {
            for part in content["parts"].as_array().into_iter().flatten() {
                talk.results += usize::from(part["functionResponse"].is_object());
                if let Some(text) = part["text"].as_str() {
                    talk.hear(&[text]);
                }
            }
        }
        talk
    }

    fn whole(&self, answer: &Answer) -> Value {
        content(answer, parts(answer), Some("STOP"))
    }

    fn stream(&self, answer: &Answer) -> Stream {
        let mut pieces = Vec::new();
        for part in parts(answer) {
            match part["text"].as_str() {
                Some(text) => pieces.extend(Answer::halves(text).map(|half| json!({"text": half}))),
                None => pieces.push(part),
            }
        }
        let last = pieces.len() - 1;
        let event = |(at, piece)| {
            let finish = (at == last).then_some("STOP");
            Event::plain(&content(answer, vec![piece], finish))
        };
        Stream {
            opening: Vec::new(),
            rest: pieces.into_iter().enumerate().map(event).collect(),
        }
    }

    fn refusal(&self, status: u16) -> Value {
        let name = match status {
            400 => "INVALID_ARGUMENT",
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            _ => "INTERNAL",
        };
        json!({"error": {"code": status, "message": "the script refuses", "status": name}})
    }

    fn broken(&self, _: &Answer, kind: &str) -> Event {
        let error = json!({"code": 500, "message": "the script breaks off", "status": kind});
        Event::plain(&json!({"error": error}))
    }
}

fn parts(answer: &Answer) -> Vec<Value> {
    let text = answer.text.as_ref().map(|text| json!({"text": text}));
    let call = answer.call.as_ref().map(|call| {
        let id = format!("call_{}", answer.id);
        json!({"functionCall": {"name": call.name, "args": call.arguments, "id": id}})
    });
    text.into_iter().chain(call).collect()
}

fn content(answer: &Answer, parts: Vec<Value>, finish: Option<&str>) -> Value {
    let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    // This API counts what the cache had as a part of the prompt.
    let Usage {
        input,
        output,
        cached,
        stored,
    } = answer.usage;
    let input = input + cached + stored;
    json!({
        "candidates": [candidate],
        "modelVersion": answer.model,
        "responseId": answer.id,
        "usageMetadata": {
            "promptTokenCount": input,
            "candidatesTokenCount": output,
            "totalTokenCount": input + output,
            "cachedContentTokenCount": cached,
        },
    })
}
