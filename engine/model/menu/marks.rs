//! A text in, out for one line after the other which of the marks it has that menus and answers are made of.
//!
//! A mark counts only where what stands right beside it makes it one: most lines have none.

use super::words::CLOSERS;
use crate::source::near_any;
use memchr::memmem::{FindIter, Finder};
use std::sync::LazyLock;

/// Where a sentence ends and another follows.
static STOPS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(". "));
/// Where something of another file begins.
static TICKS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(" from `"));

/// Which marks a line may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks(u8);

impl Marks {
    /// A `[` of a key in brackets.
    pub(super) const BRACKET: Self = Self(1);
    /// A `'` of a key in quotes.
    pub(super) const QUOTE: Self = Self(2);
    /// A `?` before a bracket: choices between slashes.
    pub(super) const QUESTION: Self = Self(4);
    /// A `.` before another sentence that may begin with an answer.
    pub(super) const STOP: Self = Self(8);
    /// A backtick behind `from`: the menu of another file.
    pub(super) const TICK: Self = Self(16);
    /// Nothing.
    const NONE: Self = Self(0);

    /// Says whether the line may hold any mark.
    #[inline]
    pub(super) fn hold_any(self) -> bool {
        self != Self::NONE
    }

    /// Says whether the line may hold a mark.
    #[inline]
    pub(super) fn hold(self, mark: Self) -> bool {
        self.0 & mark.0 != 0
    }

    /// Returns the mark that stands at a place of a line that ends at another.
    fn at(text: &[u8], at: usize, end: usize) -> Self {
        let behind = &text[at + 1..end];
        let is_followed = |by: u8| behind.get(1) == Some(&by) || behind.get(2) == Some(&by);
        let (mark, is_it) = match text[at] {
            b'[' => (Self::BRACKET, is_followed(b']')),
            b'\'' => (Self::QUOTE, is_followed(b'\'') || behind.len() < 3),
            b'?' => (Self::QUESTION, is_before_bracket(behind)),
            b'.' => (Self::STOP, is_before_sentence(behind)),
            _ => (Self::TICK, true),
        };
        if is_it { mark } else { Self::NONE }
    }
}

/// Says whether a bracket follows, maybe behind white space and the marks that close a text.
fn is_before_bracket(behind: &[u8]) -> bool {
    let next = behind.iter().find(|byte| !CLOSERS.has(**byte));
    next.is_some_and(|next| matches!(next, b'(' | b'[') || !next.is_ascii())
}

/// Says whether a sentence follows that begins like `If`, `When`, `After`, `Once` and `Only`.
fn is_before_sentence(behind: &[u8]) -> bool {
    matches!(
        behind,
        [b' ', b'i' | b'I' | b'w' | b'W' | b'a' | b'A' | b'o' | b'O', ..]
    )
}

/// Finds the marks of the lines of a text, in order: all of it is searched, not each line.
pub(super) struct MarkFinder<'a> {
    text: &'a [u8],
    keys: Search<Keys<'a>>,
    stops: Search<FindIter<'a, 'static>>,
    ticks: Search<FindIter<'a, 'static>>,
    /// Where the first mark stands that was not asked for yet.
    next: usize,
}

impl<'a> MarkFinder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = text.as_bytes();
        Self {
            text,
            keys: Search::new(Keys { text, from: 0 }),
            stops: Search::new(STOPS.find_iter(text)),
            ticks: Search::new(TICKS.find_iter(text)),
            next: 0,
        }
    }

    /// Returns the marks of a line behind those that were asked for.
    #[inline]
    pub(super) fn of_line(&mut self, start: usize, end: usize) -> Marks {
        #[cfg(test)]
        if SEES_ALL.get() {
            return Marks(u8::MAX);
        }
        if self.next >= end {
            return Marks::NONE;
        }
        self.gather(start, end)
    }

    #[inline(never)]
    fn gather(&mut self, start: usize, end: usize) -> Marks {
        let keys = self.keys.marks(self.text, start, end);
        let stops = self.stops.marks(self.text, start, end);
        let ticks = self.ticks.marks(self.text, start, end);
        self.next = self.keys.next.min(self.stops.next).min(self.ticks.next);
        Marks(keys.0 | stops.0 | ticks.0)
    }
}

#[cfg(test)]
thread_local! {
    /// Whether every line is searched for every mark, so that a test can compare.
    pub(super) static SEES_ALL: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The places of a text where a key or a question may be.
struct Keys<'a> {
    text: &'a [u8],
    /// Where the search goes on.
    from: usize,
}

impl Iterator for Keys<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let found = self.from + near_any(b'[', b'?', b'\'', &self.text[self.from..])?;
        self.from = found + 1;
        Some(found)
    }
}

/// The places of some bytes.
struct Search<I> {
    behind: I,
    /// The first place that was not asked for yet.
    next: usize,
}

impl<I: Iterator<Item = usize>> Search<I> {
    fn new(mut places: I) -> Self {
        let next = places.next().unwrap_or(usize::MAX);
        Self { behind: places, next }
    }

    /// Gathers the marks between two places, and leaves out what stands before.
    #[inline]
    fn marks(&mut self, text: &[u8], start: usize, end: usize) -> Marks {
        let mut marks = Marks::NONE;
        while self.next < end {
            if self.next >= start {
                marks.0 |= Marks::at(text, self.next, end).0;
            }
            self.next = self.behind.next().unwrap_or(usize::MAX);
        }
        marks
    }
}
