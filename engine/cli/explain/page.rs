//! A page of the spec in, the same page for a terminal out: wrapped, its tables lined up, its examples indented.

use crate::cli::report::Look;

/// The longest line of a page.
const WIDTH: usize = 100;

/// Makes a page readable.
pub(super) fn readable(page: &str, look: Look) -> String {
    let width = look.width.clamp(40, WIDTH);
    let mut text = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks >= 3 {
            let body = lines.by_ref().take_while(|inner| inner.trim_end() != &line[..ticks]);
            example(&line[ticks..], body, &mut text);
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|next| next.starts_with('|')) {
                rows.push(cells(row));
            }
            table(&rows, width, &mut text);
        } else if line.starts_with('#') {
            let (on, off) = if look.color {
                ("\u{1b}[1m", "\u{1b}[0m")
            } else {
                ("", "")
            };
            text.push_str(&format!("{on}{line}{off}\n"));
        } else {
            let hang = if line.starts_with("- ") { 2 } else { 0 };
            wrap(line, hang, width, &mut text);
        }
    }
    text
}

/// Writes an example: the file it is, or that it lists findings, and its lines indented.
fn example<'a>(head: &str, body: impl Iterator<Item = &'a str>, text: &mut String) {
    match head.trim().split_once(' ') {
        Some((_, file)) => text.push_str(&format!("  {}:\n", file.trim())),
        None if head.trim() == "findings" => text.push_str("  finds:\n"),
        None => {}
    }
    for line in body {
        text.push_str(format!("    {line}").trim_end());
        text.push('\n');
    }
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Lines up the columns of a table; the rule under its head goes.
fn table(rows: &[Vec<&str>], width: usize, text: &mut String) {
    let rows: Vec<&Vec<&str>> = rows
        .iter()
        .filter(|row| !row.iter().all(|cell| is_rule(cell)))
        .collect();
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let widest = |at: usize| {
        rows.iter()
            .filter_map(|row| row.get(at))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.saturating_sub(1)).map(widest).collect();
    let hang = widths.iter().map(|width| width + 2).sum::<usize>() + 2;
    for row in rows {
        let mut line = String::from("  ");
        for (at, cell) in row.iter().enumerate() {
            let width = widths.get(at).copied().unwrap_or(0);
            line.push_str(&format!("{cell:width$}  "));
        }
        wrap(line.trim_end(), hang, width, text);
    }
}

fn is_rule(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| matches!(byte, b'-' | b':'))
}

/// Breaks a line between words; the lines after the first begin further in.
fn wrap(line: &str, hang: usize, width: usize, text: &mut String) {
    let mut column = 0;
    let lead = line.len() - line.trim_start().len();
    text.push_str(&line[..lead]);
    column += lead;
    for (at, word) in line[lead..].split(' ').enumerate() {
        let length = word.chars().count();
        if at > 0 && column + 1 + length > width && column > hang {
            text.push('\n');
            text.push_str(&" ".repeat(hang));
            column = hang;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
}
