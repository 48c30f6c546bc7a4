//! A document and a section of it in, the document with the section in its place out.
//!
//! People and other programs read these documents, so no marks are left in them: a section is found again by the text
//! that was written before, by its slot, or by its heading. Everything around it stays byte for byte.

#[cfg(test)]
mod tests;

use super::matter;
use super::render::{Style, fill};
use crate::builtins::Value;
use crate::source::{ProjectPath, Source, SourceId};
use crate::syntax::{Format, Heading, parse};
use std::ops::Range;

/// A document with a section in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The document.
    pub text: String,
    /// Where the section went.
    pub at: Where,
}

/// Where a section went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Where {
    /// Into the slots of its name.
    Slot,
    /// In place of what was there of it.
    Replaced,
    /// Under the heading of its name, which had nothing below it.
    Heading,
    /// At the end.
    End,
}

/// Puts a section into a document. `previous` is the text that this run wrote for it last.
pub fn place(document: &str, name: &str, text: &str, previous: Option<&str>) -> Placed {
    let end = matter::line_end(document);
    let text = trimmed(text, end);
    let (head, body) = body(document);
    let placed = |body: String, at| Placed {
        text: format!("{head}{body}"),
        at,
    };
    let previous = previous.map(|previous| trimmed(previous, end));
    if let Some((range, text)) = previous.and_then(|previous| again(body, name, &previous, &text)) {
        return placed(splice(body, range, text), Where::Replaced);
    }
    let bare = || headless(&text, name).filter(|_| is_kept_below(body, name));
    if let Some(range) = marked_gap(body, name) {
        return placed(splice(body, range, bare().unwrap_or(&text)), Where::Slot);
    }
    let value = |wanted: &str| (wanted == name).then(|| Value::from(bare().unwrap_or(&text)));
    let (filled, count) = fill(body, &value, Style::Slots);
    if count > 0 {
        return placed(filled, Where::Slot);
    }
    if text.is_empty() || has_lines(body, &text) {
        return placed(body.to_owned(), Where::Replaced);
    }
    if let Some(blank) = empty_heading(body, name) {
        let text = headless(&text, name).unwrap_or(&text);
        return placed(below(body, blank, text, end), Where::Heading);
    }
    if is_there(body, name, &text) {
        return placed(body.to_owned(), Where::Replaced);
    }
    Placed {
        text: at_end(document, &text, end),
        at: Where::End,
    }
}

/// Says whether a text that was written for a section stands in a document, so that another one can take its place.
pub fn stands(document: &str, name: &str, previous: &str) -> bool {
    found(document, name, previous).is_some()
}

/// Says whether it stands on lines of its own, or below the heading of its name. Within any other line the same words may
/// be somebody else's, and so may a few words elsewhere: `None.` stands in many a template.
pub fn stands_alone(document: &str, name: &str, previous: &str) -> bool {
    let (_, body) = body(document);
    let is_below = |at: usize| below_headings(body, name).iter().any(|section| section.contains(&at));
    let is_telling = |range: &Range<usize>| words(&body[range.clone()]).len() > FEW;
    let is_own = |range: Range<usize>| has_own_lines(body, &range) && is_telling(&range) || is_below(range.start);
    found(document, name, previous).is_some_and(is_own)
}

/// How many words may stand in a document without anybody having written them for a section.
const FEW: usize = 3;

/// Finds a text that was written for a section in the body of a document.
fn found(document: &str, name: &str, previous: &str) -> Option<Range<usize>> {
    let previous = trimmed(previous, matter::line_end(document));
    again(body(document).1, name, &previous, "").map(|(range, _)| range)
}

/// Parts a document into its frontmatter and the rest.
fn body(document: &str) -> (&str, &str) {
    document.split_at(matter::head(document).map_or(matter::marked(document), |head| head.end))
}

/// Returns the line that stands where a section is not written yet.
pub fn gap(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    // Two hyphens would end the comment.
    let mark = words.join(" ").replace("--", "- -").replace('>', " ");
    format!("<!-- bmad: gap {mark} -->")
}

