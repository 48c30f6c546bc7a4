//! The names in conditions of tags, as they stand there without braces: one that nothing else says, and that is nearly one
//! that is said elsewhere.

use super::tested::span;
use super::{Names, is_told_besides, misspelt};
use crate::diagnostic::{Severity, first_nearest, is_misspelt};
use crate::lint::{FileUnit, Findings};
use crate::source::{ByteSet, QuickMap, Span};

/// The most names in conditions of one file that are compared with each other.
const MOST: usize = 256;

/// What a name is made of.
static LETTERS: ByteSet = ByteSet::of(b"_").and_alphanumeric().and_wide();

/// What makes a name a part of something else, beside it: a path, a quoted text, a value in braces.
static JOINTS: ByteSet = ByteSet::of(b"-./{}'\"`");

/// Finds the names in conditions that are misspelt.
pub(super) fn check(unit: &FileUnit<'_>, known: &Names<'_, '_>, findings: &mut Findings) {
    let named = named(unit);
    let mut counts: QuickMap<&str, usize> = QuickMap::default();
    for (name, _) in &named {
        *counts.entry(name).or_default() += 1;
    }
    if counts.len() > MOST {
        return;
    }
    let said_often = || counts.iter().filter(|(_, count)| **count > 1).map(|(name, _)| *name);
    for (name, place) in named.into_iter().filter(|(name, _)| counts[name] == 1) {
        let meant = first_nearest(name, said_often()).or_else(|| known.near(name));
        let Some(meant) = meant.filter(|meant| is_misspelt(name, meant)) else {
            continue;
        };
        // Few get here, and the whole of the file is searched for each.
        let is_a_hole = || unit.facts.holes.iter().any(|hole| hole.name == name);
        let is_known = known.knows(name) || known.is_shouted(name) || is_a_hole();
        if !is_known && !is_told_besides(unit, name, &[place]) {
            let found = misspelt(place, (name, meant), findings);
            // A condition in words is judged, and the one name may be meant besides the other.
            found.severity = Severity::Warning;
            // A value that is written with references is shown whole, and is more than the name.
            found.fix.take_if(|_| place.len() != name.len());
        }
    }
}

/// Returns the names of several words in the conditions of a file, in order.
fn named<'a>(unit: &FileUnit<'a>) -> Vec<(&'a str, Span)> {
    let mut found = Vec::new();
    for test in &unit.facts.tests {
        let bytes = test.value.as_bytes();
        let is_joined = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| JOINTS.has(*byte));
        let mut at = 0;
        while at < bytes.len() {
            let length = bytes[at..].iter().take_while(|byte| LETTERS.has(**byte)).count();
            let name = &test.value[at..at + length];
            let is_whole = !is_joined(at.checked_sub(1)) && !is_joined(Some(at + length));
            if is_whole && name.trim_matches('_').contains('_') {
                found.push((name, span(test, &(at..at + length))));
            }
            at += length.max(1);
        }
    }
    found
}
