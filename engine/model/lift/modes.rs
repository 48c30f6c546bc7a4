//! Sections that give one name different values in, their orders to set something depending on their headings out.
//!
//! Sections beside each other are modes then, and only one of them is taken: `### Fast` sets what `### Thorough` sets
//! otherwise.

use super::{Lift, LiftKind};
use crate::model::role::is_counted;
use crate::source::{QuickMap, Source, Span};
use crate::syntax::{Heading, WordList};

/// What the titles of modes end with.
static MODES: WordList = WordList::new(&["mode", "case", "variant", "path", "track", "level"]);

/// One name that a section sets.
struct Set<'a> {
    name: &'a str,
    value: &'a str,
    /// The heading above it.
    at: usize,
    /// The headings that it stands beside.
    group: usize,
}

/// Lets what sections set depend on their headings, where two of them beside each other set one name differently, and say by
/// their titles that only one of them is taken. Others come one after the other, those with numbers among them.
pub(super) fn part(lifts: &mut [Lift], headings: &[Heading], source: &Source) {
    let above = |lift: &Lift| {
        headings
            .partition_point(|heading| heading.span.start < lift.span.start)
            .checked_sub(1)
            .filter(|at| is_choice(source, &headings[*at]))
    };
    let found: Vec<(&str, &str, usize)> = lifts
        .iter()
        .filter_map(|lift| set(lift).and_then(|(name, value)| Some((name, value, above(lift)?))))
        .collect();
    // In most files no section is one of several to choose from.
    if found.len() < 2 {
        return;
    }
    let groups = groups(headings);
    let sets = found.into_iter().map(|(name, value, at)| Set {
        name,
        value,
        at,
        group: groups[at],
    });
    let mut beside: QuickMap<(&str, usize), Vec<Set<'_>>> = QuickMap::default();
    for one in sets {
        beside.entry((one.name, one.group)).or_default().push(one);
    }
    let is_mode =
        |one: &Set<'_>, all: &[Set<'_>]| all.iter().any(|other| other.at != one.at && other.value != one.value);
    let mut modes: Vec<usize> = Vec::new();
    for all in beside.values() {
        modes.extend(all.iter().filter(|one| is_mode(one, all)).map(|one| one.at));
    }
    modes.sort_unstable();
    for lift in lifts.iter_mut().filter(|lift| set(lift).is_some()) {
        let mode = above(lift).filter(|at| modes.binary_search(at).is_ok());
        lift.condition = mode.map(|at| condition(source, headings[at].text));
    }
}

/// Says whether a heading is by its title one of several to choose from: `If it is long`, `System-Level Mode`.
fn is_choice(source: &Source, heading: &Heading) -> bool {
    let title = source.slice(heading.text);
    let mut words = title
        .split(|at: char| !at.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let Some(first) = words.next() else {
        return false;
    };
    let opens = ["if", "when"].iter().any(|word| first.eq_ignore_ascii_case(word));
    opens || !is_counted(title) && words.next_back().is_some_and(|last| MODES.has(last))
}

/// Returns for each heading a number that those share which stand beside each other: on one level, with none further out
/// between them.
fn groups(headings: &[Heading]) -> Vec<usize> {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut found = Vec::with_capacity(headings.len());
    for (at, heading) in headings.iter().enumerate() {
        while open.last().is_some_and(|(level, _)| *level > heading.level) {
            open.pop();
        }
        let own = match open.last() {
            Some((level, group)) if *level == heading.level => *group,
            _ => {
                open.push((heading.level, at));
                at
            }
        };
        found.push(own);
    }
    found
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
