//! Tags and their fates in, elements and text out.

use super::{Builder, Fate, Kind, Token, Written};
use crate::source::Span;
use crate::syntax::MAX_ATTRIBUTES;
use crate::syntax::element::{Attribute, Child, Element, entities};
use crate::syntax::fault::{Fault, FaultKind};
use crate::syntax::tag::Content;

/// An element that is not complete yet.
struct Frame {
    token: usize,
    /// How many finished children stood before it.
    before: usize,
}

/// Makes the tree of matched tags.
pub(super) struct Grower<'b> {
    builder: &'b Builder<'b>,
    faults: &'b mut Vec<Fault>,
    frames: Vec<Frame>,
    /// Finished children of all open frames, in order.
    finished: Vec<Child>,
    /// The end of what is in the tree.
    done: usize,
}

impl<'b> Grower<'b> {
    pub(super) fn new(builder: &'b Builder<'b>, faults: &'b mut Vec<Fault>) -> Self {
        Self {
            builder,
            faults,
            frames: Vec::new(),
            finished: Vec::new(),
            done: 0,
        }
    }

    /// Returns the tree; adds what is wrong with single tags to the faults.
    pub(super) fn grow(mut self) -> Vec<Child> {
        let mut entered = 0;
        for (index, token) in self.builder.tokens.iter().enumerate() {
            if token.is_text() {
                continue;
            }
            let (start, end) = (token.start as usize, token.end as usize);
            self.take_text(start);
            self.done = end;
            match token.kind {
                Kind::Open(tag) => {
                    self.frames.push(Frame {
                        token: index,
                        before: self.finished.len(),
                    });
                    // Nothing can stand inside such a tag, so what follows is beside it.
                    if token.fate == Fate::Unclosed && tag.row().content == Content::Empty {
                        self.complete(end, None);
                    }
                }
                Kind::SelfClosed(_) => {
                    self.frames.push(Frame {
                        token: index,
                        before: self.finished.len(),
                    });
                    self.complete(end, None);
                }
                Kind::Close(_) if token.fate == Fate::Kept => self.close(token),
                Kind::Close(_) | Kind::Gap => {}
                Kind::Enter => entered = index,
                Kind::Leave => {
                    while self.frames.last().is_some_and(|frame| frame.token > entered) {
                        self.complete(start, None);
                    }
                }
            }
        }
        let end = self.builder.source.text().len();
        self.take_text(end);
        while !self.frames.is_empty() {
            self.complete(end, None);
        }
        self.finished
    }

    fn take_text(&mut self, end: usize) {
        if self.done < end {
            let span = self.builder.source.span(self.done, end);
            self.finished.push(Child::Text(span));
        }
    }

    /// Completes what a close tag closes, and first what stands unclosed inside it.
    fn close(&mut self, token: &Token) {
        while let Some(frame) = self.frames.last() {
            let is_unclosed = self.builder.tokens[frame.token].fate == Fate::Unclosed;
            if is_unclosed {
                self.complete(token.start as usize, None);
            } else {
                let span = self.builder.source.span(token.start as usize, token.end as usize);
                self.complete(token.end as usize, Some(span));
                return;
            }
        }
    }

    /// Turns the innermost frame into an element.
    fn complete(&mut self, end: usize, close: Option<Span>) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let token = &self.builder.tokens[frame.token];
        let (Kind::Open(tag) | Kind::SelfClosed(tag)) = token.kind else {
            return;
        };
        let source = self.builder.source;
        let attributes = self.attributes(frame.token);
        let children = self.finished.split_off(frame.before);
        self.finished.push(Child::Element(Box::new(Element {
            tag,
            attributes,
            children,
            span: source.span(token.start as usize, end),
            open: source.span(token.start as usize, token.end as usize),
            close,
        })));
    }

    fn attributes(&mut self, index: usize) -> Vec<Attribute> {
        let builder = self.builder;
        let token = &builder.tokens[index];
        let start = token.attributes as usize;
        let next = builder.tokens.get(index + 1);
        let end = next.map_or(builder.attributes.len(), |next| next.attributes as usize);
        let written = &builder.attributes[start..end];
        if written.len() > MAX_ATTRIBUTES {
            self.faults.push(Fault {
                kind: FaultKind::TooManyAttributes,
                span: builder.source.span(token.start as usize, token.end as usize),
                detail: String::new(),
                related: None,
            });
        }
        let kept = written.iter().take(MAX_ATTRIBUTES);
        kept.map(|written| self.attribute(written)).collect()
    }

    fn attribute(&self, written: &Written) -> Attribute {
        let source = self.builder.source;
        let name_span = source.span(written.name.start as usize, written.name.end as usize);
        let value_span = source.span(written.value.start as usize, written.value.end as usize);
        Attribute {
            name: source.slice(name_span).into(),
            value: entities(source.slice(value_span)).into(),
            name_span,
            value_span,
        }
    }
}
