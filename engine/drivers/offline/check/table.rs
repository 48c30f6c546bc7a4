//! Tables whose rows do not have as many cells as their header.

use super::{About, Change, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::grid::{Row, grids};
use crate::drivers::offline::page::Page;

/// Rows that do not fit their table.
pub(super) const CHECK: Check = Check {
    name: "ragged-table",
    claims: &[RAGGED, NO_TABLE],
    needs: "the author says which column each value belongs to",
    about: About::Form,
    find,
};

const RAGGED: &str = "the row \"{}\" has {} cells and the header has {}";
const NO_TABLE: &str =
    "the line below the header \"{}\" has {} cells and the header has {}: it is not shown as a table";
/// The most letters of a row that are repeated.
const LONGEST: usize = 60;

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for grid in grids(page) {
        if !grid.rule.fits(&grid.header) {
            let repair = fitted(page, &grid.rule, grid.header.cells.len(), "---");
            found.push(finding(page, &grid.header, &grid.rule, NO_TABLE, repair));
            continue;
        }
        for row in grid.rows.iter().filter(|row| !row.fits(&grid.header)) {
            let repair = fitted(page, row, grid.header.cells.len(), "");
            found.push(finding(page, &grid.header, row, RAGGED, repair));
        }
    }
    found
}

fn finding(page: &Page, header: &Row, row: &Row, form: &str, repair: Option<Change>) -> Finding {
    let shown = if form == NO_TABLE { header } else { row };
    let words: String = page.text()[shown.range.clone()].chars().take(LONGEST).collect();
    let (own, wanted) = (row.cells.len(), header.cells.len());
    // Cells that are too many are not shown at all; cells that are missing are shown empty.
    let severity = if own > wanted || form == NO_TABLE {
        Severity::Medium
    } else {
        Severity::Low
    };
    Finding {
        check: CHECK.name,
        severity,
        range: row.range.clone(),
        message: say(form, [words.trim(), &own.to_string(), &wanted.to_string()]),
        evidence: format!(
            "the header is line {}, the row is line {}",
            page.line(header.range.start),
            page.line(row.range.start)
        ),
        suggestion: format!("give the row {wanted} cells"),
        repair: repair.into_iter().collect(),
    }
}

/// Makes a row fit by adding empty cells, or by taking empty ones away.
fn fitted(page: &Page, row: &Row, wanted: usize, cell: &str) -> Option<Change> {
    let text = &page.text()[row.range.clone()];
    let own = row.cells.len();
    // What a border inside code means differs from reader to reader.
    if own != row.most {
        return None;
    }
    if own < wanted {
        let close = if text.ends_with('|') && !text.ends_with("\\|") {
            ""
        } else {
            " |"
        };
        let blank = if cell.is_empty() {
            "  ".to_owned()
        } else {
            format!(" {cell} ")
        };
        let new = format!("{close}{}", format!("{blank}|").repeat(wanted - own));
        return Some(Change {
            start: row.range.end,
            end: row.range.end,
            new,
        });
    }
    let extra = &row.cells[wanted..];
    if wanted == 0
        || !extra
            .iter()
            .all(|range| page.text()[range.clone()].is_empty() || !cell.is_empty())
    {
        return None;
    }
    let last = row.cells[wanted - 1].end;
    Some(Change {
        start: last,
        end: row.range.end,
        new: " |".to_owned(),
    })
}
