//! Rows in, aligned text out.

use crate::model::Library;
use crate::source::Span;
use crate::syntax::{Format, decode, without_ends};

/// The most characters of somebody's text that a row shows.
const LENGTH: usize = 90;

/// What the engine understood, line by line: where it is written, how deep it is nested, what it means.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    /// Where the texts are.
    pub(super) library: &'a Library,
    rows: Vec<(String, usize, String)>,
}

impl<'a> Rows<'a> {
    /// Starts without rows.
    pub(super) fn new(library: &'a Library) -> Self {
        Self {
            library,
            rows: Vec::new(),
        }
    }

    /// Adds a row about the text at `span`.
    pub(super) fn add(&mut self, span: Span, depth: usize, text: impl Into<String>) {
        let source = self.library.source(span.source);
        let line = source.position(span.start).line;
        self.rows
            .push((format!("{}:{line}", source.path().name()), depth, text.into()));
    }

    /// Returns the words at a span, shortened to one line.
    pub(super) fn words(&self, span: Span) -> String {
        let text = without_ends(self.library.slice(span));
        match self.library.document(span.source).parsed.format {
            Format::Xml => line(&decode(&text)),
            Format::Markdown | Format::Yaml | Format::Toml | Format::Csv => line(&text),
        }
    }

    /// Returns the rows as text, the places in a column of their own.
    pub(super) fn finish(self) -> String {
        let widest = self
            .rows
            .iter()
            .map(|(place, ..)| place.chars().count())
            .max()
            .unwrap_or(0);
        let mut text = String::new();
        for (place, depth, words) in self.rows {
            let pad = widest - place.chars().count() + 2 + 2 * depth;
            text.push_str(&format!("  {place}{}{words}\n", " ".repeat(pad)));
        }
        text
    }
}

/// Shortens text to one line that is safe to print.
pub(super) fn line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(
            word.chars()
                .map(|each| if each.is_control() { '\u{fffd}' } else { each }),
        );
        if line.chars().count() > LENGTH {
            let cut: String = line.chars().take(LENGTH - 3).collect();
            return format!("{}...", cut.trim_end());
        }
    }
    line
}

/// Lines up columns; the last one is as long as it is.
pub(super) fn table<const N: usize>(rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut written = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            written.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(written.trim_end());
        text.push('\n');
    }
    text
}
