//! Plain XML in, the same tags as quick-xml reads out: elements, comments, instructions and references, as most files are.
//!
//! What is only a little less plain is left to quick-xml: no definitions, no CDATA, nothing that may be wrong.

use crate::source::{Source, near_any, near_either};
use crate::syntax::MAX_ATTRIBUTES;
use crate::syntax::markdown::mark_length;
use crate::syntax::scan::{is_name, is_name_start};
use crate::syntax::tag::Tag;
use crate::syntax::tree::{Builder, Written};
use memchr::memmem;
use std::ops::Range;

/// Reads markup from left to right.
struct Reader<'s> {
    text: &'s str,
    builder: Builder<'s>,
    attributes: Vec<Written>,
    /// The elements that are open: where the name of each stands, and its tag.
    open: Vec<(Range<usize>, Option<Tag>)>,
    has_element: bool,
}

/// Collects the tags of text that is plain XML all over; answers nothing for any other.
pub(super) fn read(source: &Source) -> Option<Builder<'_>> {
    let text = source.text();
    let base = mark_length(text);
    let mut reader = Reader {
        text,
        builder: Builder::new(source),
        attributes: Vec::new(),
        open: Vec::new(),
        has_element: false,
    };
    reader.builder.gap(0..base);
    let mut at = base;
    if mark_length(&text[base..]) > 0 {
        return None;
    }
    while let Some(before) = near_either(b'<', b'&', &text.as_bytes()[at..]) {
        at = reader.markup(at + before)?;
    }
    reader.open.is_empty().then_some(reader.builder)
}

impl Reader<'_> {
    /// Reads what begins with the `<` or the `&` at `at`; returns where it ends.
    fn markup(&mut self, at: usize) -> Option<usize> {
        match &self.text.as_bytes()[at..] {
            [b'<', b'/', ..] => self.close(at),
            [b'<', b'!', b'-', b'-', inside @ ..] if !inside.starts_with(b">") && !inside.starts_with(b"->") => {
                let end = at + 4 + memmem::find(inside, b"-->")? + 3;
                self.builder.comment(at..end);
                Some(end)
            }
            [b'<', b'?', inside @ ..] if !inside.starts_with(b">") => {
                let end = at + 2 + memmem::find(inside, b"?>")? + 2;
                self.builder.gap(at..end);
                Some(end)
            }
            [b'<', first, ..] if is_name_start(*first) => self.open(at),
            [b'&', rest @ ..] => {
                let end = near_any(b';', b'&', b'<', rest)?;
                (rest[end] == b';').then_some(at + 1 + end + 1)
            }
            _ => None,
        }
    }

    fn close(&mut self, at: usize) -> Option<usize> {
        let name = self.name(at + 2);
        let end = self.skip_space(name.end);
        let (opened, tag) = self.open.pop()?;
        let bytes = self.text.as_bytes();
        if bytes.get(end) != Some(&b'>') || bytes[name] != bytes[opened] {
            return None;
        }
        if let Some(tag) = tag {
            self.builder.close(tag, at..end + 1);
        }
        Some(end + 1)
    }

    fn open(&mut self, at: usize) -> Option<usize> {
        let name = self.name(at + 1);
        let tag = Tag::named(self.text.get(name.clone())?);
        if !self.has_element {
            self.has_element = true;
            if tag.is_some() {
                self.builder.assume_root();
            }
        }
        self.attributes.clear();
        let mut end = name.end;
        loop {
            let next = self.skip_space(end);
            match self.text.as_bytes().get(next..)? {
                [b'>', ..] => {
                    if let Some(tag) = tag {
                        self.builder.open(tag, at..next + 1, &self.attributes);
                    }
                    self.open.push((name, tag));
                    return Some(next + 1);
                }
                [b'/', b'>', ..] => {
                    if let Some(tag) = tag {
                        self.builder.self_closed(tag, at..next + 2, &self.attributes);
                    }
                    return Some(next + 2);
                }
                [first, ..] if next > end && is_name_start(*first) => end = self.attribute(next)?,
                _ => return None,
            }
        }
    }

    /// Reads the attribute at `at`; returns the end of its value with its quotes.
    fn attribute(&mut self, at: usize) -> Option<usize> {
        let name = self.name(at);
        let bytes = self.text.as_bytes();
        let equals = self.skip_space(name.end);
        let start = self.skip_space(equals + 1);
        let (quote @ (b'"' | b'\''), inside) = bytes.get(start..)?.split_first()? else {
            return None;
        };
        let length = near_either(*quote, b'<', inside)?;
        if bytes[equals] != b'=' || inside[length] == b'<' {
            return None;
        }
        if self.attributes.len() <= MAX_ATTRIBUTES {
            let value = start + 1..start + 1 + length;
            self.attributes.push(Written::new(name, value));
        }
        Some(start + 1 + length + 1)
    }

    fn name(&self, at: usize) -> Range<usize> {
        at..at + length_while(self.text, at, is_name)
    }

    fn skip_space(&self, at: usize) -> usize {
        at + length_while(self.text, at, |byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t'))
    }
}

/// Counts the bytes from `at` on for which something holds.
fn length_while(text: &str, at: usize, holds: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.iter().position(|byte| !holds(*byte)).unwrap_or(rest.len())
}
