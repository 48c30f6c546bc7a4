//! Comma-separated text in, rows of cells with their places out. Never fails: what is not quoted right is text.

use super::Parsed;
use super::fault::{Fault, FaultKind};
use super::value::MAX_VALUES;
use crate::source::{Source, Span, near_any, near_byte};

/// One row. Rows of one file may have different numbers of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The cells, left to right.
    pub cells: Vec<Cell>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// What it says, doubled quotes made one.
    pub text: String,
    /// Where it stands, without its quotes.
    pub span: Span,
}

/// Reads the rows of a file. Lines with nothing on them are no rows.
pub fn rows(source: &Source) -> Vec<Row> {
    scan(source).0
}

pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    let (rows, end) = scan(source);
    parsed.rows = rows;
    if end < source.text().len() {
        parsed.faults.push(Fault {
            kind: FaultKind::FileTooLarge,
            span: source.span(end, end),
            detail: format!("more than {MAX_VALUES} cells"),
            related: None,
        });
    }
}

/// Reads rows until the text or the budget ends; tells where that was.
fn scan(source: &Source) -> (Vec<Row>, usize) {
    let text = source.text();
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    let (mut count, mut width) = (0, 0);
    let mut at = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    while at < text.len() && count < MAX_VALUES {
        let (cell, end) = cell(source, at);
        // Most rows are as long as the one above them.
        if cells.is_empty() {
            cells.reserve_exact(width);
        }
        cells.push(cell);
        count += 1;
        let (next, ends_row) = separator(text.as_bytes(), end);
        at = next;
        if ends_row {
            width = cells.len();
            rows.extend(row(&mut cells));
        } else if at >= text.len() {
            // The text ends with a comma: an empty cell follows it.
            cells.push(Cell {
                text: String::new(),
                span: source.span(at, at),
            });
        }
    }
    rows.extend(row(&mut cells));
    (rows, at)
}

fn row(cells: &mut Vec<Cell>) -> Option<Row> {
    let blank = match cells.as_slice() {
        [] => true,
        [only] => only.text.trim().is_empty(),
        _ => false,
    };
    let mut cells = std::mem::take(cells);
    cells.shrink_to_fit();
    (!blank).then_some(Row { cells })
}

/// Steps over what ends a cell; says whether the row ends too.
fn separator(bytes: &[u8], at: usize) -> (usize, bool) {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b','), _) => (at + 1, false),
        (Some(b'\r'), Some(b'\n')) => (at + 2, true),
        (Some(_), _) => (at + 1, true),
        (None, _) => (at, true),
    }
}

/// Reads the cell that starts at `at`; tells where it ends.
fn cell(source: &Source, at: usize) -> (Cell, usize) {
    let text = source.text();
    let closing = match text.as_bytes().get(at) {
        Some(b'"') => closing_quote(text.as_bytes(), at + 1),
        _ => None,
    };
    let Some(quote) = closing else {
        let end = cell_end(text.as_bytes(), at);
        let span = source.span(at, end);
        return (
            Cell {
                text: source.slice(span).to_owned(),
                span,
            },
            end,
        );
    };
    let inside = source.span(at + 1, quote);
    let end = cell_end(text.as_bytes(), quote + 1);
    let written = source.slice(inside);
    let mut says = match near_byte(b'"', written.as_bytes()) {
        Some(_) => written.replace("\"\"", "\""),
        None => written.to_owned(),
    };
    says.push_str(text.get(quote + 1..end).unwrap_or("").trim_end());
    (
        Cell {
            text: says,
            span: inside,
        },
        end,
    )
}

fn closing_quote(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += near_byte(b'"', bytes.get(at..)?)?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

fn cell_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or(&[]);
    at + near_any(b',', b'\n', b'\r', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::source::{ProjectPath, Source, SourceId};
    use crate::syntax::{FaultKind, Format, parse};

    fn source(text: &str) -> Source {
        Source::new(SourceId(0), ProjectPath::root(), text)
    }

    fn table(text: &str) -> Vec<Vec<String>> {
        let rows = rows(&source(text));
        let cells = rows.into_iter().map(|row| row.cells.into_iter().map(|cell| cell.text));
        cells.map(Iterator::collect).collect()
    }

    #[test]
    fn cells_are_split_at_commas() {
        assert_eq!(table("a,b\n1,\n,2\n"), [["a", "b"], ["1", ""], ["", "2"]]);
    }

    #[test]
    fn a_quoted_cell_may_hold_commas_quotes_and_lines() {
        assert_eq!(
            table("\"a,b\",\"say \"\"x\"\"\"\r\n\"two\nlines\",z"),
            [["a,b", "say \"x\""], ["two\nlines", "z"]]
        );
    }

    #[test]
    fn the_place_of_a_cell_is_inside_its_quotes() {
        let source = source("\u{feff}é,\"x \"\"y\"\"\"\n");
        let rows = rows(&source);
        let places: Vec<&str> = rows[0].cells.iter().map(|cell| source.slice(cell.span)).collect();
        assert_eq!(places, ["é", "x \"\"y\"\""]);
    }

    #[test]
    fn rows_may_differ_in_length() {
        let lengths: Vec<usize> = table("a\nb,c,d\n\n,\n").iter().map(Vec::len).collect();
        assert_eq!(lengths, [1, 3, 2]);
    }

    #[test]
    fn a_comma_at_the_end_of_the_file_has_a_cell_behind_it() {
        assert_eq!(table("a,b,"), [["a", "b", ""]]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_text() {
        assert_eq!(table("\"a,b\nc,d\n"), [["\"a", "b"], ["c", "d"]]);
    }

    #[test]
    fn text_behind_a_closing_quote_is_kept() {
        assert_eq!(table("\"a\" b,c\n"), [["a b", "c"]]);
    }

    #[test]
    fn nothing_has_no_rows() {
        assert!(table("").is_empty() && table("\n\r\n").is_empty());
    }

    #[test]
    fn parsing_fills_the_rows() {
        assert_eq!(parse(&source("a,b\n"), Format::Csv).rows.len(), 1);
    }

    #[test]
    fn more_cells_than_the_cap_are_a_fault() {
        let parsed = parse(&source(&",".repeat(300_000)), Format::Csv);
        assert_eq!(parsed.faults[0].kind, FaultKind::FileTooLarge);
    }
}