/// Finds the mark of a section that is not written yet, with the quoted lines below it that tell people so.
fn marked_gap(body: &str, name: &str) -> Option<Range<usize>> {
    let mark = gap(name);
    let is_line = |at: &usize| body[..*at].is_empty() || body[..*at].ends_with('\n');
    let start = body.match_indices(&mark).map(|(at, _)| at).find(is_line)?;
    let mut end = start + mark.len();
    let mut at = end;
    for (number, line) in body[end..].split_inclusive('\n').enumerate() {
        if number > 0 && !line.starts_with('>') {
            break;
        }
        end = at + line.trim_end().len();
        at += line.len();
    }
    Some(start..end)
}

/// Takes the empty lines around a text away, and ends its lines as the document does.
fn trimmed(text: &str, end: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text = text.trim_end();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    text[start..].replace('\n', end)
}

/// Finds what an earlier pass wrote, and what takes its place: where it stands once, or once under its own heading.
///
/// A heading with the name of the section that both have stays: it may be the document's.
fn again<'a>(body: &str, name: &str, previous: &str, text: &'a str) -> Option<(Range<usize>, &'a str)> {
    if let Some(bare) = headless(previous, name)
        && let Some(range) = once_below(body, name, bare)
    {
        return Some((range, headless(text, name).unwrap_or(text)));
    }
    let mut places = occurrences(body, previous);
    let first = places.next()?;
    let range = match places.next() {
        None => first..first + previous.len(),
        Some(_) => once_below(body, name, previous)?,
    };
    // What stands right below the heading of its name has one already.
    let sections = below_headings(body, name);
    let is_headed =
        |section: &Range<usize>| section.contains(&range.start) && body[section.start..range.start].trim().is_empty();
    let bare = headless(text, name).filter(|_| sections.iter().any(is_headed));
    Some((range, bare.unwrap_or(text)))
}

/// Finds a text that stands once under the headings of a name.
fn once_below(body: &str, name: &str, text: &str) -> Option<Range<usize>> {
    let sections = below_headings(body, name);
    let is_below = |at: &usize| sections.iter().any(|section| section.contains(at));
    let mut places = occurrences(body, text).filter(is_below);
    let first = places.next()?;
    places.next().is_none().then_some(first..first + text.len())
}

/// Finds a text wherever it does not stand in the middle of a word: `a` is in every second one.
fn occurrences<'a>(body: &'a str, text: &'a str) -> impl Iterator<Item = usize> + 'a {
    let touches = |neighbour: Option<char>, own: Option<char>| {
        neighbour.is_some_and(char::is_alphanumeric) && own.is_some_and(char::is_alphanumeric)
    };
    let is_whole = move |at: &usize| {
        let before = touches(body[..*at].chars().next_back(), text.chars().next());
        let after = touches(body[at + text.len()..].chars().next(), text.chars().next_back());
        !text.is_empty() && !before && !after
    };
    body.match_indices(text).map(|(at, _)| at).filter(is_whole)
}

/// Returns a section without the heading it starts with, where that says the name of the section.
fn headless<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (first, rest) = text.split_once('\n')?;
    let title = first.trim_start_matches('#');
    let level = first.len() - title.len();
    let is_heading = (1..=6).contains(&level) && title.starts_with(' ');
    let rest = rest.trim_start_matches(['\r', '\n']);
    (is_heading && says(title, &words(name)) && !rest.is_empty()).then_some(rest)
}

/// Says whether a text of several lines stands in the document already.
fn has_lines(body: &str, text: &str) -> bool {
    let mut places = body.match_indices(text).map(|(at, _)| at..at + text.len());
    text.contains('\n') && places.any(|range| has_own_lines(body, &range))
}

/// Says whether nothing else stands on the lines of a part of a text.
fn has_own_lines(body: &str, range: &Range<usize>) -> bool {
    let (before, after) = (&body[..range.start], &body[range.end..]);
    (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with(['\n', '\r']))
}

