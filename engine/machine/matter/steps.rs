//! How far a document is: the steps its frontmatter lists as completed, numbers or names.

use super::entry::entries;
use super::{Change, Item, MatterError, head, set};
use crate::syntax::Value;
use std::collections::HashSet;

/// The key that BMAD uses.
const KEY: &str = "stepsCompleted";

/// Returns the steps that the frontmatter lists as completed; none where it lists nothing that can be read.
pub fn steps_completed(document: &str) -> Vec<Item> {
    let Some(head) = head(document) else { return Vec::new() };
    let body = &document[head.body];
    let entry = entries(body).into_iter().find(|entry| entry.key == KEY);
    let node = entry.and_then(|entry| Some(entry.read(&body[entry.lines.clone()]).ok()?.node));
    let items = node.iter().flat_map(|node| node.items());
    items
        .filter_map(|item| match &item.value {
            Value::Number(number) => Some(Item::Number(number.clone())),
            Value::Text(text) => Some(Item::Text(text.clone())),
            Value::Bool(_) | Value::Null | Value::List(_) | Value::Map(_) => None,
        })
        .collect()
}

/// Adds a step to those that are completed, in the words the list already has: its number, its file or its name.
pub fn complete(document: &str, label: &str, file_stem: Option<&str>) -> Result<String, MatterError> {
    complete_all(document, [(label, file_stem)])
}

/// The same for several steps, each with its label and its file, reading the document once.
pub fn complete_all<'a>(
    document: &str,
    steps: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
) -> Result<String, MatterError> {
    let listed = steps_completed(document);
    let mut last = listed.last().cloned();
    let mut known: HashSet<String> = listed.iter().map(|item| bare(item.text()).to_owned()).collect();
    let mut changes = Vec::new();
    for (label, file_stem) in steps {
        let Some(item) = spelled(last.as_ref(), label, file_stem) else {
            continue;
        };
        if known.insert(bare(item.text()).to_owned()) {
            changes.push((KEY, Change::AppendUnique(item.clone())));
            last = Some(item);
        }
    }
    if changes.is_empty() {
        return Ok(document.to_owned());
    }
    set(document, &changes)
}

/// Returns a step as a list has them that ends with `last`; none where a list of numbers cannot name its file.
fn spelled(last: Option<&Item>, label: &str, file_stem: Option<&str>) -> Option<Item> {
    Some(match (last, file_stem) {
        (Some(Item::Number(_)), Some(stem)) => match Item::of(label) {
            Item::Text(_) => Item::Number(number(stem)?),
            item => item,
        },
        (Some(Item::Number(_)), None) => Item::of(label),
        (Some(Item::Text(last)), Some(stem)) if has_extension(last) => Item::Text(format!("{stem}.md")),
        (Some(Item::Text(_)) | None, Some(stem)) => Item::Text(stem.to_owned()),
        (Some(Item::Text(_)), None) => Item::Text(label.to_owned()),
        (None, None) => Item::of(label),
    })
}

/// Reads the number of a step file: `step-03-users` is 3.
fn number(stem: &str) -> Option<String> {
    let is_digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let digits = stem.split(['-', '_']).find(is_digits)?;
    let number = digits.trim_start_matches('0');
    Some(if number.is_empty() { "0" } else { number }.to_owned())
}

fn bare(text: &str) -> &str {
    if has_extension(text) {
        &text[..text.len() - 3]
    } else {
        text
    }
}

fn has_extension(text: &str) -> bool {
    std::path::Path::new(text)
        .extension()
        .is_some_and(|extension| extension == "md")
}
