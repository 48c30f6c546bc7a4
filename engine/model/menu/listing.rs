//! Lines in, a menu without brackets out: numbers or bold labels below a line that introduces a choice.

use super::draft::MAX_OPTIONS;
use super::page::{Page, Row, depth};
use super::{MenuOption, MenuStyle, list, words};
use crate::source::Source;
use crate::syntax::LineKind;

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
pub(super) fn read(page: Page<'_>, index: usize) -> Option<Listed> {
    let row = page.row(index);
    match row.text.as_bytes() {
        // Most lines begin with a word, and most others are items of one list.
        [first, second, ..] if first.is_ascii_alphabetic() && !matches!(second, b')' | b'.') => None,
        [b'-', b' ', ..] if matches!(before(page, index)?.text.as_bytes(), [b'-', b' ', ..]) => None,
        _ => listed(page, index, row),
    }
}

/// Says whether an item without a label is one more way to answer: `- Or say what else to do.`
fn offers_more(row: &str) -> bool {
    let said = row.trim_start_matches(['-', '*', ' ']);
    said.get(..3).is_some_and(|first| first.eq_ignore_ascii_case("or "))
}

/// Returns the last row before a row that says something, if it is near.
#[inline]
fn before(page: Page<'_>, index: usize) -> Option<Row<'_>> {
    let near = (index.saturating_sub(3)..index).rev();
    let rows = near.filter(|at| page.lines[*at].kind != LineKind::Blank);
    rows.map(|at| page.row(at)).find(|row| !row.is_blank())
}

/// Reads such a menu whatever its first line begins with.
fn listed(page: Page<'_>, index: usize, row: Row<'_>) -> Option<Listed> {
    let is_item = match row.text.as_bytes() {
        [b'-', ..] => false,
        _ => list::item(row.text).is_some_and(|item| item.ordinal() <= 1),
    };
    if is_item {
        let found = numbers(page, index);
        let last = found.last().map_or(index, |(last, _)| *last);
        let asked = || before(page, index).is_some_and(|row| words::introduces(row.text)) || is_asked_after(page, last);
        return (found.len() > 1 && asked()).then(|| Listed {
            last,
            options: found
                .iter()
                .map(|(at, item)| numbered(&page.row(*at), item, page.source))
                .collect(),
            style: MenuStyle::Numbered,
            open: false,
        });
    }
    if !is_bullet(&row) {
        return None;
    }
    let intro = before(page, index)
        .filter(|before| words::may_introduce(before.text))
        .filter(|before| !is_bullet(before) || depth(before.text) < depth(row.text))?
        .text;
    if !words::introduces(intro) {
        return None;
    }
    let least = if words::gives_choice(intro) { 1 } else { 2 };
    let listed = labels(page, index, intro);
    (listed.options.len() >= least).then_some(listed)
}

fn is_bullet(row: &Row<'_>) -> bool {
    matches!(row.text.as_bytes()[depth(row.text)..], [b'-' | b'*', b' ', ..])
}

/// Says whether the line below a list asks for a number or a letter of it.
fn is_asked_after(page: Page<'_>, last: usize) -> bool {
    let mut after = page.rows(last + 1..last + 3).filter(|row| !row.is_blank());
    let first_depth = page.get(last).map_or(0, |row| depth(row.text));
    after
        .next()
        .is_some_and(|row| !is_bullet(&row) && depth(row.text) <= first_depth && words::asks_for_one(row.text))
}

/// Finds the rows of a list that are numbered one after the other, from 1 or from 0 on.
fn numbers(page: Page<'_>, index: usize) -> Vec<(usize, list::Item<'_>)> {
    let mut items: Vec<(usize, list::Item<'_>)> = Vec::new();
    let first_depth = depth(page.row(index).text);
    for (at, row) in (index..).zip(page.rows(index..index + MAX_ROWS)) {
        if row.is_blank() {
            continue;
        }
        let own_depth = depth(row.text);
        let found = if own_depth == first_depth {
            list::item(row.text)
        } else {
            None
        };
        match found {
            Some(item) => {
                let first = items.first().map_or(item.ordinal(), |(_, first)| first.ordinal());
                if item.is_open() || item.ordinal() as usize != items.len() + first as usize {
                    break;
                }
                items.push((at, item));
            }
            None if own_depth <= first_depth => break,
            None => {}
        }
    }
    items
}

fn numbered(row: &Row<'_>, item: &list::Item<'_>, source: &Source) -> MenuOption {
    item.option(row.span(source), row.text.trim_end().len())
}

fn labels(page: Page<'_>, index: usize, intro: &str) -> Listed {
    let mut options: Vec<MenuOption> = Vec::new();
    // What stands behind the last option deals with the answers.
    let (mut last, mut plain, mut open) = (index, false, false);
    let gives_choice = words::gives_choice(intro);
    let first_depth = depth(page.row(index).text);
    for (at, row) in (index..).zip(page.rows(index..index + MAX_ROWS)) {
        if row.is_blank() || depth(row.text) > first_depth {
            continue;
        }
        if !is_bullet(&row) || depth(row.text) < first_depth {
            break;
        }
        let Some(found) = list::labelled_line(row.text) else {
            plain = gives_choice;
            open |= gives_choice && offers_more(row.text);
            continue;
        };
        let known = options
            .iter()
            .any(|option| option.key.eq_ignore_ascii_case(found.label));
        if known || (found.is_colon() && !gives_choice) {
            break;
        }
        options.push(found.option(row.span(page.source), row.text.trim_end().len()));
        last = at;
        open |= plain;
    }
    Listed {
        last,
        options,
        style: MenuStyle::Labelled,
        open,
    }
}
