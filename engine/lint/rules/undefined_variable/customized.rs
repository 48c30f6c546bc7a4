//! `{workflow.x}` and `{agent.x}` in a skill that says in its `customize.toml` what can be set: one that it does not have
//! and that is nearly one it has.

use super::misspelt_hole;
use crate::diagnostic::{differ_in_number, nearest};
use crate::lint::{FileUnit, Findings};
use crate::model::Document;
use crate::source::QuickMap;
use crate::syntax::{Format, Hole, HoleKind};

/// The tables that such names are read from.
const TABLES: &[&str] = &["workflow", "agent"];

/// How many unknown settings of a page are compared with those that there are.
const MOST: usize = 64;

/// Finds the settings that the skill around a page does not have.
pub(super) fn check(unit: &FileUnit<'_>, findings: &mut Findings) {
    if unit.document.parsed.format != Format::Markdown {
        return;
    }
    let mut named = unit.facts.holes.iter().filter_map(setting).peekable();
    if named.peek().is_none() {
        return;
    }
    let data = settings(unit).and_then(|settings| settings.parsed.data.as_ref());
    let mut judged: QuickMap<(&str, &str), Option<&str>> = QuickMap::default();
    for (hole, table, key) in named {
        let pairs = data
            .and_then(|data| data.get(table))
            .map_or(&[][..], |table| table.pairs());
        if pairs.iter().any(|pair| pair.key == key) {
            continue;
        }
        if !judged.contains_key(&(table, key)) && judged.len() == MOST {
            continue;
        }
        let near = *judged.entry((table, key)).or_insert_with(|| {
            let near = nearest(key, pairs.iter().map(|pair| pair.key.as_str()))?;
            // The text may tell of a setting that only the users of the skill have.
            (!differ_in_number(key, near) && !unit.document.tells(key)).then_some(near)
        });
        if let Some(near) = near {
            let rest = &hole.name[table.len() + 1 + key.len()..];
            misspelt_hole(hole.span, hole.name, &format!("{table}.{near}{rest}"), findings);
        }
    }
}

/// Returns the table and the key that a name in braces is read from.
fn setting<'a>(hole: &'a Hole<'a>) -> Option<(&'a Hole<'a>, &'static str, &'a str)> {
    let (first, rest) = hole.name.split_once('.')?;
    let table = TABLES.iter().find(|table| **table == first)?;
    let key = rest.split('.').next()?;
    (hole.kind == HoleKind::Single).then_some((hole, *table, key))
}

/// Returns what the skill around a page lets its users change.
fn settings<'a>(unit: &FileUnit<'a>) -> Option<&'a Document> {
    unit.subject.library.at(&unit.skill()?.join("customize.toml")?)
}
