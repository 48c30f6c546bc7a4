//! An answer that points to a section of its file in, that section out: `see below`, `Section 2`, a heading with its key.

use crate::model::library::Document;
use crate::model::menu::{Handled, Menu, MenuOption, shows_again};
use crate::source::Span;
use crate::syntax::{Heading, trim};

/// Returns the section behind a menu that an answer of it points to. All of it stands before the next menu.
pub(super) fn section(document: &Document, menu: &Menu, answer: (&MenuOption, &Handled), end: u32) -> Option<Span> {
    let (option, handler) = answer;
    let source = &document.source;
    let headings = &document.parsed.markdown.headings;
    let first = headings.partition_point(|heading| heading.span.start < menu.span.end);
    let behind = headings.get(first..).filter(|behind| !behind.is_empty())?;
    let near = reach(document, menu.span, end);
    if behind.first().is_none_or(|heading| heading.span.end > near) {
        return None;
    }
    let said = source.slice(handler.body);
    let number = numbered(said).filter(|_| handler.redisplays);
    let is_below = option.label.len() > 3 && memchr::memmem::find(said.as_bytes(), b"below").is_some();
    let is_key = |rest: &str| {
        rest.strip_prefix(option.key.as_str())
            .is_some_and(|rest| rest.starts_with(']'))
    };
    let is_meant = |heading: &&Heading| {
        let name = source.slice(heading.text);
        let counts = |number: &str| {
            name.strip_prefix(number)
                .is_some_and(|rest| rest.starts_with(['.', ')', ':']))
        };
        match number {
            Some(number) => counts(number),
            None => name.split('[').skip(1).any(is_key) || is_below && holds(name, &option.label),
        }
    };
    let inside = |heading: &&Heading| heading.span.end <= near;
    let heading = behind.iter().take_while(inside).find(is_meant)?;
    let is_next = |next: &&Heading| next.span.start > heading.span.start && next.level <= heading.level;
    let until = headings
        .iter()
        .find(is_next)
        .map_or(end, |next| next.span.start.min(end));
    let section = Span {
        start: heading.span.start,
        end: until,
        ..heading.span
    };
    let menus = document.menus();
    let is_own = |handler: &Handled| handler.span.end > section.start && handler.span.start < heading.span.end;
    let is_free = until <= near && !section.contains(handler.span) && !menus.handlers.iter().any(is_own);
    is_free.then(|| trim(source, section).0)
}

/// Says whether a section leads back to the menu whose answer points to it: it says so, or a line behind the menu does of the
/// option: `After E or R execution, return to this menu`.
pub(super) fn leads_back(document: &Document, (menu, section): (Span, Span), option: &MenuOption, end: u32) -> bool {
    let source = &document.source;
    let behind = Span {
        start: menu.end,
        end: reach(document, menu, end),
        ..menu
    };
    let is_word = |words: &str, word: &str| words.split(|at: char| !at.is_alphanumeric()).any(|each| each == word);
    let is_rule = |line: &str| {
        let said = line.trim_start_matches(|at: char| !at.is_alphanumeric());
        let subject = said.strip_prefix("After ").and_then(|said| said.split_once("return"));
        let names = |(subject, _): (&str, &str)| is_word(subject, &option.key) || is_word(subject, "other");
        subject.is_some_and(names) && shows_again(said)
    };
    shows_again(source.slice(section)) || source.slice(behind).lines().any(is_rule)
}

/// Returns where what stands behind a menu ends: at the next one, or with the step.
fn reach(document: &Document, menu: Span, end: u32) -> u32 {
    let starts = document.menus().menus.iter().map(|other| other.span.start);
    let next = starts.filter(|start| *start >= menu.end).min();
    next.map_or(end, |next| next.min(end)).max(menu.end)
}

/// Returns the number in `Section 2`.
fn numbered(said: &str) -> Option<&str> {
    let at = memchr::memmem::find(said.as_bytes(), b"ection ")?;
    let rest = &said[at + "ection ".len()..];
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| &rest[..length])
}

/// Says whether a name holds some words, whatever their case.
fn holds(name: &str, words: &str) -> bool {
    name.to_lowercase().contains(&words.to_lowercase())
}
