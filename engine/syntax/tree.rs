//! Tags in the order they are written in, the tree out. Both readers of tags end here.
//!
//! Tags are collected first and matched afterwards: only the close of its parent tells whether an
//! open tag was meant as one. Every pass is linear in the number of tags.

mod grower;
mod matcher;

use super::fault::{Fault, FaultKind};
use super::tag::Tag;
use super::{MAX_ATTRIBUTES, Parsed};
use crate::source::{Source, Span, near_last};
use grower::Grower;
use matcher::Matcher;
use std::ops::Range;

/// The most tags, comments and attributes that are taken from one file: real files have a tenth at
/// their largest, and the tree of a file of nothing but tags is thirty times as large as the file.
const MAX_PIECES: usize = 600_000;

/// One attribute as written: where its name and its value stand.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) name: Range<u32>,
    pub(super) value: Range<u32>,
}

impl Written {
    pub(super) fn new(name: Range<usize>, value: Range<usize>) -> Self {
        Self {
            name: name.start as u32..name.end as u32,
            value: value.start as u32..value.end as u32,
        }
    }
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open(Tag),
    SelfClosed(Tag),
    Close(Tag),
    /// Something that is neither tag nor text, such as a comment.
    Gap,
    /// The start of a part whose tags must close inside it.
    Enter,
    /// The end of that part.
    Leave,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is only text.
    Text,
    /// It is a root in prose: text, whatever is matched after it.
    Struck,
    /// It is what it says.
    Kept,
    /// It is an open tag that nothing closes.
    Unclosed,
    /// It is a close tag that closes nothing; it is left out.
    Dropped,
}

#[derive(Debug, Clone)]
struct Token {
    start: u32,
    end: u32,
    /// The index of its first attribute; they end where those of the next token start.
    attributes: u32,
    kind: Kind,
    fate: Fate,
    /// Whether prose stands before it on its line, where it begins something.
    in_prose: bool,
    has_attributes: bool,
}

impl Token {
    fn is_text(&self) -> bool {
        matches!(self.fate, Fate::Text | Fate::Struck)
    }
}

