//! Text in, menus and what is said about their answers out.
//!
//! A letter has no fixed meaning: a menu is what offers keys, a handler is what says what one of them does.

mod again;
mod answer;
mod bracket;
mod branch;
mod chosen;
mod course;
mod draft;
mod free;
mod headed;
mod key;
mod list;
mod listing;
mod marks;
mod meant;
mod open;
mod page;
mod plain;
mod ticked;
mod words;

#[cfg(test)]
mod tests;

pub(super) use course::Course;

use crate::source::{Source, SourceId, Span, near_byte};
use crate::syntax::Markdown;

/// How much of a question is read.
const MAX_QUESTION: usize = 64 * 1024;

/// A choice offered to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Menu {
    /// From the first option to the end of the last.
    pub span: Span,
    /// The options, in order.
    pub options: Vec<MenuOption>,
    /// How it is written.
    pub style: MenuStyle,
    /// Whether the text near it waits for the person.
    pub stops: bool,
    /// Whether something else may be chosen, which an item without a label stands for: `The listed pages, by name`.
    pub open: bool,
}

/// One option of a menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuOption {
    /// The key as written, without brackets; for a bold label the label itself.
    pub key: String,
    /// What it is called, without its description; may be empty.
    pub label: String,
    /// The key, the label and the description.
    pub span: Span,
}

/// How a menu is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MenuStyle {
    /// `[A] Approve`.
    Bracketed,
    /// `1. Approve`, `a) Approve`.
    Numbered,
    /// `(y/n/edit)`, `[1/2/3]`.
    Slashed,
    /// `- **Approve** — …`.
    Labelled,
}

/// What the text says about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handled {
    /// The answers, as written.
    pub keys: Vec<String>,
    /// The whole text.
    pub span: Span,
    /// What to do.
    pub body: Span,
    /// Whether the menu is shown again afterwards.
    pub redisplays: bool,
    /// Whether it says to go on with what stands below: `proceed to section 2`.
    pub goes_on: bool,
    /// Whether this is for every answer that is not an option.
    pub any_other: bool,
    /// Whether it is written as a branch (`IF A:`, a heading), not in passing (`once the user selects A, …`).
    pub branches: bool,
}

/// The menus of a file and what it says about their answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Menus {
    /// What is offered, in order.
    pub menus: Vec<Menu>,
    /// What is done, in order.
    pub handlers: Vec<Handled>,
    /// Keys that prose names without saying what they do: `until the user selects [C]`.
    pub mentioned: Vec<String>,
    /// Where the text shows a menu that another file holds.
    pub borrowed: Vec<Span>,
}

impl Menus {
    /// Finds the menu a handler answers: the nearest one before it that offers one of its keys, else any that does.
    pub fn menu_of(&self, handled: &Handled) -> Option<&Menu> {
        let offers = |menu: &&Menu| menu.options.iter().any(|option| handles(handled, option));
        let before = self
            .menus
            .iter()
            .rev()
            .filter(|menu| menu.span.start <= handled.span.start);
        before.clone().find(offers).or_else(|| self.menus.iter().find(offers))
    }
}

/// Finds the options in the text of a question. `span` is where the text stands.
pub(super) fn options(text: &str, span: Span) -> Vec<MenuOption> {
    let text = text.get(..text.floor_char_boundary(MAX_QUESTION)).unwrap_or(text);
    let slashed = list::slashed(text, span);
    let mut found = bracketed(text, span);
    let numbered = list::numbered(text, span);
    let shared = |one: &[MenuOption], other: &[MenuOption]| {
        one.iter()
            .any(|option| other.iter().any(|other| other.key == option.key))
    };
    if found.len() > 1 {
        found.extend(signed(text, span));
    }
    if found.is_empty() {
        found = worded(text, span);
    }
    if found.is_empty() && !slashed.is_empty() && !shared(&slashed, &numbered) {
        return slashed;
    }
    found.extend(numbered);
    found.extend(slashed);
    if found.is_empty() {
        found = list::labelled(text, span);
    }
    merge(found)
}

/// Reads the options that a text lists, where the question behind it asks for one of them.
pub(super) fn listed(text: &str, span: Span, question: &str) -> Vec<MenuOption> {
    if !chosen::asks_for_listed(question) {
        return Vec::new();
    }
    let text = text.get(..text.floor_char_boundary(MAX_QUESTION)).unwrap_or(text);
    let mut found = bracketed(text, span);
    if found.is_empty() {
        found = list::counted(text, span);
    }
    let count = found.len();
    let kept = merge(found);
    // Two lists that share their keys say of none of them what it means.
    if kept.len() < count.max(2) { Vec::new() } else { kept }
}

