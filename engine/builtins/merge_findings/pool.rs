//! Findings that were met so far in, the one that says the same as a report out.
//!
//! Only what is near in the text is compared, and only so much of it: ten thousand reports about one line stay quick.

use super::anchored::Anchored;
use crate::builtins::claim::{Ground, Nearness};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// How many findings near a report are compared with it; beyond that only those with the very same words merge.
const MOST_COMPARED: usize = 200;

/// What is known, by where it is.
#[derive(Debug, Default)]
pub(super) struct Pool {
    entries: Vec<(usize, Rc<Anchored>)>,
    near: HashMap<Spotted, Vec<usize>>,
    exact: HashMap<(usize, usize, String), usize>,
}

/// Where something can be met.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Spotted {
    /// In the block that begins here.
    Block(usize, usize),
    /// About a section as a whole.
    Section(usize, usize),
    /// Somewhere in a section.
    Inside(usize, usize),
    /// A contradiction between these figures, whichever end of it is quoted.
    Figures(usize, String),
    /// About the text as a whole.
    Whole(usize),
}

impl Pool {
    /// Remembers a finding under a number of the caller's.
    pub(super) fn add(&mut self, number: usize, finding: Rc<Anchored>) {
        let at = self.entries.len();
        for spotted in finding.is_met_at() {
            self.near.entry(spotted).or_default().push(at);
        }
        self.exact.entry(finding.exactly()).or_insert(at);
        self.entries.push((number, finding));
    }

    /// Returns the number of the finding that says the same.
    pub(super) fn find(&self, report: &Anchored) -> Option<usize> {
        if let Some(at) = self.exact.get(&report.exactly()) {
            return self.entries.get(*at).map(|(number, _)| *number);
        }
        let mut near: Vec<usize> = Vec::new();
        for spotted in report.looks_at() {
            let found = self.near.get(&spotted).map(Vec::as_slice).unwrap_or_default();
            near.extend(found.iter().take(MOST_COMPARED));
        }
        near.sort_unstable();
        near.dedup();
        let near = near.into_iter().filter_map(|at| self.entries.get(at));
        let mut same = near.filter(|(_, finding)| report.is_same(finding));
        same.next().map(|(number, _)| *number)
    }
}

impl Anchored {
    fn is_met_at(&self) -> Vec<Spotted> {
        let file = self.spot.file;
        let inside = self.sections.iter().map(|section| Spotted::Inside(file, *section));
        let own = match self.sections.first() {
            _ if !self.blocks.is_empty() => None,
            Some(section) => Some(Spotted::Section(file, *section)),
            None => Some(Spotted::Whole(file)),
        };
        inside.chain(own).chain(self.quoted_at()).collect()
    }

    fn looks_at(&self) -> Vec<Spotted> {
        let file = self.spot.file;
        let around = self.sections.iter().map(|section| Spotted::Section(file, *section));
        let own = match self.sections.first() {
            _ if !self.blocks.is_empty() => None,
            Some(section) => Some(Spotted::Inside(file, *section)),
            None => Some(Spotted::Whole(file)),
        };
        self.quoted_at().chain(own).chain(around).collect()
    }

    /// Returns the blocks that it quotes, and the figures of a contradiction.
    fn quoted_at(&self) -> impl Iterator<Item = Spotted> {
        let file = self.spot.file;
        let blocks = self.blocks.iter().map(move |start| Spotted::Block(file, *start));
        let figures = self.meaning.figures();
        let figures = figures.map(|figures| Spotted::Figures(file, figures.to_owned()));
        blocks.chain(figures)
    }

    fn exactly(&self) -> (usize, usize, String) {
        let claim: Vec<String> = self.report.claim.split_whitespace().map(str::to_lowercase).collect();
        let start = self.spot.quote.as_ref().map_or(self.range.start, |quote| quote.start);
        (self.spot.file, start, claim.join(" "))
    }

    /// Says whether two reports make the same claim about the same place.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let Some(nearness) = self.nearness(other) else {
            return false;
        };
        let ground = Ground {
            nearness,
            quoted: [&self.quoted, &other.quoted],
        };
        self.meaning.is_same(&other.meaning, ground)
    }

    fn nearness(&self, other: &Self) -> Option<Nearness> {
        if self.spot.file != other.spot.file {
            return None;
        }
        let meet = |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        let same_figures = self.meaning.has_figures_of(&other.meaning);
        match (&self.spot.quote, &other.spot.quote) {
            (Some(one), Some(two)) if meet(one, two) || same_figures => Some(Nearness::Same),
            (Some(_), Some(_)) => {
                let ends = self.ends.iter().any(|one| other.ends.iter().any(|two| meet(one, two)));
                let block = meet(&self.range, &other.range).then_some(Nearness::Block);
                if ends { Some(Nearness::Same) } else { block }
            }
            (None, None) if self.sections.first() == other.sections.first() => Some(Nearness::Same),
            (None, _) | (_, None) if self.sections.is_empty() || other.sections.is_empty() => None,
            (None, _) | (_, None) => meet(&self.range, &other.range).then_some(Nearness::Section),
        }
    }
}
