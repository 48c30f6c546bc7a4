//! Sections that give one name different values in, their orders to set something depending on their headings out.
//!
//! Sections beside each other are modes then, and only one of them is taken: `### Fast` sets what `### Thorough` sets
//! otherwise.

use super::{Lift, LiftKind};
use crate::model::role::worded_label;
use crate::source::{Source, Span};
use crate::syntax::Heading;

/// Lets what sections set depend on their headings, where two of them beside each other set one name differently. Sections
/// with numbers come one after the other.
pub(super) fn part(lifts: &mut [Lift], headings: &[Heading], source: &Source) {
    let above = |lift: &Lift| {
        headings
            .partition_point(|heading| heading.span.start < lift.span.start)
            .checked_sub(1)
    };
    let sets: Vec<(&str, &str, usize)> = lifts
        .iter()
        .filter_map(|lift| Some((set(lift)?, above(lift)?)))
        .map(|((name, value), at)| (name, value, at))
        .collect();
    let is_mode = |(name, value, at): &(&str, &str, usize)| {
        let is_other = |(other, set, beside): &(&str, &str, usize)| {
            other == name
                && set != value
                && is_beside(headings, *at, *beside)
                && !is_numbered(source, &headings[*beside])
        };
        sets.iter().any(is_other) && !is_numbered(source, &headings[*at])
    };
    let modes: Vec<usize> = sets.iter().filter(|set| is_mode(set)).map(|(.., at)| *at).collect();
    if modes.is_empty() {
        return;
    }
    for lift in lifts.iter_mut().filter(|lift| set(lift).is_some()) {
        let mode = above(lift).filter(|at| modes.contains(at));
        lift.condition = mode.map(|at| condition(source, headings[at].text));
    }
}

/// Returns what is set to what whatever is the case.
fn set(lift: &Lift) -> Option<(&str, &str)> {
    match &lift.kind {
        LiftKind::Set { name, value, .. } if lift.condition.is_none() => Some((name, value)),
        _ => None,
    }
}

/// Returns the words of a heading that say when what stands below it is done: `If it is long:` without `if`.
fn condition(source: &Source, heading: Span) -> Span {
    let title = source.slice(heading);
    let words = title.trim_end_matches(|at: char| matches!(at, ':' | '*' | '_') || at.is_whitespace());
    let bare = words.trim_start_matches(['*', '_']);
    let opener = bare.split_once(' ').filter(|(first, _)| {
        let is = |word: &str| first.eq_ignore_ascii_case(word);
        is("if") || is("when")
    });
    let said = opener.map_or(bare, |(_, rest)| rest);
    let start = said.as_ptr() as usize - title.as_ptr() as usize;
    heading.inner(start, start + said.len())
}

/// Says whether two headings stand beside each other: on one level, with none further out between them.
fn is_beside(headings: &[Heading], one: usize, other: usize) -> bool {
    let level = headings[one].level;
    let between = &headings[one.min(other)..=one.max(other)];
    one != other && headings[other].level == level && between.iter().all(|heading| heading.level >= level)
}

/// Says whether a heading counts what stands below it.
fn is_numbered(source: &Source, heading: &Heading) -> bool {
    let title = source.slice(heading.text);
    let bare = title.trim_start_matches(|at: char| !at.is_alphanumeric());
    bare.starts_with(|first: char| first.is_ascii_digit()) || worded_label(title).is_some()
}
