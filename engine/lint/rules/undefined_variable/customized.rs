//! `{workflow.x}` and `{agent.x}` in a skill that says in its `customize.toml` what can be set: one that it does not have.

use super::misspelt_hole;
use crate::diagnostic::{Severity, differ_in_number, nearest};
use crate::lint::sentence::{around, words};
use crate::lint::{FileUnit, Findings};
use crate::model::{Document, Wanted};
use crate::source::{QuickMap, near_byte};
use crate::syntax::{Format, Hole, HoleKind, Node};
use std::cell::LazyCell;

/// The tables that such names are read from.
const TABLES: &[&str] = &["workflow", "agent"];

/// How many unknown settings of a page are compared with those that there are.
const MOST: usize = 64;

/// What a name in braces means that the skill has no setting for.
#[derive(Clone, Copy)]
enum Meant<'a> {
    /// Another one.
    Other(&'a str),
    /// One that is called so for one thing where this is for many, or the other way round.
    Number(&'a str),
    /// None that there is.
    Unknown,
    /// Nothing is wrong, or nobody knows.
    Fine,
}

/// Finds the settings that the skill around a page does not have.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.parsed.format != Format::Markdown {
        return;
    }
    let data = LazyCell::new(|| settings(unit).and_then(|settings| settings.parsed.data.as_ref()));
    let mut judged: QuickMap<(&str, &str), Meant<'_>> = QuickMap::default();
    for hole in unit.facts.holes.iter().filter(|hole| hole.kind == HoleKind::Single) {
        let Some((first, key)) = dotted(hole.name) else {
            continue;
        };
        let Some(table) = table(first, key, || *data) else {
            continue;
        };
        let pairs = data.and_then(|data| data.get(table)).map_or(&[][..], Node::pairs);
        let is_there = pairs.iter().any(|pair| pair.key == key);
        if is_there && first == table || pairs.is_empty() {
            continue;
        }
        let rest = &hole.name[first.len() + 1 + key.len()..];
        if is_there {
            misspelt_hole(hole.span, hole.name, &format!("{table}.{key}{rest}"), findings);
            continue;
        }
        if !judged.contains_key(&(table, key)) && judged.len() == MOST {
            continue;
        }
        let keys = || pairs.iter().map(|pair| pair.key.as_str());
        let meant = *judged
            .entry((table, key))
            .or_insert_with(|| meant(unit, (table, key), keys()));
        report(hole, (table, key, rest), meant, findings);
    }
}

/// Says what a setting means that the skill does not have.
fn meant<'a>(unit: &FileUnit<'_>, (table, key): (&str, &str), keys: impl Iterator<Item = &'a str>) -> Meant<'a> {
    // The text may tell of a setting that only the users of the skill have, and so may their own file.
    if unit.document.tells(&Wanted::new(key)) {
        return Meant::Fine;
    }
    match nearest(key, keys) {
        Some(near) if !differ_in_number(key, near) => Meant::Other(near),
        _ if is_optional(unit, table, key) || is_set_elsewhere(unit, table, key) => Meant::Fine,
        Some(near) => Meant::Number(near),
        None => Meant::Unknown,
    }
}

/// Reports a setting that the skill does not have.
fn report(hole: &Hole<'_>, (table, key, rest): (&str, &str, &str), meant: Meant<'_>, findings: &mut Findings) {
    let near = match meant {
        Meant::Other(near) => {
            return misspelt_hole(hole.span, hole.name, &format!("{table}.{near}{rest}"), findings);
        }
        Meant::Number(near) => Some(near),
        Meant::Unknown => None,
        Meant::Fine => return,
    };
    let message = format!("`customize.toml` has no key `{key}` in its table `{table}`");
    findings.add_as(Severity::Warning, hole.span, message).help = Some(match near {
        Some(near) => format!("did you mean `{{{table}.{near}{rest}}}`?"),
        None => format!("give `{key}` a value there, or write a key that it has"),
    });
}

/// Says whether the words beside a place that names the setting make it one for a case: who has it sets it.
fn is_optional(unit: &FileUnit<'_>, table: &str, key: &str) -> bool {
    const CASES: &[&str] = &[
        "if", "when", "where", "unless", "whether", "any", "optional", "set", "exists", "present", "given", "defined",
        "empty",
    ];
    const NEAR: usize = 4;
    let text = unit.document.source.text();
    let name = format!("{{{table}.{key}");
    let mut places = memchr::memmem::find_iter(text.as_bytes(), name.as_bytes());
    places.any(|at| {
        let sentence = around(text, 0, at);
        let before = words(text, sentence.start..at);
        let after = words(text, (at + name.len()).min(sentence.end)..sentence.end);
        let mut beside = before.iter().rev().take(NEAR).chain(after.iter().take(NEAR));
        beside.any(|word| word.is_in(CASES))
    })
}

/// Says whether a file with the users' own settings of the skill, which an installation keeps apart, has the key.
fn is_set_elsewhere(unit: &FileUnit<'_>, table: &str, key: &str) -> bool {
    let library = unit.subject.library;
    let Some(skill) = unit.skill() else { return false };
    let files = ["toml", "user.toml"].map(|end| format!("custom/{}.{end}", skill.name()));
    let mut own = library
        .roots
        .iter()
        .flat_map(|root| files.iter().filter_map(|file| library.at(&root.join(file)?)));
    own.any(|file| {
        let data = file.parsed.data.as_ref().and_then(|data| data.get(table));
        data.is_some_and(|data| data.get(key).is_some())
    })
}

/// Splits a name at its first two dots.
fn dotted(name: &str) -> Option<(&str, &str)> {
    let (first, rest) = name.split_at(near_byte(b'.', name.as_bytes())?);
    let key = &rest[1..];
    Some((first, near_byte(b'.', key.as_bytes()).map_or(key, |end| &key[..end])))
}

/// Returns the table that a name in braces is read from, or that it means where it is misspelt and the key is there.
fn table<'a>(first: &str, key: &str, data: impl FnOnce() -> Option<&'a Node>) -> Option<&'static str> {
    let mut tables = TABLES.iter().copied();
    if let Some(table) = tables.find(|table| *table == first) {
        return Some(table);
    }
    let near = nearest(first, TABLES.iter().copied()).filter(|near| !differ_in_number(near, first))?;
    let is_there = |data: &Node| data.get(near).is_some_and(|table| table.get(key).is_some());
    data().is_some_and(is_there).then_some(near)
}

/// Returns what the skill around a page lets its users change.
fn settings<'a>(unit: &FileUnit<'a>) -> Option<&'a Document> {
    unit.subject.library.at(&unit.skill()?.join("customize.toml")?)
}
