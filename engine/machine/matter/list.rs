//! A list in, the list with other items out: in brackets or one item a line, as it was.

use super::entry::{Entry, is_empty};
use super::scalar::{Quotes, anew, write};
use super::{Item, MatterError};
use crate::syntax::{Node, Value};

/// Writes a list in brackets.
pub(super) fn flow(items: &[Item], quotes: Quotes) -> String {
    let items: Vec<String> = items.iter().map(|item| write(item, quotes)).collect();
    format!("[{}]", items.join(", "))
}

/// Replaces the value of an entry by a list.
pub(super) fn replace(lines: &str, entry: &Entry, items: &[Item]) -> Result<String, MatterError> {
    let node = entry.read(lines)?.node;
    let old = node.items();
    let starts_same = old.len() <= items.len() && items.iter().zip(old).all(|(item, node)| item.is(node));
    if starts_same && matches!(node.value, Value::List(_)) {
        // Item by item, so that what people wrote beside the others stays.
        let mut lines = lines.to_owned();
        for item in &items[old.len()..] {
            let node = entry.read(&lines)?.node;
            lines = add(&lines, entry, &node, item)?;
        }
        return Ok(lines);
    }
    let quotes = quotes(lines, &node);
    let range = node.span.range();
    let written = lines.get(range.clone()).unwrap_or("");
    if written.starts_with('[') {
        let inner = if written.starts_with("[ ") && !items.is_empty() {
            " "
        } else {
            ""
        };
        let list = flow(items, quotes);
        let list = format!("[{inner}{}{inner}]", &list[1..list.len() - 1]);
        return Ok(format!("{}{list}{}", &lines[..range.start], &lines[range.end..]));
    }
    match block(lines, &node) {
        Some(dash) if !items.is_empty() => {
            let end = line_end(lines);
            let first = lines.split_inclusive('\n').next().unwrap_or(lines);
            let items = items.iter().map(|item| format!("{dash}{}{end}", write(item, quotes)));
            Ok(format!("{first}{}", items.collect::<String>()))
        }
        Some(_) | None => Ok(anew(lines, entry, &flow(items, quotes))),
    }
}

/// Adds an item to the list of an entry, where it is not there yet.
pub(super) fn append(lines: &str, entry: &Entry, item: &Item) -> Result<String, MatterError> {
    let node = entry.read(lines)?.node;
    match &node.value {
        Value::List(items) if items.iter().any(|node| item.is(node)) => Ok(lines.to_owned()),
        Value::List(_) => add(lines, entry, &node, item),
        Value::Null | Value::Text(_) if is_empty(&node) => replace(lines, entry, std::slice::from_ref(item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => Err(MatterError {
            line: entry.line,
            why: format!("`{}` is no list; make it one or take it out", entry.key),
        }),
    }
}

fn add(lines: &str, entry: &Entry, node: &Node, item: &Item) -> Result<String, MatterError> {
    let text = write(item, quotes(lines, node));
    let range = node.span.range();
    let in_brackets = lines.get(range.clone()).is_some_and(|written| written.starts_with('['));
    let Some(last) = node.items().last() else {
        return Ok(if in_brackets {
            format!("{}[{text}]{}", &lines[..range.start], &lines[range.end..])
        } else {
            anew(lines, entry, &format!("[{text}]"))
        });
    };
    if let Some(dash) = block(lines, node) {
        return Ok(format!("{lines}{dash}{text}{}", line_end(lines)));
    }
    let (Some(before), true) = (lines.get(..last.span.range().start), in_brackets) else {
        return Err(MatterError {
            line: entry.line,
            why: format!(
                "nothing can be added to `{}` as it is written; write one item a line",
                entry.key
            ),
        });
    };
    let at = last.span.range().end.min(lines.len());
    let between = match before.rsplit_once('\n') {
        // Items on lines of their own.
        Some((_, indent)) if indent.trim().is_empty() => format!(",{}{indent}", line_end(lines)),
        Some(_) | None => ", ".to_owned(),
    };
    Ok(format!("{}{between}{text}{}", &lines[..at], &lines[at..]))
}

/// Returns what stands before the last item of a list that has one item a line.
fn block<'a>(lines: &'a str, node: &Node) -> Option<&'a str> {
    let last = node.items().last()?;
    let before = lines.get(..last.span.range().start)?;
    let line = &before[before.rfind('\n')? + 1..];
    let is_dash = line.trim_start().starts_with('-') && line.trim().len() == 1;
    (is_dash && !lines.get(node.span.range())?.starts_with('[')).then_some(line)
}

/// Tells how the last text of a list is quoted.
fn quotes(lines: &str, node: &Node) -> Quotes {
    let mut texts = node
        .items()
        .iter()
        .rev()
        .filter(|item| matches!(item.value, Value::Text(_)));
    let written = texts.next().and_then(|item| lines.get(item.span.range()));
    written.map_or(Quotes::Plain, Quotes::of)
}

fn line_end(lines: &str) -> &'static str {
    if lines.ends_with("\r\n") { "\r\n" } else { "\n" }
}
