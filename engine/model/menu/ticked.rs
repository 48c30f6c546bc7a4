//! Options that are written as code, beside others with their keys in brackets, in one quotation: ``- `K` — Keep it``.

use super::MenuOption;
use super::bracket::{is_key, short};
use super::page::{Page, Row};
use crate::source::Source;
use crate::syntax::LineKind;

/// The most rows of a quotation that are looked at.
const MAX_ROWS: usize = 40;

/// Puts those that stand above a row in its quotation before the options of the row, where they are of other keys.
pub(super) fn above(page: Page<'_>, index: usize, mut options: Vec<MenuOption>) -> Vec<MenuOption> {
    if page.lines[index].kind != LineKind::Quote {
        return options;
    }
    let rows = page.rows(0..index).rev().take(MAX_ROWS);
    let rows = rows.take_while(|row| row.kind == LineKind::Quote);
    for ticked in rows.filter_map(|row| option(&row, page.source)) {
        if !options.iter().any(|known| known.key == ticked.key) {
            options.insert(0, ticked);
        }
    }
    options
}

/// Reads an item that is a key as code, or one with a value behind it, and what it is called: ``- `R [value]` — Rank it``.
fn option(row: &Row<'_>, source: &Source) -> Option<MenuOption> {
    let item = row.text.trim_start_matches(['>', ' ']).strip_prefix(['-', '*'])?;
    let code = item.trim_start().strip_prefix('`')?;
    let (said, after) = code.split_once('`')?;
    let (key, value) = said.split_once(' ').unwrap_or((said, ""));
    let is_value = value.is_empty() || value.starts_with('[') && value.ends_with(']');
    let label = after.trim_start().strip_prefix(['—', '–', '-', ':'])?;
    let label = short(label);
    let start = row.text.len() - code.len() - 1;
    // A small letter is as likely the name of a field.
    let is_capital = !key.bytes().any(|at| at.is_ascii_lowercase());
    (is_key(key) && is_capital && is_value && !label.is_empty()).then(|| MenuOption {
        key: key.to_owned(),
        label: label.to_owned(),
        span: source.span(row.start + start, row.start + row.text.trim_end().len()),
    })
}
