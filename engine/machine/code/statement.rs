//! What somebody judges or is asked: a condition that is written, whether an order comes next, a question.

use super::Image;
use super::compile::Compiler;
use crate::model::{Lift, LiftKind};
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

impl Compiler<'_> {
    /// Returns the question whether what a lift says comes next.
    pub(super) fn next(&self, lift: &Lift, text: Span) -> Statement {
        Statement::Next {
            order: lift.span,
            line: self.sentence(lift.span, text),
        }
    }

    /// Returns the words that a person is asked: the sentence that says to ask, or the line that says to wait.
    pub(super) fn question(&self, lift: &Lift, text: Span) -> Span {
        let line = self.sentence(lift.span, text);
        if lift.kind != LiftKind::Ask {
            return line;
        }
        let asked = Span {
            start: lift.span.start,
            ..line
        };
        let words = lift.span.len();
        let marks = self.library.slice(asked)[words..].bytes();
        let marks = marks.take_while(|mark| matches!(mark, b'.' | b'?' | b'!' | b'"'));
        asked.inner(0, words + marks.count())
    }

    /// Returns the line that words stand in.
    pub(super) fn sentence(&self, words: Span, text: Span) -> Span {
        let whole = self.library.source(words.source).text();
        let (start, end) = (words.start as usize, words.end as usize);
        let from = whole[..start]
            .rfind('\n')
            .map_or(0, |at| at + 1)
            .max(text.start as usize);
        let to = whole[end..].find('\n').map_or(whole.len(), |at| end + at);
        let to = to.min((text.end as usize).max(end));
        Span::new(words.source, from.min(start), to)
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
