//! The text of an answers file and one answer in, the text with the answer in its place out.
//!
//! The file is changed line by line, so that comments stay; what came out is read again before anyone relies on it.

use super::answers::{Answers, AnswersError};
use super::blank::KNOWN;
use crate::machine::escape::yaml_scalar;

/// Why an answer was not written into an answers file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfilled {
    /// The file does not have the question.
    Unknown,
    /// Each place of the question has an answer.
    Full,
    /// The file is written in a way that only a person can add to.
    Strange,
    /// The file cannot be read.
    Broken(AnswersError),
}

/// Writes an answer to a question behind its id, or into the next open place of its list. `path` is what messages
/// call the file.
///
/// Where the question has only one place, a new answer takes the place of the old one.
pub fn fill(text: &str, path: &str, id: &str, answer: &str) -> Result<String, Unfilled> {
    let before = Answers::parse(text, path).map_err(Unfilled::Broken)?;
    let lines: Vec<&str> = text.lines().collect();
    let Some(places) = places_of(&lines, id) else {
        return Err(match before.has(id) {
            true => Unfilled::Strange,
            false => Unfilled::Unknown,
        });
    };
    let place = match places.as_slice() {
        [only] => *only,
        several => *several.iter().find(|place| place.is_open).ok_or(Unfilled::Full)?,
    };
    let filled = place.filled(&lines, answer);
    let after = Answers::parse(&filled, path).map_err(|_| Unfilled::Strange)?;
    match before.differs_by(&after, id, answer) {
        true => Ok(filled),
        false => Err(Unfilled::Strange),
    }
}

/// Says whether a question of an answers file has a place without an answer, behind its id or in its list.
pub fn is_open(text: &str, id: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let places = places_of(&lines, id).unwrap_or_default();
    places.iter().any(|place| place.is_open)
}

/// Where an answer is written.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its line.
    line: usize,
    /// The line after its last one.
    end: usize,
    /// How much of its line stays before the answer.
    head: usize,
    is_open: bool,
}

impl Place {
    fn filled(self, lines: &[&str], answer: &str) -> String {
        let (head, rest) = lines[self.line].split_at(self.head);
        let comment = match is_empty(rest) && !rest.trim().is_empty() {
            true => format!(" {}", rest.trim()),
            false => String::new(),
        };
        let own = format!("{head} {}{comment}", yaml_scalar(answer));
        let below = lines[self.line + 1..self.end].iter().filter(|line| !is_inside(line));
        let mut text = String::new();
        let above = lines[..self.line].iter().copied().chain([own.as_str()]);
        for line in above.chain(below.copied()).chain(lines[self.end..].iter().copied()) {
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// Returns what stands at a line of an answers file, with all that belongs to it.
pub(super) fn block(lines: &[&str], at: usize) -> String {
    let block = lines.get(at..end(lines, at)).unwrap_or_default();
    block.iter().map(|line| format!("{line}\n")).collect()
}

/// Lists the places of a question: those of its list, or the one behind its id. Nothing means that it is not there.
fn places_of(lines: &[&str], id: &str) -> Option<Vec<Place>> {
    let (at, head) = lines
        .iter()
        .enumerate()
        .find_map(|(at, line)| Some((at, head(line, id)?)))?;
    let end = end(lines, at);
    let below = &lines[at + 1..end];
    let is_bare = is_empty(&lines[at][head.len()..]);
    let listed = match is_bare {
        true => places(below, at + 1),
        false => Vec::new(),
    };
    if !listed.is_empty() {
        return Some(listed);
    }
    Some(vec![Place {
        line: at,
        end,
        head: head.len(),
        is_open: is_bare && !below.iter().any(|line| is_inside(line)),
    }])
}

/// Returns how the line of a question starts, its colon included.
fn head<'a>(line: &'a str, id: &str) -> Option<&'a str> {
    let json = serde_json::Value::from(id).to_string();
    let heads = [format!("{id}:"), format!("'{id}':"), format!("{json}:")];
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    let head = heads
        .iter()
        .find(|head| line.strip_prefix(head.as_str()).is_some_and(ends))?;
    line.get(..head.len())
}

/// Returns the line after the last one that belongs to the question at a line.
fn end(lines: &[&str], at: usize) -> usize {
    let mut end = at + 1;
    for (below, line) in lines.iter().enumerate().skip(at + 1) {
        if is_inside(line) {
            end = below + 1;
        } else if !is_empty(line) {
            break;
        }
    }
    end
}

/// Lists the places of a list that were not answered before the file was written.
fn places(lines: &[&str], first: usize) -> Vec<Place> {
    let Some(indent) = lines.iter().find(|line| is_inside(line)).map(|line| indent(line)) else {
        return Vec::new();
    };
    let is_item = |line: &str| self::indent(line) == indent && item(line).is_some();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| is_item(lines[*at])).collect();
    let mut places = Vec::new();
    for (nth, at) in starts.iter().copied().enumerate() {
        let rest = item(lines[at]).unwrap_or_default();
        if rest.trim() == KNOWN {
            continue;
        }
        let end = starts.get(nth + 1).copied().unwrap_or(lines.len());
        places.push(Place {
            line: first + at,
            end: first + end,
            head: indent + 1,
            is_open: is_empty(rest) && !lines[at + 1..end].iter().any(|line| is_inside(line)),
        });
    }
    places
}

/// Returns what stands behind the hyphen of an item.
fn item(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('-')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some(rest)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Says whether a line holds nothing, or only a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// Says whether a line is a part of what stands above it.
fn is_inside(line: &str) -> bool {
    !is_empty(line) && (indent(line) > 0 || item(line).is_some())
}

#[cfg(test)]
mod tests;
