//! Options that are written as code, beside others with their keys in brackets, in one quotation: ``- `K` — Keep it``.

use super::MenuOption;
use super::bracket::{is_key, short};
use super::page::Row;
use crate::source::Source;
use crate::syntax::LineKind;

/// The most rows of a quotation that are looked at.
const MAX_ROWS: usize = 40;

/// Puts those that stand above a row in its quotation before the options of the row, where they are of other keys.
pub(super) fn above(rows: &[Row<'_>], index: usize, mut options: Vec<MenuOption>, source: &Source) -> Vec<MenuOption> {
    let is_quoted = |row: &&Row<'_>| row.kind == LineKind::Quote;
    if rows.get(index).filter(is_quoted).is_none() {
        return options;
    }
    let rows = rows[..index].iter().rev().take(MAX_ROWS).take_while(is_quoted);
    for ticked in rows.filter_map(|row| option(row, source)) {
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
