//! Text in, tags out, whatever the text looks like: the tolerant scanner.
//!
//! Only names of the table are tags. Each byte is looked at a bounded number of times: a tag that
//! comes to nothing is left where it failed, never read again from its start.

mod definition;
mod quote;

use super::MAX_ATTRIBUTES;
use super::comment::Comments;
use super::inline::CodeSpans;
use super::tag::Tag;
use super::tree::{Builder, Written};
use crate::source::{ByteSet, near_byte};
pub(super) use definition::definition_length;
use definition::is_definition;
use memchr::memmem;
use quote::Quotes;
use std::ops::Range;

/// What starts a part of XML in which nothing is markup.
pub(super) const CDATA: &str = "<![CDATA[";
/// What ends it.
pub(super) const CDATA_END: &str = "]]>";

/// What the scanned part is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// An XML file: comments, declarations and CDATA count.
    Xml,
    /// Markdown: tags in inline code are text.
    Markdown,
    /// The inside of a code fence.
    Fence,
}

/// Scans parts of one text, from left to right.
pub(super) struct Scanner<'s, 'b> {
    text: &'s str,
    builder: &'b mut Builder<'s>,
    comments: Comments<'s>,
    fence_comments: Comments<'s>,
    code: CodeSpans<'s>,
    quotes: Quotes<'s>,
    /// The attributes of the tag that is being read, one more than the cap at most.
    attributes: Vec<Written>,
    setting: Setting,
    end: usize,
    has_element: bool,
    /// Whether a `<?` was found that nothing ends; then nothing ends a later one either.
    lacks_instruction_end: bool,
    /// The same for CDATA.
    lacks_cdata_end: bool,
}

impl<'s, 'b> Scanner<'s, 'b> {
    pub(super) fn new(text: &'s str, builder: &'b mut Builder<'s>) -> Self {
        Self {
            text,
            builder,
            comments: Comments::new(text),
            fence_comments: Comments::new(text),
            code: CodeSpans::new(text),
            quotes: Quotes::new(text),
            attributes: Vec::new(),
            setting: Setting::Xml,
            end: 0,
            has_element: false,
            lacks_instruction_end: false,
            lacks_cdata_end: false,
        }
    }

    /// Scans one part; returns the end of what it read, which a comment may carry past the part.
    pub(super) fn scan(&mut self, part: Range<usize>, setting: Setting) -> usize {
        self.setting = setting;
        self.end = part.end;
        self.quotes.limit(part.end);
        let mut at = part.start;
        while let Some(rest) = self.text.as_bytes().get(at..self.end)
            && let Some(before) = near_byte(b'<', rest)
        {
            at = self.markup(at + before);
        }
        at.max(part.end)
    }

    /// Scans the inside of a code fence; its tags must close in it.
    pub(super) fn scan_fence(&mut self, part: Range<usize>) {
        self.builder.enter(part.start);
        self.scan(part.clone(), Setting::Fence);
        self.builder.leave(part.end);
    }

    /// Reads what starts with the `<` at `at`; returns where to go on.
    fn markup(&mut self, at: usize) -> usize {
        match self.byte(at + 1) {
            Some(b'/') => self.close(at),
            Some(b'!') => self.bang(at),
            Some(b'?') if self.setting == Setting::Xml => self.instruction(at),
            Some(byte) if is_name_start(byte) => self.open(at),
            Some(_) | None => at + 1,
        }
    }

    fn close(&mut self, at: usize) -> usize {
        let name = self.name(at + 2);
        let Some(tag) = self.text.get(name.clone()).and_then(Tag::named) else {
            return name.end;
        };
        let after = self.skip_space(name.end);
        if self.byte(after) != Some(b'>') {
            return after;
        }
        if let Some(end) = self.code_end(at) {
            return end;
        }
        self.builder.close(tag, at..after + 1);
        after + 1
    }

    fn open(&mut self, at: usize) -> usize {
        let name = self.name(at + 1);
        let tag = self.text.get(name.clone()).and_then(Tag::named);
        if !self.has_element && self.setting == Setting::Xml {
            self.has_element = true;
            if tag.is_some() {
                self.builder.assume_root();
            }
        }
        let Some(tag) = tag else { return name.end };
        if let Some(end) = self.code_end(at) {
            return end;
        }
        self.attributes.clear();
        let mut end = name.end;
        loop {
            let next = self.skip_space(end);
            match self.byte(next) {
                Some(b'>') => {
                    self.builder.open(tag, at..next + 1, &self.attributes);
                    return next + 1;
                }
                Some(b'/') if self.byte(next + 1) == Some(b'>') => {
                    self.builder.self_closed(tag, at..next + 2, &self.attributes);
                    return next + 2;
                }
                Some(byte) if next > end && is_name(byte) => match self.attribute(next) {
                    Ok(after) => end = after,
                    Err(failed) => return failed,
                },
                Some(_) | None => return next,
            }
        }
    }

