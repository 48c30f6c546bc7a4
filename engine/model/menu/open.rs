//! The lines of a file in, those out that may hold a menu or an answer to one.

use super::page::{Page, trimmed};
use super::{answer, words};
use crate::syntax::{Fence, Line, LineKind, Markdown};
use memchr::memmem;
use std::slice;

/// Tags whose text the tag reader deals with.
const TAGS: &[(&str, &str)] = &[
    ("<ask", "</ask>"),
    ("<action", "</action>"),
    ("<output", "</output>"),
    ("<check", "</check>"),
    ("<example", "</example>"),
    ("<critical", "</critical>"),
    ("<mandate", "</mandate>"),
    ("<note", "</note>"),
];

/// What a line can hold; frontmatter, tags, tables, code and what is blank hold nothing, and are left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Instructions: options and handlers.
    Prose,
    /// Text that is shown to a person: options.
    Shown,
}

/// Goes from line to line and tells those from which something is read.
pub(super) struct OpenLines<'a> {
    page: Page<'a>,
    /// The next line.
    next: usize,
    /// The fences that no line has opened yet.
    fences: slice::Iter<'a, Fence>,
    /// Where the last tag ends that began at the start of a line.
    closed_until: usize,
    last_close: [Option<usize>; TAGS.len()],
    /// Whether code is what a person sees.
    shown: bool,
    /// The line up to which it is known whether code is a sample.
    judged_until: usize,
    /// Where the lines were looked through that say something, and the last one there.
    said: (usize, Option<usize>),
}

impl<'a> OpenLines<'a> {
    pub(super) fn new(page: Page<'a>, markdown: &'a Markdown) -> Self {
        Self {
            page,
            next: 0,
            fences: markdown.fences.iter(),
            closed_until: 0,
            last_close: [None; TAGS.len()],
            shown: false,
            judged_until: 0,
            said: (0, None),
        }
    }

    /// Says what one line can hold, if anything.
    #[inline]
    fn place(&mut self, index: usize, line: &Line) -> Option<Place> {
        match line.kind {
            LineKind::Blank | LineKind::Table => None,
            LineKind::FenceMark => {
                self.open_fence(index, line);
                None
            }
            LineKind::Code => (self.shown && self.shows(index, line)).then_some(Place::Shown),
            LineKind::Frontmatter => {
                self.says(line);
                None
            }
            LineKind::Text => (self.says(line) && self.is_outside(line)).then_some(Place::Prose),
            LineKind::Heading(_) | LineKind::Item | LineKind::Quote => self.is_outside(line).then_some(Place::Prose),
        }
    }

    /// Says whether a line begins outside of tags.
    #[inline]
    fn is_outside(&self, line: &Line) -> bool {
        line.start as usize >= self.closed_until
    }

    /// Says whether a line of text says anything, and notes the tag that it begins with.
    #[inline]
    fn says(&mut self, line: &Line) -> bool {
        // Most lines begin with a letter or a mark.
        match self.page.source.text().as_bytes().get(line.start as usize) {
            Some(first) if first.is_ascii_graphic() && *first != b'<' => true,
            Some(_) | None => self.says_behind(line),
        }
    }

    /// Says the same of a line that begins with a tag, or maybe with white space.
    fn says_behind(&mut self, line: &Line) -> bool {
        let text = self.page.source.text();
        let said = trimmed(text.get(line.range()).unwrap_or(""));
        if self.is_outside(line) {
            let end = tag_end(text, line.start as usize, said, &mut self.last_close);
            self.closed_until = end.unwrap_or(self.closed_until);
        }
        !said.is_empty()
    }

    /// Notes whether the fence that a mark opens, if it does, holds what a person sees.
    fn open_fence(&mut self, index: usize, line: &Line) {
        let opens = |fence: &&Fence| fence.span.start <= line.end;
        if let Some(fence) = self.fences.as_slice().first().filter(opens) {
            self.fences.next();
            self.shown = match self.page.source.slice(fence.language).split_whitespace().next() {
                None | Some("text" | "txt" | "plaintext") => true,
                Some("markdown" | "md") => words::has(self.said_before(index), "display"),
                Some(_) => false,
            };
        }
    }

    /// Returns the last line before another one that says anything and is no mark of a fence.
    fn said_before(&mut self, index: usize) -> &'a str {
        let says = |at: &usize| self.page.lines[*at].kind != LineKind::FenceMark && !self.page.row(*at).is_blank();
        let (from, before) = self.said;
        let before = (from..index).rev().find(says).or(before);
        self.said = (index, before);
        before.map_or("", |at| self.page.row(at).text)
    }

    /// Says whether something is read from a line of code that a person sees. Code that shows handlers, too, is a sample of a
    /// file, not something a person sees.
    fn shows(&mut self, index: usize, line: &Line) -> bool {
        if !self.is_outside(line) {
            return false;
        }
        if index >= self.judged_until {
            let code = self.page.lines[index..].iter();
            let end = index + code.take_while(|line| line.kind == LineKind::Code).count();
            let branches = |text: &str| answer::clause(text, false).is_some_and(|clause| clause.branches);
            self.judged_until = end;
            self.shown = !self.page.rows(index..end).any(|row| branches(row.inner().1));
        }
        self.shown && !self.page.row(index).is_blank()
    }
}

impl Iterator for OpenLines<'_> {
    type Item = (usize, Place);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let index = self.next;
            let line = self.page.lines.get(index)?;
            self.next = index + 1;
            if let Some(place) = self.place(index, line) {
                return Some((index, place));
            }
        }
    }
}

/// Returns where the tag that starts this line, without its indent, ends.
fn tag_end(text: &str, start: usize, row: &str, last_close: &mut [Option<usize>; TAGS.len()]) -> Option<usize> {
    if row.as_bytes().first() != Some(&b'<') {
        return None;
    }
    let index = TAGS
        .iter()
        .position(|(open, _)| row.strip_prefix(open).is_some_and(|rest| rest.starts_with(['>', ' '])))?;
    let (_, close) = TAGS.get(index)?;
    let known = last_close.get_mut(index)?;
    let last = *known.get_or_insert_with(|| memmem::rfind(text.as_bytes(), close.as_bytes()).unwrap_or(0));
    if last < start {
        return None;
    }
    let found = memmem::find(text.as_bytes().get(start..)?, close.as_bytes())?;
    Some(start + found + close.len())
}