/// Collects tags and makes a tree of them.
pub(super) struct Builder<'s> {
    source: &'s Source,
    tokens: Vec<Token>,
    attributes: Vec<Written>,
    comments: Vec<Span>,
    faults: Vec<Fault>,
    /// Whether the file counts as an open root, so that every tag of the table is one.
    is_rooted: bool,
    /// The first piece past the cap.
    overflow: Option<Span>,
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self {
            source,
            tokens: Vec::new(),
            attributes: Vec::new(),
            comments: Vec::new(),
            faults: Vec::new(),
            is_rooted: false,
            overflow: None,
        }
    }

    /// Lets every tag of the table be a tag, below a root or not.
    pub(super) fn assume_root(&mut self) {
        self.is_rooted = true;
    }

    /// Takes an open tag; of its attributes the first `MAX_ATTRIBUTES` are kept.
    pub(super) fn open(&mut self, tag: Tag, range: Range<usize>, attributes: &[Written]) {
        if self.push(Kind::Open(tag), range) {
            self.attach(attributes);
        }
    }

    /// Takes a tag that closes itself.
    pub(super) fn self_closed(&mut self, tag: Tag, range: Range<usize>, attributes: &[Written]) {
        if self.push(Kind::SelfClosed(tag), range) {
            self.attach(attributes);
        }
    }

    /// Takes a close tag.
    pub(super) fn close(&mut self, tag: Tag, range: Range<usize>) {
        self.push(Kind::Close(tag), range);
    }

    /// Leaves a part of the text out of the tree; an empty part only parts the text around it.
    pub(super) fn gap(&mut self, range: Range<usize>) {
        self.push(Kind::Gap, range);
    }

    /// Takes a comment; `range` covers its marks.
    pub(super) fn comment(&mut self, range: Range<usize>) {
        let inside = self.source.span(range.start + "<!--".len(), range.end - "-->".len());
        if self.push(Kind::Gap, range) {
            self.comments.push(inside);
        }
    }

    /// Takes a definition of entities, which is refused and left out.
    pub(super) fn definition(&mut self, range: Range<usize>) {
        let span = self.source.span(range.start, range.end);
        if self.push(Kind::Gap, range) {
            self.faults.push(Fault {
                kind: FaultKind::EntityDefinition,
                span,
                detail: String::new(),
                related: None,
            });
        }
    }

    /// Starts a part whose tags must close inside it.
    pub(super) fn enter(&mut self, at: usize) {
        self.push(Kind::Enter, at..at);
    }

    /// Ends that part.
    pub(super) fn leave(&mut self, at: usize) {
        self.push(Kind::Leave, at..at);
    }

    /// Says whether a tag that is wanted was taken, and not as a mention.
    pub(super) fn holds(&mut self, wanted: impl Fn(Tag) -> bool) -> bool {
        self.resolve();
        self.tokens.iter().any(|token| match token.kind {
            Kind::Open(tag) | Kind::SelfClosed(tag) => !token.is_text() && wanted(tag),
            Kind::Close(_) | Kind::Gap | Kind::Enter | Kind::Leave => false,
        })
    }

    /// Makes the tree and hands everything over.
    pub(super) fn finish(mut self, parsed: &mut Parsed) {
        let mut faults = self.resolve();
        if let Some(span) = self.overflow {
            // What closes the tags that are open here was not taken.
            faults.retain(|fault| fault.kind == FaultKind::NestedTooDeep);
            faults.push(Fault {
                kind: FaultKind::FileTooLarge,
                span,
                detail: format!("more than {MAX_PIECES} tags and attributes"),
                related: None,
            });
        }
        faults.append(&mut self.faults);
        parsed.tree = Grower::new(&self, &mut faults).grow();
        faults.sort_by_key(|fault| fault.span);
        parsed.faults.append(&mut faults);
        parsed.comments.append(&mut self.comments);
    }

    /// Takes a piece; answers false where the file has too many and the piece stays text.
    fn push(&mut self, kind: Kind, range: Range<usize>) -> bool {
        if self.tokens.len() + self.attributes.len() >= MAX_PIECES {
            let span = self.source.span(range.start, range.end);
            self.overflow.get_or_insert(span);
            return false;
        }
        // Nobody asks what stands before the end of anything.
        let in_prose = match kind {
            Kind::Open(_) | Kind::SelfClosed(_) | Kind::Gap => self.is_in_prose(range.start),
            Kind::Close(_) | Kind::Enter | Kind::Leave => false,
        };
        self.tokens.push(Token {
            start: range.start as u32,
            end: range.end as u32,
            attributes: self.attributes.len() as u32,
            kind,
            fate: Fate::Kept,
            in_prose,
            has_attributes: false,
        });
        true
    }

    fn attach(&mut self, attributes: &[Written]) {
        let kept = attributes.len().min(MAX_ATTRIBUTES + 1);
        self.attributes.extend_from_slice(&attributes[..kept]);
        if let Some(token) = self.tokens.last_mut() {
            token.has_attributes = kept > 0;
        }
    }

    /// Says whether prose stands before `at` on the same line; the marks of items and quotes are none.
    fn is_in_prose(&self, at: usize) -> bool {
        let last = self.tokens.last();
        let from = last.map_or(0, |token| token.end as usize);
        // Most tags are only set in.
        let bytes = self.source.text().as_bytes();
        let marked = bytes
            .get(from..at)
            .and_then(|between| between.iter().rfind(|byte| **byte != b' '));
        if marked == Some(&b'\n') {
            return false;
        }
        let (before, rest) = self.source.text().split_at(from);
        let between = rest.get(..at - from).unwrap_or("");
        let is_line_start = before.is_empty() || before.ends_with(['\n', '\u{feff}']);
        match near_last(b'\n', between.as_bytes()) {
            Some(end) => !is_bare(&between[end + 1..]),
            None if is_line_start => !is_bare(between),
            None => !between.trim().is_empty() || last.is_some_and(|token| self.carries_prose(token)),
        }
    }

    /// Says whether a piece stands in prose that goes on after it on the same line.
    fn carries_prose(&self, token: &Token) -> bool {
        let span = self.source.span(token.start as usize, token.end as usize);
        match token.kind {
            Kind::Open(_) | Kind::SelfClosed(_) | Kind::Gap => {
                token.in_prose && !self.source.slice(span).contains('\n')
            }
            Kind::Close(_) | Kind::Enter | Kind::Leave => false,
        }
    }

    fn resolve(&mut self) -> Vec<Fault> {
        Matcher::new(self.source, &mut self.tokens, self.is_rooted).run()
    }
}

/// Says whether a line so far holds nothing but white space and the marks of items and quotes.
fn is_bare(text: &str) -> bool {
    let marks = text.trim_matches([' ', '\t', '\r', '>', '-', '*', '+']);
    let digits = marks.trim_end_matches(['.', ')']);
    digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
