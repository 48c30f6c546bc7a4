//! Sections behind the numbered ones of a file that only say when to stop: rules for all of it, as `<halt-conditions>` is.

use super::item::item;
use super::prose::last_numbered;
use crate::model::library::Document;
use crate::model::lift::{Lift, LiftKind, lifts};
use crate::source::{Source, Span};
use crate::syntax::trim;

/// A section that only says when to stop.
pub(super) struct Stops {
    /// All of it.
    pub(super) section: Span,
    /// Its items, without their marks.
    pub(super) items: Vec<Span>,
}

/// Finds the sections behind the last numbered heading whose names and items all speak of stopping.
pub(super) fn read(document: &Document) -> Vec<Stops> {
    let source = &document.source;
    let headings = &document.parsed.markdown.headings;
    if !headings.iter().any(|heading| names_stops(source.slice(heading.text))) {
        return Vec::new();
    }
    let Some(last) = last_numbered(document) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        // What stands further in than the numbered heading is a part of its section.
        let is_behind = heading.span.start > last.span.start && heading.level <= last.level;
        let next = headings.get(at + 1);
        let is_whole = next.is_none_or(|next| next.level <= heading.level);
        if !is_behind || !is_whole || !names_stops(source.slice(heading.text)) {
            continue;
        }
        let end = next.map_or(document.body().end, |next| next.span.start);
        let below = Span {
            start: heading.span.end,
            end,
            ..heading.span
        };
        if let Some(items) = only_stops(source, below).filter(|items| !items.is_empty()) {
            let section = Span { end, ..heading.span };
            found.push(Stops { section, items });
        }
    }
    found
}

/// Says whether a heading without a number is called by cases of stopping: `HALT Conditions`, `Stop rules`.
fn names_stops(heading: &str) -> bool {
    let mut words = heading
        .split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is = |word: Option<&str>, names: &[&str]| {
        word.is_some_and(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    is(words.next(), &["halt", "stop"]) && is(words.next(), &["conditions", "rules"]) && words.next().is_none()
}

/// Returns the items of a list of nothing but stops, each for its case; none where anything else is said.
fn only_stops(source: &Source, below: Span) -> Option<Vec<Span>> {
    let mut items: Vec<Span> = Vec::new();
    let mut start = 0;
    for line in source.slice(below).split_inclusive('\n') {
        let end = start + line.trim_end().len();
        if let Some(said) = item(line) {
            if !stops(said) {
                return None;
            }
            items.push(trim(source, below.inner(start + line.len() - said.len(), end)).0);
        } else if line.contains(char::is_alphanumeric) {
            // The words of an item go on further in.
            let last = items.last_mut().filter(|_| line.starts_with([' ', '\t']))?;
            *last = last.to(below.inner(start, end));
        }
        start += line.len();
    }
    let goes_on = |lift: &Lift| match lift.kind {
        LiftKind::Follow { .. } | LiftKind::Skill { .. } | LiftKind::Set { .. } => true,
        LiftKind::Halt { .. } => false,
        _ => lift.kind.leaves(),
    };
    let leads = lifts(source.slice(below), below).iter().any(goes_on);
    (!leads).then_some(items)
}

/// Says whether an item is a stop for a case: `**HALT** if there is none`.
fn stops(item: &str) -> bool {
    let mut words = item
        .split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut is = |names: &[&str]| {
        let word = words.next();
        word.is_some_and(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    is(&["halt", "stop"]) && is(&["if", "when", "on", "unless"])
}

#[cfg(test)]
mod tests {
    use super::names_stops;

    #[test]
    fn a_heading_is_called_by_cases_of_stopping() {
        for heading in ["HALT Conditions", "Halt conditions", "**Stop rules**"] {
            assert!(names_stops(heading), "{heading}");
        }
        for heading in [
            "3. HALT conditions",
            "Halt",
            "Conditions",
            "Check the halt conditions",
            "Stop",
        ] {
            assert!(!names_stops(heading), "{heading}");
        }
    }
}
