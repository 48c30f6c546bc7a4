//! Files in the rows of a table in, those that it only lists out.

use super::compile::Compiler;
use super::guard::is_moment_of;
use super::left::words;
use crate::model::Lift;
use crate::source::{SourceId, Span};
use crate::syntax::WordList;

/// Verbs of an order to go by a table.
static GOING: WordList = WordList::new(&[
    "continue", "follow", "go", "jump", "load", "open", "pick", "proceed", "read", "route", "start", "use",
]);

/// Words that point to one of several: `that stage's file`, `the matching row`.
static POINTING: WordList = WordList::new(&[
    "appropriate",
    "corresponding",
    "its",
    "matching",
    "relevant",
    "respective",
    "right",
    "that",
    "whichever",
]);

/// What a table has one of in each row.
static ROWS: WordList = WordList::new(&["row", "file", "reference", "stage", "phase", "step"]);

/// How many words may stand between those that say to go by a table.
const NEAR: usize = 4;

impl<'p> Compiler<'p> {
    /// Returns which files a table only lists, by where each stands: an order beside it follows one of them. A row that
    /// says to follow its file is a case, and so is every row where the text says to go by them; the order itself says
    /// when its own file is followed.
    pub(super) fn listed(&self, lifts: &[&'p Lift], text: Span) -> Vec<Span> {
        let file = |lift: &Lift| {
            let (target, span) = lift.kind.followed()?;
            let named = || self.workflow.named_file(self.library, target);
            self.file(target, span).or_else(named)
        };
        let rows = lifts.iter().filter(|lift| self.is_bare_row(lift));
        let rows: Vec<(Span, SourceId)> = rows.filter_map(|lift| Some((lift.span, file(lift)?))).collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let orders = lifts.iter().filter(|lift| self.is_order_beside(lift, text));
        let ordered: Vec<SourceId> = orders.filter_map(|lift| file(lift)).collect();
        if !rows.iter().any(|(_, file)| ordered.contains(file)) {
            return Vec::new();
        }
        let goes_by = goes_by_rows(self.library.source(text.source).text());
        let only_listed = rows.into_iter().filter(|(_, file)| !goes_by || ordered.contains(file));
        only_listed.map(|(place, _)| place).collect()
    }

    /// Says whether a lift is a path in a row of a table, without an order to follow it.
    pub(super) fn is_bare_row(&self, lift: &Lift) -> bool {
        lift.kind.followed().is_some() && lift.condition == Some(lift.span) && self.is_in_table(lift)
    }

    /// Says whether a lift is in a row of a table with words behind it that say what follows in another case: `If none of
    /// these fits, …`. Then not even the last row is sure.
    pub(super) fn is_row_of_cases(&self, row: &Lift, all: &[&'p Lift]) -> bool {
        let is_other = |other: &&Lift| {
            let is_behind = other.span.start > row.span.start && other.kind.followed().is_some();
            is_behind && other.condition.is_some_and(|words| words != other.span) && !self.is_in_table(other)
        };
        self.is_in_table(row) && all.iter().copied().any(|other| is_other(&other))
    }

    fn is_in_table(&self, lift: &Lift) -> bool {
        let source = self.library.source(lift.span.source);
        let before = &source.text()[..lift.span.start as usize];
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.trim_start().starts_with('|')
    }

    /// Says whether a lift outside of a table follows a file whatever is the case, at once or when its time has come.
    fn is_order_beside(&self, lift: &Lift, text: Span) -> bool {
        let is_sure = |words: Span| self.is_moment(words, text) && is_moment_of(self.library.slice(words));
        lift.kind.followed().is_some() && !self.is_in_table(lift) && lift.condition.is_none_or(is_sure)
    }
}

/// Says whether a text says to go by the rows of a table: `route to that stage's file`, `resume from the next stage`.
fn goes_by_rows(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('|'));
    lines.any(|line| {
        let words: Vec<&str> = words(line).collect();
        let near = |from: usize| &words[from + 1..words.len().min(from + 2 + NEAR)];
        let names = |at: usize| near(at).iter().any(|word| ROWS.has(word));
        let points = |at: usize| (at + 1..at + 1 + near(at).len()).any(|next| POINTING.has(words[next]) && names(next));
        (0..words.len()).any(|at| {
            let resumes = words[at].eq_ignore_ascii_case("resume");
            resumes && names(at) || GOING.has(words[at]) && points(at)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::goes_by_rows;

    #[test]
    fn a_text_says_to_go_by_the_rows_of_a_table() {
        for text in [
            "If the user confirms, route directly to that stage's reference file.",
            "Offer to resume from the next stage.",
            "Find out what it is, and follow the file of its row:",
            "Load the matching reference.",
        ] {
            assert!(goes_by_rows(text), "{text}");
        }
        for text in [
            "**When you have enough**, route to `./references/press-release.md`.",
            "Write the page. That is all of it.",
            "| 2 | Follow the file of its row |",
        ] {
            assert!(!goes_by_rows(text), "{text}");
        }
    }
}
