//! The frontmatter of a template in, the same with its holes filled out: a value stays one scalar, whatever it holds.
//!
//! Works line by line, because a template with holes in it is often no YAML yet. A value that cannot stand where its
//! hole stands leaves the hole as written.

use super::Names;
use super::mark::{Kind, Mark, marks};
use super::scope::Scope;
use crate::builtins::Value;
use crate::machine::escape::{self, Target, double, double_inside, single, yaml_scalar};
use std::cell::Cell;

/// Fills the lines between the fences.
pub(super) fn fill(body: &str, names: &dyn Names) -> String {
    let work = Cell::new(0);
    let scope = Scope::Outer(names, &work);
    let mut out = String::with_capacity(body.len());
    // How far the key of the block text is indented that the line belongs to.
    let mut literal: Option<usize> = None;
    for line in body.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        let indent = text.len() - text.trim_start_matches(' ').len();
        if literal.is_some_and(|key| indent <= key && !text.trim().is_empty()) {
            literal = None;
        }
        if literal.is_some() {
            out.push_str(&indented(text, indent, &scope));
        } else {
            let (key, value) = text.split_at(value_start(text));
            if value.starts_with(['|', '>']) {
                literal = Some(indent);
            }
            out.push_str(key);
            if value.starts_with('#') {
                out.push_str(value);
            } else if key.trim().is_empty() && !value.starts_with(['[', '\'', '"']) {
                out.push_str(&continued(value, &scope));
            } else {
                out.push_str(&scalars(value, &scope));
            }
        }
        out.push_str(&line[text.len()..]);
    }
    out
}

/// Fills a line of a block text: every line of the value gets the indentation of the line.
fn indented(line: &str, indent: usize, scope: &Scope<'_>) -> String {
    let marks = marks(line);
    let between = format!("\n{}", " ".repeat(indent));
    pieces(line, &marks, 0, scope)
        .into_iter()
        .map(|piece| match piece {
            Piece::Written(text) => text.to_owned(),
            Piece::Filled(value, written) => {
                let text = value.to_string();
                let harmless = |character: char| character == '\n' || character == '\t' || !character.is_control();
                if text.chars().all(harmless) {
                    text.replace('\n', &between)
                } else {
                    written.to_owned()
                }
            }
        })
        .collect()
}

/// Fills a line that goes on with the scalar before it: only words that mean nothing to YAML may enter.
fn continued(line: &str, scope: &Scope<'_>) -> String {
    let marks = marks(line);
    pieces(line, &marks, 0, scope)
        .into_iter()
        .map(|piece| match piece {
            Piece::Written(text) => text.to_owned(),
            Piece::Filled(value, hole) => {
                let text = value.to_string();
                if yaml_scalar(&text) == text {
                    text
                } else {
                    hole.to_owned()
                }
            }
        })
        .collect()
}

/// Returns where the value of a line starts: behind `key: ` or `- `, or behind the white space of a line without either.
fn value_start(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut start = line.len() - line.trim_start().len();
    while bytes.get(start) == Some(&b'-') && matches!(bytes.get(start + 1), Some(b' ')) {
        start += 1 + bytes[start + 1..].iter().take_while(|byte| **byte == b' ').count();
    }
    let rest = &line[start..];
    if rest.starts_with(['\'', '"', '[', '{', '#']) {
        return start;
    }
    match rest.find(": ") {
        Some(colon) => {
            let after = start + colon + 1;
            after + line[after..].len() - line[after..].trim_start().len()
        }
        None if rest.ends_with(':') => line.len(),
        None => start,
    }
}

/// Fills the scalars of a value: one, or the items of a list in brackets.
fn scalars(value: &str, scope: &Scope<'_>) -> String {
    let marks = marks(value);
    if marks.is_empty() {
        return value.to_owned();
    }
    let in_list = value.starts_with('[');
    let mut out = String::new();
    let mut at = 0;
    while at < value.len() {
        let (style, end) = token(value, at, in_list, &marks);
        let text = &value[at..end];
        match style {
            Quoting::Outside => out.push_str(text),
            Quoting::Single | Quoting::Double | Quoting::Plain => {
                out.push_str(&scalar(text, style, &pieces(text, &marks, at, scope), in_list));
            }
        }
        at = end;
    }
    out
}

/// How a piece of a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// In single quotes, with them.
    Single,
    /// In double quotes, with them.
    Double,
    /// Without quotes.
    Plain,
    /// No scalar: white space, commas, brackets, comments, quotes that never end.
    Outside,
}

