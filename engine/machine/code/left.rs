//! A text and what the engine does of it in, the lines that are left for an agent out.

use super::compile::Compiler;
use crate::model::{Lift, LiftKind};
use crate::source::Span;
use crate::syntax::{WordList, trim};

/// Words that only lead to what a line says to go on with: `Read fully and follow … to begin`.
pub(super) static LEADING: WordList = WordList::new(&[
    "to",
    "begin",
    "start",
    "now",
    "next",
    "then",
    "and",
    "the",
    "this",
    "that",
    "step",
    "steps",
    "workflow",
    "first",
    "file",
    "immediately",
    "please",
    "proceed",
    "continue",
    "with",
    "it",
    "completely",
    "entire",
    "in",
    "full",
    "fully",
    "go",
    "on",
]);

/// Words that join what leads on to what is to be done before.
static JOINING: WordList = WordList::new(&["then", "and", "only", "finally", "next", "now", "immediately"]);

impl Compiler<'_> {
    /// Returns what is left of a text without the lines that only say where the engine goes on; an agent that was handed
    /// them would go there, too.
    pub(super) fn left(&self, text: Span, lifts: &[&Lift]) -> Vec<Span> {
        let mut leaving: Vec<Span> = lifts.iter().filter(|lift| leaves(lift)).map(|lift| lift.span).collect();
        if leaving.is_empty() {
            return vec![text];
        }
        leaving.sort_by_key(|place| place.start);
        let mut left = Vec::new();
        let mut open: Option<Span> = None;
        for line in self.lines(text) {
            let inside = within(line, &leaving);
            if self.only_leads(line, inside) {
                left.extend(open.take());
                continue;
            }
            let end = self.tail(line, inside);
            let kept = Span {
                end: end.unwrap_or(line.end),
                ..line
            };
            open = Some(open.map_or(kept, |open| open.to(kept)));
            if end.is_some() {
                left.extend(open.take());
            }
        }
        left.extend(open);
        if let [only] = left.as_slice()
            && only.len() == text.len()
        {
            return left;
        }
        left.retain(|part| self.says(*part));
        left.into_iter()
            .map(|part| trim(self.library.source(part.source), part).0)
            .collect()
    }

    fn lines(&self, text: Span) -> Vec<Span> {
        let mut start = text.start;
        let lines = self.library.slice(text).split_inclusive('\n');
        lines
            .map(|line| {
                let span = Span {
                    start,
                    end: start + line.len() as u32,
                    ..text
                };
                start = span.end;
                span
            })
            .collect()
    }

    /// Says whether a line has places in it, and besides them only words that lead to them, or say what for.
    fn only_leads(&self, line: Span, inside: &[Span]) -> bool {
        let mut start = line.start;
        let mut leads = !inside.is_empty();
        for place in inside {
            let between = self.library.slice(Span {
                start,
                end: place.start.max(start),
                ..line
            });
            leads &= words(between).all(|word| LEADING.has(word) || is_number(word));
            start = place.end.max(start);
        }
        let after = self.library.slice(Span {
            start: start.min(line.end),
            ..line
        });
        leads && (words(after).all(|word| LEADING.has(word) || is_number(word)) || is_purpose(after))
    }

    /// Returns where the end of a line begins that leads on: `Save it, then read fully and follow …`.
    fn tail(&self, line: Span, inside: &[Span]) -> Option<u32> {
        let place = inside.first()?;
        let after = self.library.slice(Span {
            start: place.end,
            ..line
        });
        if !is_purpose(after) && !words(after).all(|word| LEADING.has(word)) {
            return None;
        }
        let before = self.library.slice(Span {
            end: place.start,
            ..line
        });
        let head = joined(before);
        let is_joined = head.ends_with('.') || before[head.len()..].contains(|at: char| !at.is_whitespace());
        (is_joined && head.contains(char::is_alphanumeric)).then_some(line.start + head.len() as u32)
    }

    /// Says whether a part of a text says more than what its headings are called.
    pub(super) fn says(&self, part: Span) -> bool {
        let mut lines = self.library.slice(part).lines();
        lines.any(|line| !line.trim_start().starts_with('#') && line.contains(char::is_alphanumeric))
    }
}

/// Says whether words say why somebody goes on, which is no order, unless they go on with one.
pub(super) fn is_purpose(after: &str) -> bool {
    let after = after.trim_start_matches(['`', '*', '_', '"']);
    let orders = after.trim_end().trim_end_matches('.').contains(['.', ';', ',', ':']);
    after.starts_with(" to ") && !orders && !words(after).any(|word| JOINING.has(word))
}

/// Returns the places that begin in a line, of some that are in order.
fn within(line: Span, places: &[Span]) -> &[Span] {
    let first = places.partition_point(|place| place.start < line.start);
    let last = places.partition_point(|place| place.start < line.end);
    let inside = places.get(first..last).unwrap_or_default();
    // What goes on in the next line is no part of this one alone.
    if inside.iter().all(|place| line.contains(*place)) {
        inside
    } else {
        &[]
    }
}

/// Returns the words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Takes the words and marks off the end of a text that only join something to it.
pub(super) fn joined(text: &str) -> &str {
    let is_mark = |at: char| !at.is_alphanumeric() && !matches!(at, '.' | '`' | '}' | ')' | ']' | '"');
    let mut head = text;
    loop {
        head = head.trim_end_matches(is_mark);
        let word = head.rsplit(|at: char| !at.is_alphanumeric()).next().unwrap_or_default();
        if !JOINING.has(word) {
            return head;
        }
        head = &head[..head.len() - word.len()];
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|at| at.is_ascii_digit())
}

/// Says whether the engine goes on elsewhere because of a lift.
fn leaves(lift: &Lift) -> bool {
    match lift.kind {
        LiftKind::Halt { .. } => false,
        LiftKind::Follow { .. } | LiftKind::Skill { .. } => true,
        _ => lift.kind.leaves(),
    }
}