/// Says whether a text is where it would go: under its heading, or at the end.
fn is_there(body: &str, name: &str, text: &str) -> bool {
    let before = body.trim_end().strip_suffix(text.trim_end());
    let ends = before.is_some_and(|before| before.trim().is_empty() || before.ends_with('\n'));
    let bare = headless(text, name).unwrap_or(text).trim();
    ends || below_headings(body, name)
        .into_iter()
        .any(|range| body[range].trim() == bare)
}

/// Returns what is below the headings that say a name, up to the next heading that is not deeper.
fn below_headings(body: &str, name: &str) -> Vec<Range<usize>> {
    let source = Source::new(SourceId(0), ProjectPath::root(), body);
    let headings = parse(&source, Format::Markdown).markdown.headings;
    let wanted = words(name);
    let below = |(at, heading): (usize, &Heading)| {
        let start = heading.span.range().end;
        let next = headings[at + 1..].iter().find(|next| next.level <= heading.level);
        start..next.map_or(body.len(), |next| next.span.range().start)
    };
    let is_wanted = |(_, heading): &(usize, &Heading)| says(source.slice(heading.text), &wanted);
    let found = headings.iter().enumerate().filter(is_wanted).map(below);
    found.filter(|range| body.get(range.clone()).is_some()).collect()
}

/// Says whether the place that a section has is the first thing below a heading that says its name.
fn is_kept_below(body: &str, name: &str) -> bool {
    let (mark, nothing) = (gap(name), |wanted: &str| (wanted == name).then_some(Value::Nothing));
    let is_place = |range: Range<usize>| {
        let first = body[range].trim_start().lines().next().unwrap_or_default();
        first.starts_with(&mark) || first.starts_with("{{") && fill(first, &nothing, Style::Slots).1 > 0
    };
    below_headings(body, name).into_iter().any(is_place)
}

/// Returns the white space below the first heading that says a name and has nothing else below it.
fn empty_heading(body: &str, name: &str) -> Option<Range<usize>> {
    let mut sections = below_headings(body, name).into_iter();
    sections.find(|range| body[range.clone()].trim().is_empty())
}

/// Splits a name or a heading into its words, in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|character: char| !character.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

/// Says whether a heading has these words, with or without a number before them.
fn says(heading: &str, wanted: &[String]) -> bool {
    let mut words = words(heading);
    if words == wanted {
        return !wanted.is_empty();
    }
    while words
        .first()
        .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    {
        words.remove(0);
    }
    !wanted.is_empty() && words == wanted
}

fn splice(body: &str, range: Range<usize>, text: &str) -> String {
    format!("{}{text}{}", &body[..range.start], &body[range.end..])
}

/// Puts a text into the white space below a heading, with an empty line before it and one after it.
fn below(body: &str, blank: Range<usize>, text: &str, end: &str) -> String {
    let white = &body[blank.clone()];
    let mut lines = white.split_inclusive('\n');
    let rest_of_heading = lines.next().unwrap_or("");
    let empty = lines.next().unwrap_or("");
    let at = blank.start + rest_of_heading.len() + empty.len();
    let mut section = String::new();
    if !rest_of_heading.ends_with('\n') {
        section.push_str(end);
    }
    if !empty.ends_with('\n') {
        section.push_str(end);
    }
    section.push_str(text);
    if at < body.len() {
        section.push_str(end);
        section.push_str(end);
    } else if white.ends_with('\n') {
        section.push_str(end);
    }
    splice(body, at..at, &section)
}

/// Puts a text behind everything, with one empty line before it.
fn at_end(document: &str, text: &str, end: &str) -> String {
    let written = document.trim_end().len();
    let breaks = document[written..].matches('\n').count();
    let is_empty = document.len() == matter::marked(document);
    let missing = if is_empty { 0 } else { 2_usize.saturating_sub(breaks) };
    let last = if breaks > 0 || is_empty { end } else { "" };
    format!("{document}{}{text}{last}", end.repeat(missing))
}
