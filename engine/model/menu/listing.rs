//! Lines in, a menu without brackets out: numbers or bold labels below a line that introduces a choice.

use super::draft::MAX_OPTIONS;
use super::page::{Row, depth};
use super::{MenuOption, MenuStyle, list, words};
use crate::source::Source;

/// The most lines one listed menu may span.
const MAX_ROWS: usize = MAX_OPTIONS * 8;

/// A menu without brackets.
pub(super) struct Listed {
    /// The row of its last option.
    pub(super) last: usize,
    pub(super) options: Vec<MenuOption>,
    pub(super) style: MenuStyle,
    /// Whether an item among them has no label.
    pub(super) open: bool,
}

/// Reads a numbered or bold-label menu whose first line is `index`.
#[inline]
pub(super) fn read(rows: &[Row<'_>], index: usize, source: &Source) -> Option<Listed> {
    match rows.get(index)?.text.as_bytes() {
        // Most lines begin with a word, and most others are items of one list.
        [first, second, ..] if first.is_ascii_alphabetic() && !matches!(second, b')' | b'.') => None,
        [b'-', b' ', ..] if matches!(before(rows, index)?.text.as_bytes(), [b'-', b' ', ..]) => None,
        _ => listed(rows, index, source),
    }
}

/// Returns the last row before a row that says something, if it is near.
#[inline]
fn before<'r, 'a>(rows: &'r [Row<'a>], index: usize) -> Option<&'r Row<'a>> {
    let (_, near) = rows.get(..index)?.split_at_checked(index.saturating_sub(3))?;
    near.iter().rev().find(|row| !row.is_blank())
}

/// Reads such a menu whatever its first line begins with.
fn listed(rows: &[Row<'_>], index: usize, source: &Source) -> Option<Listed> {
    let row = rows.get(index)?;
    let is_item = match row.text.as_bytes() {
        [b'-', ..] => false,
        _ => list::item(row.text).is_some_and(|item| item.ordinal() <= 1),
    };
    if is_item {
        let found = numbers(rows, index);
        let last = found.last().map_or(index, |(last, _)| *last);
        let asked = || before(rows, index).is_some_and(|row| words::introduces(row.text)) || is_asked_after(rows, last);
        return (found.len() > 1 && asked()).then(|| Listed {
            last,
            options: found
                .iter()
                .map(|(at, item)| numbered(&rows[*at], item, source))
                .collect(),
            style: MenuStyle::Numbered,
            open: false,
        });
    }
    if !is_bullet(row) {
        return None;
    }
    let intro = before(rows, index)
        .filter(|before| !is_bullet(before) || depth(before.text) < depth(row.text))?
        .text;
    if !words::introduces(intro) {
        return None;
    }
    let least = if words::gives_choice(intro) { 1 } else { 2 };
    let listed = labels(rows, index, intro, source);
    (listed.options.len() >= least).then_some(listed)
}

fn is_bullet(row: &Row<'_>) -> bool {
    matches!(row.text.as_bytes()[depth(row.text)..], [b'-' | b'*', b' ', ..])
}

/// Says whether the line below a list asks for a number or a letter of it.
fn is_asked_after(rows: &[Row<'_>], last: usize) -> bool {
    let mut after = rows.iter().skip(last + 1).take(2).filter(|row| !row.is_blank());
    let first_depth = rows.get(last).map_or(0, |row| depth(row.text));
    after
        .next()
        .is_some_and(|row| !is_bullet(row) && depth(row.text) <= first_depth && words::asks_for_one(row.text))
}

/// Finds the rows of a list that are numbered one after the other, from 1 or from 0 on.
fn numbers<'a>(rows: &[Row<'a>], index: usize) -> Vec<(usize, list::Item<'a>)> {
    let mut items: Vec<(usize, list::Item<'a>)> = Vec::new();
    let first_depth = rows.get(index).map_or(0, |row| depth(row.text));
    for (at, row) in rows.iter().enumerate().skip(index).take(MAX_ROWS) {
        if row.is_blank() {
            continue;
        }
        match list::item(row.text).filter(|_| depth(row.text) == first_depth) {
            Some(item) => {
                let first = items.first().map_or(item.ordinal(), |(_, first)| first.ordinal());
                if item.is_open() || item.ordinal() as usize != items.len() + first as usize {
                    break;
                }
                items.push((at, item));
            }
            None if depth(row.text) <= first_depth => break,
            None => {}
        }
    }
    items
}

fn numbered(row: &Row<'_>, item: &list::Item<'_>, source: &Source) -> MenuOption {
    item.option(row.span(source), row.text.trim_end().len())
}

fn labels(rows: &[Row<'_>], index: usize, intro: &str, source: &Source) -> Listed {
    let mut options: Vec<MenuOption> = Vec::new();
    // What stands behind the last option deals with the answers.
    let (mut last, mut plain, mut open) = (index, false, false);
    let gives_choice = words::gives_choice(intro);
    let first_depth = rows.get(index).map_or(0, |row| depth(row.text));
    for (at, row) in rows.iter().enumerate().skip(index).take(MAX_ROWS) {
        if row.is_blank() || depth(row.text) > first_depth {
            continue;
        }
        if !is_bullet(row) || depth(row.text) < first_depth {
            break;
        }
        let Some(found) = list::labelled_line(row.text) else {
            plain = gives_choice;
            continue;
        };
        let known = options
            .iter()
            .any(|option| option.key.eq_ignore_ascii_case(found.label));
        if known || (found.is_colon() && !gives_choice) {
            break;
        }
        options.push(found.option(row.span(source), row.text.trim_end().len()));
        last = at;
        open = plain;
    }
    Listed {
        last,
        options,
        style: MenuStyle::Labelled,
        open,
    }
}
