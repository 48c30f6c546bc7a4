//! Tags and attributes that are nearly one of the language, and so mean nothing.

use crate::diagnostic::{Code, Severity};
use crate::lint::{Check, FileUnit, Findings, Rule, nearest};
use crate::source::Span;
use crate::syntax::{Attribute, Child, Content, Element, TAGS, Tag};

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

fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.role.instructs() {
        walk(unit, &unit.document.parsed.tree, findings);
    }
}

fn walk(unit: &FileUnit<'_>, tree: &[Child], findings: &mut Findings) {
    for child in tree {
        let Child::Element(element) = child else { continue };
        attributes(element, findings);
        if element.tag.row().content == Content::Block {
            let texts = element.children.iter().filter_map(|child| match child {
                Child::Text(span) => Some(*span),
                Child::Element(_) => None,
            });
            texts.for_each(|span| text(unit, span, findings));
        }
        walk(unit, &element.children, findings);
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
    let alike = |known: &&str| known.eq_ignore_ascii_case(name) || undoubled(name) == **known;
    free().find(alike).or_else(|| nearest(name, free()))
}

/// Takes away letters that repeat the one before them.
fn undoubled(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// Finds what looks like a tag in a text between tags, and is nearly one of the language.
fn text(unit: &FileUnit<'_>, span: Span, findings: &mut Findings) {
    let text = unit.document.source.slice(span);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let open = at + found;
        let rest = &text[open..];
        at = match rest.starts_with("<!--") {
            true => open + rest.find("-->").unwrap_or(rest.len()),
            false => open + 1,
        };
        let place = span.inner(open, open);
        let line = text[..open].rsplit('\n').next().unwrap_or("");
        let begins = line.trim().is_empty() || line.trim_end().ends_with('>');
        if !begins || unit.document.parsed.markdown.is_fenced(place.start) {
            continue;
        }
        let name = written(&rest[1..]);
        if BRANCHES.iter().any(|branch| branch.eq_ignore_ascii_case(name)) && is_used(unit, rest, name, place) {
            let whole = span.inner(open + 1, open + 1 + name.len());
            let found = findings.add(
                whole,
                format!("`<{name}>` is no tag: what stands in it is done in any case"),
            );
            found.help = Some("write `<check if=\"otherwise\">` behind the check".to_owned());
            continue;
        }
        let Some(meant) = tag_meant(name).filter(|_| is_used(unit, rest, name, place)) else {
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

/// Says whether a name in angle brackets is used as a tag, and is no placeholder: it has an attribute or is closed.
fn is_used(unit: &FileUnit<'_>, rest: &str, name: &str, place: Span) -> bool {
    let head = rest.split('>').next().unwrap_or(rest);
    let behind = unit.document.source.text().get(place.start as usize..).unwrap_or("");
    head.ends_with('/') || head.contains("=\"") || head.contains("='") || behind.contains(&format!("</{name}>"))
}