/// Reads what one line of free text offers, and how it is written; places count from the start of the line.
pub fn offered(line: &str) -> Option<(MenuStyle, Vec<MenuOption>)> {
    let line = line.get(..line.floor_char_boundary(MAX_QUESTION)).unwrap_or(line);
    let span = Span::new(SourceId::default(), 0, line.len());
    let keys = bracketed(line, span);
    if !keys.is_empty() {
        return Some((MenuStyle::Bracketed, keys));
    }
    if let Some(item) = list::item(line) {
        return Some((MenuStyle::Numbered, vec![item.option(span, line.len())]));
    }
    let slashed = list::slashed(line, span);
    if !slashed.is_empty() {
        return Some((MenuStyle::Slashed, slashed));
    }
    let labelled = list::labelled_line(line)?;
    Some((MenuStyle::Labelled, vec![labelled.option(span, line.len())]))
}

/// Reads the menus and handlers of a Markdown file.
pub(super) fn read(source: &Source, markdown: &Markdown) -> Menus {
    draft::read(source, markdown)
}

/// Says whether words bring a menu back.
pub(super) fn shows_again(text: &str) -> bool {
    again::shows_again(text)
}

/// Says whether a handler deals with an option.
pub(super) fn handles(handled: &Handled, option: &MenuOption) -> bool {
    handled.keys.iter().any(|key| option.is_meant_by(key))
}

/// Says whether a handler deals with an option of a menu: words that several options share mean none of them.
pub(super) fn deals_with(handled: &Handled, option: &MenuOption, menu: &Menu) -> bool {
    let meant = |key: &str| menu.options.iter().filter(|option| option.is_meant_by(key)).count();
    let means = |key: &String| option.is_meant_by(key) && (option.is_called(key) || meant(key) == 1);
    handled.keys.iter().any(means)
}

/// Says whether a handler of one menu deals with what another one offers, too: they have two options in common or more.
pub(super) fn shares(handled: &Handled, menu: &Menu, other: &Menu) -> bool {
    let name = |option: &MenuOption| {
        let first = option.label.split(|at: char| !at.is_alphanumeric()).next();
        first.filter(|first| first.len() > 2).map(str::to_ascii_lowercase)
    };
    let is_same = |one: &MenuOption, two: &MenuOption| name(one).is_some() && name(one) == name(two);
    let pairs = |one: &MenuOption| other.options.iter().filter(|two| is_same(one, two)).count();
    let common = menu.options.iter().filter(|one| pairs(one) > 0).count();
    let both = |one: &MenuOption, two: &MenuOption| is_same(one, two) && handles(handled, one) && handles(handled, two);
    let is_dealt_with = |one: &MenuOption| other.options.iter().any(|two| both(one, two));
    common > 1 && menu.options.iter().any(is_dealt_with)
}

/// Says whether an option ends the workflow: by its name, or by how what it leads to ends.
pub(super) fn exits(label: &str, body: &str) -> bool {
    words::exits(label, body)
}

/// Says whether an option calls the workflow off: it is called Cancel or Abort, and what it leads to only says so.
pub(super) fn cancels(label: &str, body: &str) -> bool {
    words::cancels(label, body)
}

/// Reads where an option leads by its own words, and returns what stands behind its label.
pub(super) fn course(option: &MenuOption, source: &Source) -> Option<(Course, Span)> {
    let words = source.slice(option.span);
    let (start, description) = course::description(words, &option.label);
    let place = option.span.inner(start, start + description.len());
    course::read(&option.label, description).map(|course| (course, place))
}

/// Lists the options that nothing in the file deals with.
///
/// Only menus in brackets count, and only where another key of the same menu is dealt with: elsewhere prose decides.
pub fn unhandled(menus: &Menus) -> Vec<&MenuOption> {
    let keys = || menus.handlers.iter().flat_map(|handled| &handled.keys);
    let named = |option: &MenuOption| keys().any(|key| option.is_meant_by(key));
    let keyed = |option: &MenuOption| bracket::is_key(&option.key) && named(option);
    let counted = |menu: &&Menu| {
        // What deals with a menu inside of an answer stands there, too.
        let around = menus.handlers.iter().find(|handled| handled.body.contains(menu.span));
        let near = |option: &MenuOption| {
            let inside = |handled: &&Handled| around.is_none_or(|around| around.body.contains(handled.span));
            menus
                .handlers
                .iter()
                .filter(inside)
                .any(|handled| handles(handled, option))
        };
        menu.style == MenuStyle::Bracketed && menu.options.iter().any(|option| keyed(option) && near(option))
    };
    let options = menus.menus.iter().filter(counted).flat_map(|menu| &menu.options);
    options
        .filter(|option| !named(option) && !menus.mentioned.iter().any(|key| option.is_meant_by(key)))
        .collect()
}

