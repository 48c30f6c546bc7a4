//! What is written: elements, attributes and text with their places. Nothing here says what it means.

use super::scan::{CDATA, CDATA_END};
use super::tag::Tag;
use crate::source::{Source, Span, near_byte};
use std::borrow::Cow;

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: Box<str>,
    /// Its value, entities decoded.
    pub value: Box<str>,
    /// Where the name stands.
    pub name_span: Span,
    /// Where the value stands, without its quotes.
    pub value_span: Span,
}

/// Something between two tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Child {
    /// A tag of the table.
    Element(Box<Element>),
    /// Everything else, as written.
    Text(Span),
}

impl Child {
    /// Returns where the child stands.
    pub fn span(&self) -> Span {
        match self {
            Child::Element(element) => element.span,
            Child::Text(span) => *span,
        }
    }
}

/// A tag of the table, with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Which tag.
    pub tag: Tag,
    /// Its attributes, in order.
    pub attributes: Vec<Attribute>,
    /// What it holds, in order.
    pub children: Vec<Child>,
    /// From the open tag to the end of the close tag.
    pub span: Span,
    /// The open tag alone.
    pub open: Span,
    /// The close tag; absent where the tag closes itself or was never closed.
    pub close: Option<Span>,
}

impl Element {
    /// Finds an attribute by name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| &*attribute.name == name)
    }

    /// Returns the value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| &*attribute.value)
    }

    /// Returns the elements among the children.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Child::Element(element) => Some(&**element),
            Child::Text(_) => None,
        })
    }

    /// Returns the first child with this tag.
    pub fn child(&self, tag: Tag) -> Option<&Element> {
        self.elements().find(|element| element.tag == tag)
    }

    /// Returns the place between the open and the close tag.
    pub fn inside(&self) -> Span {
        let end = self.close.map_or(self.span.end, |close| close.start);
        Span {
            source: self.span.source,
            start: self.open.end.min(end),
            end,
        }
    }

    /// Returns the text between the open and the close tag as written, trimmed, with its place.
    pub fn inner_text<'a>(&self, source: &'a Source) -> (Span, &'a str) {
        trim(source, self.inside())
    }
}

/// Narrows a span to its text without the white space around it.
pub fn trim(source: &Source, span: Span) -> (Span, &str) {
    let text = source.slice(span);
    let trimmed = text.trim_start();
    let start = text.len() - trimmed.len();
    let trimmed = trimmed.trim_end();
    (span.inner(start, start + trimmed.len()), trimmed)
}

/// Leaves out the end of the tag that a text began in: Markdown behind an action belongs to it, its `</action>` does not.
pub fn without_ends(text: &str) -> Cow<'_, str> {
    const ENDS: [(&str, &str); 3] = [("<action", "</action>"), ("<i>", "</i>"), ("<phase", "</phase>")];
    let mut text = Cow::Borrowed(text);
    for (begin, end) in ENDS {
        if let Some(at) = memchr::memmem::find(text.as_bytes(), end.as_bytes())
            && !text[..at].contains(begin)
        {
            text = Cow::Owned([&text[..at], &text[at + end.len()..]].concat());
        }
    }
    text
}

/// Decodes entities; what stands in `<![CDATA[ … ]]>` is literal, and its marks are left out.
pub fn decode(text: &str) -> Cow<'_, str> {
    let Some(mut at) = memchr::memmem::find(text.as_bytes(), CDATA.as_bytes()) else {
        return entities(text);
    };
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((inside, after)) = rest[at + CDATA.len()..].split_once(CDATA_END) {
        decoded.push_str(&entities(&rest[..at]));
        decoded.push_str(inside);
        rest = after;
        match rest.find(CDATA) {
            Some(next) => at = next,
            None => break,
        }
    }
    decoded.push_str(&entities(rest));
    Cow::Owned(decoded)
}

/// Decodes the five named entities and numeric ones; anything else after `&` stays as written.
pub(super) fn entities(text: &str) -> Cow<'_, str> {
    let Some(first) = near_byte(b'&', text.as_bytes()) else {
        return Cow::Borrowed(text);
    };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(at) = near_byte(b'&', rest.as_bytes()) {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        match entity(rest) {
            Some((character, length)) => {
                decoded.push(character);
                rest = &rest[length..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn entity(text: &str) -> Option<(char, usize)> {
    let end = near_byte(b';', &text.as_bytes()[..text.len().min(12)])?;
    let character = match &text[1..end] {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        name => numeric(name)?,
    };
    Some((character, end + 1))
}

fn numeric(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(code)
}
