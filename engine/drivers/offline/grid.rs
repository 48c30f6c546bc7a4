//! A page in, its tables out: rows and cells with their places.

use super::page::{Page, PageLine};
use crate::syntax::{LineKind, inline_code};
use std::ops::Range;

/// A table.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) header: Row,
    /// The line of hyphens below the header.
    pub(super) rule: Row,
    pub(super) rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// The whole line.
    pub(super) range: Range<usize>,
    /// What each cell holds, without the blanks around it.
    pub(super) cells: Vec<Range<usize>>,
    /// How many cells there are where a border inside code counts as a border too: readers differ.
    pub(super) most: usize,
}

impl Row {
    /// Says whether two rows may have the same number of cells.
    pub(super) fn fits(&self, other: &Row) -> bool {
        let counts = [self.cells.len(), self.most];
        counts.contains(&other.cells.len()) || counts.contains(&other.most)
    }

    /// Returns the text of a cell.
    pub(super) fn cell<'p>(&self, page: &'p Page, column: usize) -> &'p str {
        let range = self.cells.get(column).cloned().unwrap_or_default();
        page.visible.get(range).unwrap_or("")
    }
}

/// Returns the tables of a page whose rows begin with a border.
pub(super) fn grids(page: &Page) -> Vec<Grid> {
    let lines: Vec<PageLine<'_>> = page.lines().collect();
    let is_row = |line: &&PageLine<'_>| line.kind == LineKind::Table;
    let mut found = Vec::new();
    let mut at = 0;
    while at + 1 < lines.len() {
        let (header, rule) = (lines[at], lines[at + 1]);
        let begins = is_row(&&header) && is_row(&&rule) && is_rule(rule.visible) && !is_rule(header.visible);
        if !begins {
            at += 1;
            continue;
        }
        let rows: Vec<Row> = lines[at + 2..]
            .iter()
            .take_while(is_row)
            .map(|line| row(page, line))
            .collect();
        at += 2 + rows.len();
        found.push(Grid {
            header: row(page, &header),
            rule: row(page, &rule),
            rows,
        });
    }
    found
}

/// Says whether a line is hyphens between borders.
fn is_rule(line: &str) -> bool {
    let cells = line.trim().trim_matches('|').split('|');
    let is_hyphens = |cell: &str| {
        let bare = cell.trim().trim_matches(':');
        !bare.is_empty() && bare.bytes().all(|byte| byte == b'-')
    };
    cells.into_iter().all(is_hyphens)
}

fn row(page: &Page, line: &PageLine<'_>) -> Row {
    let text = page.text().get(line.start..line.end()).unwrap_or("");
    let code: Vec<Range<usize>> = inline_code(text).collect();
    let borders: Vec<usize> = borders(text);
    let outside: Vec<usize> = borders
        .iter()
        .copied()
        .filter(|at| !code.iter().any(|span| span.contains(at)))
        .collect();
    Row {
        range: line.start..line.start + text.trim_end().len(),
        cells: cells(text, &outside, line.start),
        most: cells(text, &borders, line.start).len(),
    }
}

/// Returns the places of the borders that are not escaped.
fn borders(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'|' => found.push(at),
            _ => {}
        }
        at += 1;
    }
    found
}

fn cells(text: &str, borders: &[usize], offset: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for pair in borders.windows(2) {
        found.push(trimmed(text, pair[0] + 1, pair[1], offset));
    }
    // The last border may be left out.
    if let Some(last) = borders.last()
        && !text[last + 1..].trim().is_empty()
    {
        found.push(trimmed(text, last + 1, text.len(), offset));
    }
    found
}

fn trimmed(text: &str, start: usize, end: usize, offset: usize) -> Range<usize> {
    let inside = &text[start..end];
    let left = inside.len() - inside.trim_start().len();
    let begin = offset + start + left;
    begin..begin + inside.trim().len()
}

#[cfg(test)]
mod tests {
    use super::grids;
    use crate::drivers::offline::page::Page;

    /// Returns how many cells each row has, header first.
    fn counts(text: &str) -> Vec<Vec<(usize, usize)>> {
        let page = Page::new(text);
        let grids = grids(&page);
        let count = |row: &super::Row| (row.cells.len(), row.most);
        grids
            .iter()
            .map(|grid| {
                [&grid.header, &grid.rule]
                    .into_iter()
                    .chain(&grid.rows)
                    .map(count)
                    .collect()
            })
            .collect()
    }

    #[test]
    fn cells_are_counted_with_and_without_the_borders_in_code() {
        let text = "| a | b |\n|---|:-:|\n| x \\| y | `p | q` |\n| x | y\n|  | |\n";
        assert_eq!(counts(text), [[(2, 2), (2, 2), (2, 3), (2, 2), (2, 2)]]);
    }

    #[test]
    fn a_row_without_a_rule_below_it_begins_no_table() {
        assert_eq!(counts("| a | b |\n| x | y |\n\n```\n| a |\n|---|\n```\n").len(), 0);
    }

    #[test]
    fn a_cell_is_what_it_holds() {
        let page = Page::new("| Name |  Size |\n|---|---|\n| é | 10 GB |\n");
        let grids = grids(&page);
        assert_eq!(grids[0].rows[0].cell(&page, 0), "é");
        assert_eq!(grids[0].rows[0].cell(&page, 1), "10 GB");
        assert_eq!(grids[0].rows[0].cell(&page, 2), "");
    }
}
