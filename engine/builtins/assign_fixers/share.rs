//! Open findings in, waves of shares out: what is about one place is never with two fixers at a time.

use crate::builtins::document::{heading_key, squeezed};
use crate::builtins::finding::{Finding, Id};
use std::collections::{HashMap, HashSet, VecDeque};

/// How many quotes are compared with each other.
const MOST_QUOTES: usize = 100;

/// What fixers get at the same time, one list for each of them.
#[derive(Debug)]
pub(super) struct Wave {
    shares: Vec<Vec<Id>>,
}

impl Wave {
    /// Returns what each fixer gets.
    pub(super) fn ids(self) -> Vec<Vec<Id>> {
        self.shares
    }

    /// Returns the fixer with the least to do that has room.
    fn freest(&self, size: usize, per_fixer: usize) -> Option<usize> {
        let room = self
            .shares
            .iter()
            .enumerate()
            .filter(|(_, share)| share.len() + size <= per_fixer);
        room.min_by_key(|(at, share)| (share.len(), *at)).map(|(at, _)| at)
    }
}

/// Findings about one place that fit into one share.
#[derive(Debug)]
struct Piece {
    place: usize,
    ids: Vec<Id>,
}

/// Shares findings out, the most severe first; they come in that order.
pub(super) fn waves(open: &[&Finding], fixers: usize, per_fixer: usize) -> Vec<Wave> {
    let mut waiting = pieces(open, per_fixer);
    let mut fixer_of: HashMap<usize, usize> = HashMap::new();
    let mut waves = Vec::new();
    while !waiting.is_empty() {
        let mut wave = Wave {
            shares: vec![Vec::new(); fixers.max(1)],
        };
        let mut later = VecDeque::new();
        let mut served = HashSet::new();
        for piece in waiting {
            let known = fixer_of.get(&piece.place).copied();
            let fits = |at: &usize| {
                wave.shares
                    .get(*at)
                    .is_some_and(|share| share.len() + piece.ids.len() <= per_fixer)
            };
            let fixer = match known {
                _ if served.contains(&piece.place) => None,
                Some(known) => Some(known).filter(fits),
                None => wave.freest(piece.ids.len(), per_fixer),
            };
            match fixer.and_then(|at| wave.shares.get_mut(at).map(|share| (at, share))) {
                Some((at, share)) => {
                    fixer_of.insert(piece.place, at);
                    served.insert(piece.place);
                    share.extend(piece.ids);
                }
                None => later.push_back(piece),
            }
        }
        waiting = later;
        waves.push(wave);
    }
    waves
}

/// Groups findings by place and cuts each group into what one fixer may get.
fn pieces(open: &[&Finding], per_fixer: usize) -> VecDeque<Piece> {
    let places = places(open);
    let mut groups: Vec<Vec<Id>> = Vec::new();
    let mut at: HashMap<usize, usize> = HashMap::new();
    for (finding, place) in open.iter().zip(&places) {
        let group = *at.entry(*place).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(group) {
            group.push(finding.id);
        }
    }
    let mut pieces = VecDeque::new();
    for (place, ids) in groups.into_iter().enumerate() {
        pieces.extend(ids.chunks(per_fixer).map(|ids| Piece {
            place,
            ids: ids.to_vec(),
        }));
    }
    pieces
}

/// Returns for each finding the first one that is about the same place: the same section of a file, or words that meet.
fn places(open: &[&Finding]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..open.len()).collect();
    let mut by_section: HashMap<(&str, String), usize> = HashMap::new();
    let mut quotes: Vec<(&str, String, usize)> = Vec::new();
    for (at, finding) in open.iter().enumerate() {
        let file = finding.place.file.as_str();
        let quote = squeezed(&finding.place.quote);
        let section = heading_key(&finding.place.section);
        if !section.is_empty() || quote.is_empty() {
            let first = *by_section.entry((file, section)).or_insert(at);
            join(&mut places, first, at);
        }
        if quote.is_empty() {
            continue;
        }
        let meets = |other: &str| other.contains(&quote) || quote.contains(other);
        let met = quotes.iter().filter(|(other, words, _)| *other == file && meets(words));
        for place in met.map(|(_, _, place)| *place).collect::<Vec<usize>>() {
            join(&mut places, place, at);
        }
        if quotes.len() < MOST_QUOTES {
            quotes.push((file, quote, at));
        }
    }
    (0..open.len()).map(|at| root(&places, at)).collect()
}

/// Makes two findings those of one place.
fn join(places: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(places, one), root(places, other));
    if let Some(place) = places.get_mut(one.max(other)) {
        *place = one.min(other);
    }
}

fn root(places: &[usize], mut at: usize) -> usize {
    while let Some(next) = places.get(at).filter(|next| **next != at) {
        at = *next;
    }
    at
}
