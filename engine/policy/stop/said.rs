//! The last lines of a transcript in, the last message of the agent out.
//!
//! Each agent writes its transcript in a way of its own, one JSON object a line; what belongs to a helper of the agent,
//! and what is only a copy for debugging, is not its message.

use serde_json::Value as Json;

/// Returns the last message with text in it; its blocks are joined by line ends.
///
/// A message may be spread over several lines that carry its id. The first line may be cut off.
pub fn last_message(lines: &str) -> Option<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut id: Option<String> = None;
    for line in lines.lines().rev() {
        // Reading a line costs far more than a glance at it, and most lines are not the agent's.
        if !line.contains("assistant") {
            continue;
        }
        let Some(message) = serde_json::from_str::<Json>(line).ok().and_then(message) else {
            continue;
        };
        let own = message.get("id").and_then(Json::as_str).map(str::to_owned);
        if !blocks.is_empty() && (own.is_none() || own != id) {
            break;
        }
        let mut more = texts(&message);
        if more.is_empty() {
            continue;
        }
        more.append(&mut blocks);
        blocks = more;
        id = own;
    }
    let text = blocks.join("\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Returns the message of a line, where it is the agent's own.
fn message(mut line: Json) -> Option<Json> {
    if line.get("isSidechain").and_then(Json::as_bool) == Some(true) {
        return None;
    }
    let is = |value: &Json, key: &str, word: &str| value.get(key).and_then(Json::as_str) == Some(word);
    if is(&line, "type", "assistant") || is(&line, "role", "assistant") {
        return match line.get_mut("message") {
            Some(message) => Some(message.take()),
            None => Some(line),
        };
    }
    let is_item = is(&line, "type", "response_item");
    let payload = line.get_mut("payload").filter(|_| is_item)?;
    let is_message = is(payload, "type", "message") && is(payload, "role", "assistant");
    is_message.then(|| payload.take())
}

/// Returns the texts of a message, whose content is text or a list of blocks.
fn texts(message: &Json) -> Vec<String> {
    match message.get("content") {
        Some(Json::String(text)) => vec![text.clone()],
        Some(Json::Array(blocks)) => {
            let is_text = |block: &&Json| matches!(block["type"].as_str(), Some("text" | "output_text"));
            let text = |block: &Json| block["text"].as_str().map(str::to_owned);
            blocks.iter().filter(is_text).filter_map(text).collect()
        }
        Some(_) | None => Vec::new(),
    }
}
