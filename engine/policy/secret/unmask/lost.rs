//! A mask of something that is no secret any more in, what stood in its place out.

use super::{Origin, Shown};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// How many lines are looked at without asking for an order that has fewer.
const FEW: usize = 64;
/// How many masks of one line are looked for one by one.
const EACH: usize = 8;

/// A line that may be the one of a mask: how much of it is the same before the mask, and how much behind.
struct Alike<'s> {
    line: &'s str,
    head: usize,
    tail: usize,
}

/// The lines that were replaced in one place, by how they begin and by how they end.
struct Sorted<'s> {
    by_head: Vec<&'s str>,
    by_tail: Option<Vec<&'s str>>,
}

/// The lines of two texts, and what was found out of them.
pub(super) struct Lost<'s, 'n> {
    new: &'s Shown<'n>,
    origins: &'s [Origin],
    old_lines: Vec<&'s str>,
    new_lines: Vec<&'s str>,
    sorted: HashMap<Range<usize>, Sorted<'s>>,
    /// What is known of masks in a place, by what stands before and behind them.
    known: HashMap<(usize, &'s str, &'s str), Option<&'s str>>,
    /// Which line with many masks was looked for last, and which are like it.
    last: Option<(usize, Vec<Alike<'s>>)>,
}

impl<'s, 'n> Lost<'s, 'n> {
    pub(super) fn new(old: &'s Shown<'_>, new: &'s Shown<'n>, origins: &'s [Origin]) -> Self {
        Self {
            new,
            origins,
            old_lines: old.masked.lines().collect(),
            new_lines: new.masked.lines().collect(),
            sorted: HashMap::new(),
            known: HashMap::new(),
            last: None,
        }
    }

    /// Returns what stands in the place of a mask, where one line is the same but for it.
    pub(super) fn of(&mut self, nth: usize) -> Option<&'s str> {
        let hidden = &self.new.hidden[nth];
        let Some(Origin::Changed(place)) = self.origins.get(hidden.line) else {
            return None;
        };
        let line = *self.new_lines.get(hidden.line)?;
        let before = line.get(..hidden.mask.start - hidden.start)?;
        let after = line.get(hidden.mask.end - hidden.start..)?;
        if before.trim_start().is_empty() && after.trim_start().is_empty() {
            return None;
        }
        let masks = self.new.first_of(hidden.line)..self.new.first_of(hidden.line + 1);
        if masks.len() > EACH {
            return self.of_many(masks, place, (before.len(), after.len()));
        }
        let key = (place.start, before, after);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let mut found = self
            .near(place, before, after)
            .iter()
            .filter(|line| fits(line, before, after));
        let first = found.next().filter(|_| found.next().is_none());
        let within = first.and_then(|first| first.get(before.len()..first.len() - after.len()));
        self.known.insert(key, within);
        within
    }

    /// Looks for a mask of many in a line, which has so much before it and so much behind it. No line is read for each.
    fn of_many(&mut self, masks: Range<usize>, place: &Range<usize>, around: (usize, usize)) -> Option<&'s str> {
        let new = self.new;
        let (first, last) = (&new.hidden[masks.start], &new.hidden[masks.end - 1]);
        let line = *self.new_lines.get(first.line)?;
        if self.last.as_ref().is_none_or(|(at, _)| *at != first.line) {
            let head = line.get(..first.mask.start - first.start)?;
            let tail = line.get(last.mask.end - last.start..)?;
            let alike = |other: &&'s str| Alike {
                line: other,
                head: same(line.bytes(), other.bytes()),
                tail: same(line.bytes().rev(), other.bytes().rev()),
            };
            let lines = self.near(place, head, tail).iter();
            let alike = lines.filter(|line| fits(line, head, tail)).map(alike).collect();
            self.last = Some((first.line, alike));
        }
        let (_, alike) = self.last.as_ref()?;
        let (before, after) = around;
        let is_it =
            |other: &&Alike<'_>| other.head >= before && other.tail >= after && other.line.len() >= before + after;
        let mut found = alike.iter().filter(is_it);
        let first = found.next().filter(|_| found.next().is_none())?;
        first.line.get(before..first.line.len() - after)
    }

    fn near(&mut self, place: &Range<usize>, head: &str, tail: &str) -> &[&'s str] {
        let lines = self.old_lines.get(place.clone()).unwrap_or_default();
        let sorted = self.sorted.entry(place.clone()).or_insert_with(|| Sorted::new(lines));
        sorted.near(head, tail)
    }
}

fn fits(line: &str, head: &str, tail: &str) -> bool {
    line.len() >= head.len() + tail.len() && line.starts_with(head) && line.ends_with(tail)
}

impl<'s> Sorted<'s> {
    fn new(lines: &[&'s str]) -> Self {
        let mut by_head = lines.to_vec();
        by_head.sort_unstable();
        Self { by_head, by_tail: None }
    }

    /// Returns the lines that begin like this or those that end like this, whichever are fewer.
    fn near(&mut self, head: &str, tail: &str) -> &[&'s str] {
        let start = self.by_head.partition_point(|line| *line < head);
        let count = self.by_head[start..].partition_point(|line| line.starts_with(head));
        let headed = &self.by_head[start..start + count];
        if count <= FEW {
            return headed;
        }
        let by_tail = self.by_tail.get_or_insert_with(|| {
            let mut by_tail = self.by_head.clone();
            by_tail.sort_unstable_by(|one, other| backwards(one, other));
            by_tail
        });
        let start = by_tail.partition_point(|line| backwards(line, tail) == Ordering::Less);
        let count = by_tail[start..].partition_point(|line| line.ends_with(tail));
        if count < headed.len() {
            return &by_tail[start..start + count];
        }
        headed
    }
}

fn backwards(one: &str, other: &str) -> Ordering {
    one.bytes().rev().cmp(other.bytes().rev())
}

/// Returns how much of the two is the same.
fn same(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}