    /// Reads the attribute at `at`; returns its end, or where the text stops being one.
    fn attribute(&mut self, at: usize) -> Result<usize, usize> {
        let name = self.name(at);
        let equals = self.skip_space(name.end);
        if self.byte(equals) != Some(b'=') {
            return Err(equals);
        }
        let start = self.skip_space(equals + 1);
        let (value, after) = match self.byte(start) {
            Some(quote @ (b'"' | b'\'')) => {
                let end = self.quotes.end_of(start + 1, quote)?;
                (start + 1..end, end + 1)
            }
            Some(_) | None => {
                let end = self.bare_value(start);
                (start..end, end)
            }
        };
        if after == start {
            return Err(start);
        }
        if self.attributes.len() <= MAX_ATTRIBUTES {
            self.attributes.push(Written::new(name, value));
        }
        Ok(after)
    }

    /// Returns the end of a value without quotes.
    fn bare_value(&self, start: usize) -> usize {
        let rest = self.text.as_bytes().get(start..self.end).unwrap_or_default();
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>' | b'"' | b'\'');
        let length = rest.iter().position(is_end).unwrap_or(rest.len());
        match rest.get(..length) {
            Some([.., b'/']) if rest.get(length) == Some(&b'>') => start + length - 1,
            Some(_) | None => start + length,
        }
    }

    /// Reads a comment, and in XML also CDATA and definitions.
    fn bang(&mut self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        if rest.starts_with(b"<!--") {
            return self.comment(at);
        }
        if self.setting != Setting::Xml {
            return at + 2;
        }
        if rest.starts_with(CDATA.as_bytes()) {
            return self.cdata(at);
        }
        if is_definition(rest) {
            let end = at + definition_length(rest);
            self.builder.definition(at..end);
            return end;
        }
        at + 2
    }

    fn comment(&mut self, at: usize) -> usize {
        if let Some(end) = self.code_end(at) {
            return end;
        }
        let end = match self.setting {
            // Lines inside a comment open no fence, so in Markdown a comment may run past the part.
            Setting::Markdown | Setting::Xml => self.comments.end_of(at, self.text.len()),
            Setting::Fence => self.fence_comments.end_of(at, self.end),
        };
        let Some(end) = end else { return at + 4 };
        self.builder.comment(at..end);
        end
    }

    fn cdata(&mut self, at: usize) -> usize {
        let inside = at + CDATA.len();
        let Some(length) = self.find(inside, CDATA_END, self.lacks_cdata_end) else {
            self.lacks_cdata_end = true;
            return inside;
        };
        let end = inside + length;
        self.builder.gap(at..inside);
        self.builder.gap(end..end + CDATA_END.len());
        end + CDATA_END.len()
    }

    fn instruction(&mut self, at: usize) -> usize {
        let Some(length) = self.find(at + 2, "?>", self.lacks_instruction_end) else {
            self.lacks_instruction_end = true;
            return at + 2;
        };
        let end = at + 2 + length + 2;
        self.builder.gap(at..end);
        end
    }

    fn find(&self, at: usize, wanted: &str, is_known_to_lack: bool) -> Option<usize> {
        if is_known_to_lack {
            return None;
        }
        memmem::find(self.text.as_bytes().get(at..self.end)?, wanted.as_bytes())
    }

    /// Returns the end of the inline code that `at` is in; only Markdown has any.
    fn code_end(&mut self, at: usize) -> Option<usize> {
        match self.setting {
            Setting::Markdown => self.code.end_of(at),
            Setting::Xml | Setting::Fence => None,
        }
    }

    fn name(&self, at: usize) -> Range<usize> {
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_name(*byte)).unwrap_or(rest.len());
        at..at + length
    }

    fn skip_space(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..self.end).unwrap_or_default();
        let spaces = rest.iter().take_while(|byte| byte.is_ascii_whitespace());
        at + spaces.count()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at..self.end)?.first().copied()
    }
}

/// Says whether a name may start with a byte.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii()
}

/// Says whether a byte may stand in a name.
pub(super) fn is_name(byte: u8) -> bool {
    NAME_BYTES.has(byte) || !byte.is_ascii()
}

/// The bytes of names that are characters of their own.
static NAME_BYTES: ByteSet = ByteSet::of(b"-_.:").and_alphanumeric();

#[cfg(test)]
mod tests;
