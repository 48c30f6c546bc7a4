//! An answer that points to a section of its file in, that section out: `see below`, `Section 2`, a heading with its key.

use crate::model::library::Document;
use crate::model::menu::{Handled, Menu, MenuOption, shows_again};
use crate::source::{Span, near_byte};
use crate::syntax::{Heading, WordList, trim};
use memchr::memmem::Finder;
use std::cell::LazyCell;
use std::sync::LazyLock;

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
    let number = handler.redisplays.then(|| numbered(said)).flatten();
    let is_below = LazyCell::new(|| option.label.len() > 3 && is_shown_below(said));
    let is_meant = |heading: &&Heading| {
        let name = source.slice(heading.text);
        match number {
            Some(number) => counts(name, number),
            None => is_marked(name, option) || *is_below && is_label(name, &option.label),
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

/// Says whether an answer goes on below its menu, and comes by a section there.
pub(super) fn comes_by(document: &Document, section: Span, handler: &Handled) -> bool {
    let said = document.source.slice(handler.body);
    if handler.redisplays {
        return false;
    }
    if !handler.goes_on {
        return BELOW.find(said.as_bytes()).is_some() && !is_shown_below(said);
    }
    let is_target = |number: &str| {
        let headings = document.parsed.markdown.headings.iter();
        let mut behind = headings.filter(|heading| heading.span.start >= section.end);
        behind.any(|heading| counts(document.source.slice(heading.text), number))
    };
    !numbered(said).is_some_and(is_target)
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

/// What a section is called, whatever the case of its first letter.
static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("ection "));

/// What an answer says of a section that stands further down.
static BELOW: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("below"));

/// Words that lead to a section.
static LEADING: WordList = WordList::new(&[
    "continue", "do", "execute", "follow", "go", "jump", "move", "perform", "proceed", "run", "see", "skip",
]);

/// Returns the number in `Proceed to Section 2`; `Improve Section 2 of the report` is about another text.
fn numbered(said: &str) -> Option<&str> {
    let number = |at: usize| {
        let rest = &said[at + NAME.needle().len()..];
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at(length);
        let is_of = behind
            .split_whitespace()
            .next()
            .is_some_and(|next| ["of", "in"].contains(&next));
        let is_inner = behind
            .strip_prefix('.')
            .is_some_and(|inner| inner.starts_with(|at: char| at.is_ascii_digit()));
        let before = said[..at].trim_end_matches(['S', 's']).split_whitespace().rev();
        let verb = before
            .map(|word| word.trim_matches(|at: char| !at.is_alphanumeric()))
            .find(|word| !["the", "to", "on", "with"].contains(word));
        (length > 0 && !is_of && !is_inner && verb.is_some_and(|verb| LEADING.has(verb))).then_some(number)
    };
    NAME.find_iter(said.as_bytes()).find_map(number)
}

/// Says whether an answer names what stands below: `(see below)`, `Execute the REVIEW section below`.
fn is_shown_below(said: &str) -> bool {
    let is_shown = |at: usize| {
        let mut before = said[..at].split_whitespace().rev();
        let word = before.next().unwrap_or_default().trim_start_matches('(');
        ["see", "section"].iter().any(|shown| word.eq_ignore_ascii_case(shown))
    };
    BELOW.find_iter(said.as_bytes()).any(is_shown)
}

/// Says whether a heading begins with a number.
fn counts(name: &str, number: &str) -> bool {
    name.strip_prefix(number)
        .is_some_and(|rest| rest.starts_with(['.', ')', ':']))
}

/// Says whether a heading bears the key of an option, and is of no other: `[R] Review`, `Review [R] in full`, `Mend it (if [F]
/// is chosen)`.
fn is_marked(name: &str, option: &MenuOption) -> bool {
    // Few headings have a bracket.
    let Some(open) = near_byte(b'[', name.as_bytes()) else {
        return false;
    };
    let (before, rest) = (&name[..open], &name[open + 1..]);
    let is_key = rest
        .strip_prefix(option.key.as_str())
        .is_some_and(|rest| rest.starts_with(']') && !rest.contains('['));
    let is_case = || {
        let last = before.split_whitespace().next_back().unwrap_or_default();
        last.trim_start_matches('(').eq_ignore_ascii_case("if")
    };
    is_key && (bare(before).is_empty() || is_label(before, &option.label) || is_case())
}

/// Says whether a heading is the label of an option, whatever its case.
fn is_label(name: &str, label: &str) -> bool {
    bare(name).eq_ignore_ascii_case(bare(label))
}

/// Returns a name without its number and the marks around it.
fn bare(name: &str) -> &str {
    let counted = name.trim_start_matches(|at: char| at.is_ascii_digit());
    let named = if counted.starts_with(['.', ')', ':']) {
        counted
    } else {
        name
    };
    named.trim_matches(|at: char| !at.is_alphanumeric())
}
