//! XML in, its tags out: quick-xml where the text is XML and more than plain, the tolerant scanner where it is not XML.

mod plain;

use super::markdown::mark_length;
use super::scan::{CDATA, CDATA_END, Scanner, Setting, definition_length, is_name, is_name_start};
use super::tag::Tag;
use super::tree::{Builder, Written};
use super::{MAX_ATTRIBUTES, Parsed};
use crate::source::{Source, near_byte};
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;

/// Reads an XML file.
pub(super) fn read(source: &Source, parsed: &mut Parsed) {
    match plain::read(source).or_else(|| strict(source)) {
        Some(builder) => builder.finish(parsed),
        None => read_tolerantly(source, parsed),
    }
}

/// Says whether a text is XML, as far as tags and attributes go.
pub fn is_well_formed(source: &Source) -> bool {
    plain::read(source).is_some() || strict(source).is_some()
}

/// Reads an XML file by the tolerant scanner alone.
pub(super) fn read_tolerantly(source: &Source, parsed: &mut Parsed) {
    let text = source.text();
    let mut builder = Builder::new(source);
    let start = mark_length(text);
    builder.gap(0..start);
    Scanner::new(text, &mut builder).scan(start..text.len(), Setting::Xml);
    builder.finish(parsed);
}

/// Collects the tags of well-formed text; answers nothing for any other.
fn strict(source: &Source) -> Option<Builder<'_>> {
    let base = mark_length(source.text());
    let text = source.text().get(base..)?;
    // The reader passes over a second mark without counting it; XML has one at the most.
    if mark_length(text) > 0 {
        return None;
    }
    let mut reader = quick_xml::Reader::from_str(text);
    let mut tags = Tags {
        source,
        builder: Builder::new(source),
        attributes: Vec::new(),
        depth: 0,
        has_element: false,
    };
    tags.builder.gap(0..base);
    loop {
        let start = base + usize::try_from(reader.buffer_position()).ok()?;
        let event = reader.read_event().ok()?;
        let end = base + usize::try_from(reader.buffer_position()).ok()?;
        if matches!(event, Event::Eof) {
            return (tags.depth == 0).then_some(tags.builder);
        }
        tags.take(&event, start..end)?;
    }
}

/// Hands events to the builder.
struct Tags<'s> {
    source: &'s Source,
    builder: Builder<'s>,
    attributes: Vec<Written>,
    depth: usize,
    has_element: bool,
}

impl Tags<'_> {
    /// Takes one event; answers nothing where the text turns out not to be XML.
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) -> Option<()> {
        match event {
            Event::Start(start) => {
                self.depth += 1;
                if let Some(tag) = self.element(start)? {
                    self.builder.open(tag, range, &self.attributes);
                }
            }
            Event::Empty(start) => {
                if let Some(tag) = self.element(start)? {
                    self.builder.self_closed(tag, range, &self.attributes);
                }
            }
            Event::End(end) => {
                self.depth = self.depth.checked_sub(1)?;
                if let Some(tag) = Tag::named(end.name().into_inner()) {
                    self.builder.close(tag, range);
                }
            }
            Event::Comment(_) => self.builder.comment(range),
            Event::CData(_) => {
                self.builder.gap(range.start..range.start + CDATA.len());
                self.builder.gap(range.end - CDATA_END.len()..range.end);
            }
            Event::DocType(_) => {
                let text = self.source.text().as_bytes().get(range.start..)?;
                if definition_length(text) != range.len() {
                    return None;
                }
                self.builder.definition(range);
            }
            Event::Decl(_) | Event::PI(_) => self.builder.gap(range),
            Event::Text(_) | Event::GeneralRef(_) | Event::Eof => {}
        }
        Some(())
    }

    /// Reads the name and the attributes of an open tag.
    fn element(&mut self, start: &BytesStart<'_>) -> Option<Option<Tag>> {
        let name = start.name().into_inner();
        if !is_a_name(name) {
            return None;
        }
        let tag = Tag::named(name);
        if !self.has_element {
            self.has_element = true;
            if tag.is_some() {
                self.builder.assume_root();
            }
        }
        self.attributes.clear();
        let mut after = 0;
        // The check for names given twice is quadratic.
        for attribute in start.attributes().with_checks(false) {
            let attribute = attribute.ok()?;
            let name = self.place(attribute.key.into_inner())?;
            let value = self.place(&attribute.value)?;
            let is_apart = name.start > after;
            after = value.end + 1;
            let is_written_well =
                is_a_name(attribute.key.into_inner()) && near_byte(b'<', attribute.value.as_bytes()).is_none();
            if !is_apart || !is_written_well {
                return None;
            }
            if self.attributes.len() <= MAX_ATTRIBUTES {
                self.attributes.push(Written::new(name, value));
            }
        }
        Some(tag)
    }

    /// Returns where a part of the text stands in it.
    fn place(&self, part: &str) -> Option<Range<usize>> {
        let start = part.as_ptr().addr().checked_sub(self.source.text().as_ptr().addr())?;
        let range = start..start + part.len();
        (self.source.text().get(range.clone())? == part).then_some(range)
    }
}

/// quick-xml takes any bytes for a name.
fn is_a_name(text: &str) -> bool {
    text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name)
}

#[cfg(test)]
mod tests;
