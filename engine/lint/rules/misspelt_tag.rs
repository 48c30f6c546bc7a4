//! Tags and attributes that are nearly one of the language, and so mean nothing.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::source::{Span, near_byte, near_last, near_places};
use crate::syntax::{Attribute, Child, Content, Element, TAGS, Tag};
use std::cell::OnceCell;
use std::collections::HashMap;

pub(super) const RULE: Rule = Rule {
    code: Code("misspelt-tag"),
    severity: Severity::Warning,
    summary: "a tag or an attribute is nearly one of the language, so nobody reads it",
    page: include_str!("../../../spec/rules/misspelt-tag.md"),
    check: Check::File(check),
};

/// The shortest name whose near misses are told by any edit; of a shorter one only two letters may be swapped.
const LONG: usize = 5;
/// What authors write for `if`.
const WHEN: &[&str] = &["condition", "when", "test", "cond"];

/// What authors write for the other branch of a check, as other languages have it.
const BRANCHES: &[&str] = &["else", "elseif", "elif", "else-if"];

/// A file, and the names that it closes as tags: where it does last.
struct Page<'a> {
    unit: &'a FileUnit<'a>,
    closed: OnceCell<HashMap<&'a str, usize>>,
}

/// What comes next in a text: found once, and again only when it was passed.
struct Ahead<'a> {
    text: &'a str,
    bracket: Option<usize>,
    value: Option<usize>,
}

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.role.instructs() {
        let closed = OnceCell::new();
        walk(&Page { unit, closed }, &unit.document.parsed.tree, findings);
    }
}

fn walk(page: &Page<'_>, tree: &[Child], findings: &mut Findings) {
    for child in tree {
        let Child::Element(element) = child else { continue };
        attributes(element, findings);
        if element.tag.row().content == Content::Block {
            let texts = element.children.iter().filter_map(|child| match child {
                Child::Text(span) => Some(*span),
                Child::Element(_) => None,
            });
            texts.for_each(|span| text(page, span, findings));
        }
        walk(page, &element.children, findings);
    }
}

/// Finds attributes that the tag does not have, and that are nearly one it has.
fn attributes(element: &Element, findings: &mut Findings) {
    let row = element.tag.row();
    // Those of the engine's own tags are looked at more closely elsewhere.
    if element.tag.is_engine() || matches!(element.tag, Tag::Menu | Tag::Loop | Tag::Output | Tag::Goto) {
        return;
    }
    for attribute in &element.attributes {
        if row.attributes.iter().any(|known| known.name == &*attribute.name) {
            continue;
        }
        let Some(meant) = meant(element, attribute) else {
            continue;
        };
        let message = format!(
            "`<{}>` has no attribute `{}`, so nobody reads it",
            row.name, attribute.name
        );
        findings.add(attribute.name_span, message).help = Some(format!("did you mean `{meant}`?"));
    }
}

/// Returns the attribute that an unknown one most probably stands for.
fn meant(element: &Element, attribute: &Attribute) -> Option<&'static str> {
    let name = &*attribute.name;
    let known = || element.tag.row().attributes.iter().map(|known| known.name);
    let free = || known().filter(|known| element.attribute(known).is_none());
    if element.tag == Tag::Check && WHEN.contains(&name) {
        return free().find(|known| *known == "if");
    }
    let alike =
        |known: &&str| known.eq_ignore_ascii_case(name) || undoubled(name) == **known || sorted(name) == sorted(known);
    free().find(alike).or_else(|| nearest(name, free()))
}