/// Lists the keys that have a branch and are never offered.
///
/// Only where another branch has its option, and not after a menu that another file holds, or a list that explains the key.
pub fn unoffered<'m>(menus: &'m Menus, source: &Source) -> Vec<(&'m Handled, &'m str)> {
    let offers = |menu: &Menu, key: &str| menu.options.iter().any(|option| option.is_meant_by(key));
    let named = |menu: &Menu| menu.style != MenuStyle::Slashed;
    let is_explained = |handled: &Handled, key: &str| {
        let before = source.text().get(..handled.span.start as usize).unwrap_or("");
        let mut explained = before.lines().filter_map(list::explained);
        explained.any(|explained| explained.eq_ignore_ascii_case(key))
    };
    let (offered, mut missing): (Vec<_>, Vec<_>) = menus
        .handlers
        .iter()
        .filter(|handled| handled.branches && !menus.borrowed.iter().any(|menu| menu.start < handled.span.start))
        .flat_map(|handled| handled.keys.iter().map(move |key| (handled, key.as_str())))
        .filter(|(_, key)| bracket::is_key(key))
        .partition(|(_, key)| menus.menus.iter().any(|menu| offers(menu, key)));
    let known = offered
        .iter()
        .any(|(_, key)| menus.menus.iter().any(|menu| named(menu) && offers(menu, key)));
    missing.retain(|(handled, key)| known && !is_explained(handled, key));
    missing
}

fn bracketed(text: &str, span: Span) -> Vec<MenuOption> {
    let mut options = Vec::new();
    if near_byte(b'[', text.as_bytes()).is_none() {
        return options;
    }
    for (start, line) in list::lines(text) {
        let found: Vec<_> = bracket::brackets(line)
            .filter(|found| !is_placeholder(line, found))
            .collect();
        options.extend(bracket::line_options(
            line,
            &found,
            span.inner(start, start + line.len()),
        ));
    }
    options
}

/// Reads signs in brackets as keys, each at the start of its line and before a label: `[+] Add`.
fn signed(text: &str, span: Span) -> impl Iterator<Item = MenuOption> + '_ {
    list::lines(text).filter_map(move |(start, line)| {
        let (before, rest) = line.split_once('[')?;
        let (key, label) = rest.split_once("] ")?;
        let is_sign = matches!(key, "+" | "-" | "?") && label.starts_with(char::is_alphabetic);
        let begins = before.chars().all(|at| at.is_whitespace() || at == '*');
        (is_sign && begins).then(|| MenuOption {
            key: key.to_owned(),
            label: bracket::short(label).to_owned(),
            span: span.inner(start + before.len(), start + line.trim_end().len()),
        })
    })
}

/// Reads words in brackets as keys, where there are several with a label each: `[dev] Development`.
fn worded(text: &str, span: Span) -> Vec<MenuOption> {
    let mut options = Vec::new();
    if near_byte(b'[', text.as_bytes()).is_none() {
        return options;
    }
    for (start, line) in list::lines(text) {
        let found: Vec<_> = bracket::worded(line).collect();
        let place = span.inner(start, start + line.len());
        options.extend(bracket::line_options(line, &found, place));
    }
    let is_choice = options.len() > 1 && options.iter().all(|option| !option.label.is_empty());
    if is_choice { options } else { Vec::new() }
}

/// Tells `found [X] items` and `- [x] done` from a key.
fn is_placeholder(line: &str, found: &bracket::Bracket<'_>) -> bool {
    let before = line.get(..found.start).unwrap_or("").trim_end();
    if found.key == "x" && matches!(before.trim_start(), "-" | "*" | "+") {
        return true;
    }
    let after = line.get(found.end..).unwrap_or("").trim_start();
    let capital = found.key.bytes().all(|at| at.is_ascii_uppercase());
    let word = before.rsplit(|at: char| !at.is_alphanumeric()).next().unwrap_or("");
    let joins = matches!(
        &*word.to_ascii_lowercase(),
        "" | "or" | "and" | "option" | "press" | "enter" | "type" | "choose" | "select" | "pick" | "to"
    );
    capital && !joins && after.starts_with(|at: char| at.is_lowercase()) && !after.starts_with("or ")
}

/// Keeps one option per key; a later one may bring the label.
fn merge(found: Vec<MenuOption>) -> Vec<MenuOption> {
    let mut kept: Vec<MenuOption> = Vec::with_capacity(found.len());
    for option in found {
        if kept.len() == draft::MAX_OPTIONS {
            break;
        }
        match kept.iter_mut().find(|kept| kept.key.eq_ignore_ascii_case(&option.key)) {
            Some(kept) if kept.label.is_empty() => *kept = option,
            Some(_) => {}
            None => kept.push(option),
        }
    }
    kept.sort_by_key(|option| option.span.start);
    kept
}