/// Reads one piece of a value; tells where it ends.
fn token(value: &str, at: usize, in_list: bool, marks: &[Mark<'_>]) -> (Quoting, usize) {
    let rest = &value[at..];
    let outside = |character: char| character == ' ' || character == '\t' || (in_list && "[],".contains(character));
    let blank = rest.len() - rest.trim_start_matches(outside).len();
    if blank > 0 {
        return (Quoting::Outside, at + blank);
    }
    match rest.as_bytes().first() {
        Some(b'#') => (Quoting::Outside, value.len()),
        Some(b'\'') => closing(value, at, '\'').map_or((Quoting::Outside, value.len()), |end| (Quoting::Single, end)),
        Some(b'"') => closing(value, at, '"').map_or((Quoting::Outside, value.len()), |end| (Quoting::Double, end)),
        _ => (Quoting::Plain, plain_end(value, at, in_list, marks)),
    }
}

fn closing(value: &str, open: usize, quote: char) -> Option<usize> {
    let mut characters = value[open + 1..].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote && (quote == '"' || characters.next_if(|(_, next)| *next == '\'').is_none()) {
            return Some(open + 1 + at + 1);
        }
    }
    None
}

/// Finds the end of a plain scalar: before a comment, in a list before a comma or a bracket; never inside a hole.
fn plain_end(value: &str, start: usize, in_list: bool, marks: &[Mark<'_>]) -> usize {
    let mut end = start;
    for (at, character) in value[start..].char_indices().map(|(at, each)| (start + at, each)) {
        let next = marks.partition_point(|mark| mark.end <= at);
        let hole = marks.get(next).is_some_and(|mark| mark.start <= at);
        let comment = character == '#' && value[..at].ends_with([' ', '\t']);
        if !hole && (comment || (in_list && "],".contains(character))) {
            break;
        }
        if hole || !matches!(character, ' ' | '\t') {
            end = at + character.len_utf8();
        }
    }
    end.max(start + value[start..].chars().next().map_or(1, char::len_utf8))
}

/// A part of a scalar.
enum Piece<'a> {
    /// As the template has it.
    Written(&'a str),
    /// A value, and the hole it fills.
    Filled(Value, &'a str),
}

/// Splits a scalar, which starts at byte `offset` of the value, at the holes whose value is known and may enter.
fn pieces<'a>(scalar: &'a str, marks: &[Mark<'_>], offset: usize, scope: &Scope<'_>) -> Vec<Piece<'a>> {
    let mut found = Vec::new();
    let mut cursor = 0;
    let first = marks.partition_point(|mark| mark.start < offset);
    let inside = marks[first..]
        .iter()
        .take_while(|mark| mark.end <= offset + scalar.len());
    for mark in inside {
        let (start, end) = (mark.start - offset, mark.end - offset);
        let (Kind::Single(name) | Kind::Double(name)) = &mark.kind else {
            continue;
        };
        let Some(hole) = scalar.get(start..end) else { continue };
        let Some(value) = scope.find(name) else { continue };
        if escape::check(&value.to_string(), Target::Frontmatter).is_err() {
            continue;
        }
        found.push(Piece::Written(&scalar[cursor..start]));
        found.push(Piece::Filled(value, hole));
        cursor = end;
    }
    found.push(Piece::Written(&scalar[cursor..]));
    found.retain(|piece| !matches!(piece, Piece::Written("")));
    found
}

/// Writes a scalar with its values, so that it reads as its own text with theirs in it.
fn scalar(written: &str, style: Quoting, pieces: &[Piece<'_>], in_list: bool) -> String {
    if !pieces.iter().any(|piece| matches!(piece, Piece::Filled(..))) {
        return written.to_owned();
    }
    let join = |each: &dyn Fn(&str) -> String, of: &dyn Fn(&str) -> String| -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                Piece::Written(text) => each(text),
                Piece::Filled(value, _) => of(&value.to_string()),
            })
            .collect()
    };
    let same = |text: &str| text.to_owned();
    match style {
        Quoting::Double => join(&same, &double_inside),
        Quoting::Single => {
            let fits = |piece: &Piece<'_>| match piece {
                Piece::Written(_) => true,
                Piece::Filled(value, _) => single(&value.to_string()).is_some(),
            };
            if !pieces.iter().all(fits) {
                // A line break does not survive in single quotes.
                let inside = join(&|text| text.replace("''", "'"), &same);
                let first = usize::from(inside.starts_with('\''));
                return double(inside.get(first..inside.len() - 1).unwrap_or(&inside));
            }
            join(&same, &|value| value.replace('\'', "''"))
        }
        Quoting::Plain => match pieces {
            [Piece::Filled(value, _)] => alone(value, in_list),
            _ => yaml_scalar(&join(&same, &same)),
        },
        Quoting::Outside => written.to_owned(),
    }
}

/// Writes a value that is a scalar of its own: numbers, truths and lists stay what they are.
fn alone(value: &Value, in_list: bool) -> String {
    match value {
        Value::Nothing => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::List(items) if !in_list => {
            let items: Vec<String> = items.iter().map(|item| alone(item, true)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Text(_) | Value::List(_) | Value::Map(_) => yaml_scalar(&value.to_string()),
    }
}