/// Takes away letters that repeat the one before them.
fn undoubled(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Finds what looks like a tag in a text between tags, and is nearly one of the language.
fn text(page: &Page<'_>, span: Span, findings: &mut Findings) {
    let document = page.unit.document;
    let text = document.source.slice(span);
    let mut ahead = Ahead::new(text);
    let (mut at, mut passed, mut line) = (0, 0, 0);
    while let Some(found) = near_byte(b'<', &text.as_bytes()[at..]) {
        let open = at + found;
        let rest = &text[open..];
        at = match rest.starts_with("<!--") {
            true => open + rest.find("-->").unwrap_or(rest.len()),
            false => open + 1,
        };
        let place = span.inner(open, open);
        line = near_last(b'\n', &text.as_bytes()[passed..open]).map_or(line, |last| passed + last + 1);
        passed = open;
        let before = text[line..open].trim_end();
        let begins = before.is_empty() || before.ends_with('>');
        if !begins || document.parsed.markdown.is_fenced(place.start) {
            continue;
        }
        let name = written(&rest[1..]);
        let mut is_used = || ahead.is_used(open) || page.is_closed(name, place);
        if BRANCHES.iter().any(|branch| branch.eq_ignore_ascii_case(name)) && is_used() {
            let whole = span.inner(open + 1, open + 1 + name.len());
            let found = findings.add(
                whole,
                format!("`<{name}>` is no tag: what stands in it is done in any case"),
            );
            found.help = Some("write `<check if=\"otherwise\">` behind the check".to_owned());
            continue;
        }
        let Some(meant) = tag_meant(name).filter(|_| is_used()) else {
            continue;
        };
        let whole = span.inner(open + 1, open + 1 + name.len());
        let found = findings.add(whole, format!("`<{name}>` is no tag, so it is read as text"));
        found.help = Some(format!("did you mean `<{meant}>`?"));
    }
}

/// Returns the name that a tag begins with.
fn written(text: &str) -> &str {
    let end = text.find(|at: char| !at.is_ascii_alphanumeric() && !matches!(at, '-' | '_'));
    &text[..end.unwrap_or(text.len())]
}

/// Returns the tag that an unknown name most probably stands for.
fn tag_meant(name: &str) -> Option<&'static str> {
    let names = || TAGS.iter().map(|row| row.name);
    if name.len() < 2 || names().any(|known| known == name) {
        return None;
    }
    let alike = names().find(|known| known.eq_ignore_ascii_case(name));
    alike.or_else(|| {
        let near = nearest(name, names())?;
        let is_plural = near.strip_suffix('s') == Some(name) || name.strip_suffix('s') == Some(near);
        let is_sure = name.len() >= LONG || sorted(name) == sorted(near);
        (is_sure && !is_plural).then_some(near)
    })
}

fn sorted(name: &str) -> Vec<u8> {
    let mut letters = name.to_ascii_lowercase().into_bytes();
    letters.sort_unstable();
    letters
}

impl Page<'_> {
    /// Says whether a name is closed as a tag behind a place: it is no placeholder.
    fn is_closed(&self, name: &str, place: Span) -> bool {
        let closed = self.closed.get_or_init(|| closed(self.unit.document.source.text()));
        closed.get(name).is_some_and(|last| *last >= place.start as usize)
    }
}

/// Collects the names that a text closes as tags, with the last place of each.
fn closed(text: &str) -> HashMap<&str, usize> {
    let ends = memchr::memmem::find_iter(text.as_bytes(), "</");
    let named = ends.filter_map(|at| {
        let name = written(&text[at + 2..]);
        text[at + 2 + name.len()..].starts_with('>').then_some((name, at))
    });
    named.collect()
}

impl<'a> Ahead<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            bracket: None,
            value: None,
        }
    }

    /// Says whether a name in angle brackets is used as a tag, and is no placeholder: it has an attribute or ends itself.
    fn is_used(&mut self, open: usize) -> bool {
        let text = self.text;
        let bytes = &text.as_bytes()[open..];
        let is_value = |at: &usize| matches!(bytes.get(at + 1), Some(b'"' | b'\''));
        let first = |found: Option<usize>| found.map_or(text.len(), |found| open + found);
        let bracket = self.bracket.filter(|at| *at >= open);
        let bracket = bracket.unwrap_or_else(|| first(near_byte(b'>', bytes)));
        let value = self.value.filter(|at| *at >= open);
        let value = value.unwrap_or_else(|| first(near_places(b'=', bytes).find(is_value)));
        (self.bracket, self.value) = (Some(bracket), Some(value));
        value < bracket || text[open..bracket].ends_with('/')
    }
}
