//! What somebody judges: a condition that is written, or whether an order comes next.

use super::Image;
use crate::source::Span;
use crate::syntax::{decode, without_ends};

/// A statement that holds or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Statement {
    /// Words that are a condition.
    Words(Span),
    /// An order, or a file that is only named, on a line that makes no condition of its own: one line may hold several.
    Next {
        /// The order or the file.
        order: Span,
        /// The line.
        line: Span,
    },
}

impl Statement {
    /// Returns where it is written.
    pub(in crate::machine) fn span(self) -> Span {
        match self {
            Statement::Words(words) => words,
            Statement::Next { line, .. } => line,
        }
    }
}

impl Image<'_> {
    /// Returns what is judged, as somebody is asked it.
    pub(in crate::machine) fn statement(&self, statement: Statement) -> String {
        match statement {
            Statement::Words(words) => self.said(words),
            Statement::Next { order, line } => {
                let order = self.said(order);
                let order = order.trim_matches(|at: char| at.is_whitespace() || matches!(at, '*' | '→'));
                let line = self.said(line);
                format!("“{order}” comes next, by what is written here: {}", without_mark(&line))
            }
        }
    }

    /// Returns the words at a place as a person reads them.
    pub(in crate::machine) fn said(&self, span: Span) -> String {
        decode(&without_ends(self.slice(span))).trim().to_owned()
    }
}

/// Returns a line without what makes it an item of a list.
pub(in crate::machine) fn without_mark(line: &str) -> &str {
    let marks = ["- ", "* ", "+ ", "> "];
    let bare = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
    bare.map_or(line, str::trim_start)
}
