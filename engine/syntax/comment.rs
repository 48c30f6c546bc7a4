//! Text in, the ends of its `<!-- … -->` out; every search walks over a byte at most once.

use memchr::memmem::{self, Finder};
use std::sync::LazyLock;

/// What begins a comment; it is looked for in every file of Markdown.
static START: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<!--"));

/// Finds comments from left to right.
pub(super) struct Comments<'s> {
    text: &'s str,
    /// The last `<!--` that was found and where that search began.
    start: Option<(usize, Option<usize>)>,
    /// The last `-->` before a limit: past it every `<!--` is unclosed and no search is needed.
    last_end: Option<(usize, Option<usize>)>,
}

impl<'s> Comments<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self {
            text,
            start: None,
            last_end: None,
        }
    }

    /// Returns where the first `<!--` at or after `from` stands.
    pub(super) fn next_start(&mut self, from: usize) -> Option<usize> {
        if let Some((began, found)) = self.start
            && began <= from
            && found.is_none_or(|at| from <= at)
        {
            return found;
        }
        let rest = self.text.as_bytes().get(from..)?;
        let found = START.find(rest).map(|at| from + at);
        self.start = Some((from, found));
        found
    }

    /// Returns the end of the comment that starts at `at` and must end before `limit`.
    pub(super) fn end_of(&mut self, at: usize, limit: usize) -> Option<usize> {
        let inside = at + "<!--".len();
        let last = match self.last_end {
            Some((known, last)) if known == limit => last,
            Some(_) | None => {
                let before = self.text.as_bytes().get(..limit)?;
                let last = memmem::rfind(before.get(at..)?, b"-->").map(|end| at + end);
                self.last_end = Some((limit, last));
                last
            }
        };
        let last = last.filter(|last| inside <= *last)?;
        let end = memmem::find(self.text.as_bytes().get(inside..last + 3)?, b"-->")?;
        Some(inside + end + "-->".len())
    }
}
