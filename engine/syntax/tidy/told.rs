//! Texts in, the lines of them out that stay where they are. What somebody is told begins with the first word of a text
//! and ends with the last: white space between them is part of it, and white space around it is not.

use super::super::tag::{Content, Tag};
use std::collections::HashSet;

/// What was read of the texts of a file.
#[derive(Default)]
pub(super) struct Told {
    /// The line that is read, from 0.
    line: usize,
    /// Whether it begins with text.
    is_text: bool,
    /// The elements that the line stands in.
    open: Vec<Open>,
    /// The first and the last line of each text that are to stay.
    texts: Vec<(usize, usize)>,
}

/// An element that is not closed yet.
struct Open {
    /// Whether it holds other elements, and each text between them is one by itself.
    is_block: bool,
    /// Whether its tag is one of the text that it stands in.
    is_inline: bool,
    /// The first line of the text that is read.
    first: Option<usize>,
    /// The first line that begins in it.
    from: usize,
    /// The last line of it so far.
    last: usize,
    /// Whether an element stands before it.
    is_later: bool,
}

impl Told {
    /// Notes that a line begins.
    pub(super) fn begins(&mut self, line: &str, is_content: bool) {
        self.is_text = is_content && !line.trim_start().starts_with('<');
    }

    /// Notes that the line is over.
    pub(super) fn ends(&mut self) {
        self.line += 1;
    }

    /// Notes that the line holds text.
    pub(super) fn text(&mut self) {
        if let Some(own) = self.open.last_mut() {
            own.reach(self.line, self.is_text);
        }
    }

    /// Notes that an element begins, or is there, being empty.
    pub(super) fn tag(&mut self, tag: Option<Tag>) {
        let Some(own) = self.open.last_mut() else {
            return;
        };
        if own.is_block {
            self.texts.extend(own.settled());
        } else if tag.is_none() {
            own.reach(self.line, self.is_text);
        }
        own.is_later = true;
    }

    /// Notes that the text of an element begins.
    pub(super) fn opens(&mut self, tag: Option<Tag>) {
        // The text of a dispatch goes on behind a parameter.
        let is_block = |tag: Tag| tag.row().content == Content::Block && tag != Tag::Dispatch;
        self.open.push(Open {
            is_block: tag.is_some_and(is_block),
            is_inline: tag.is_none(),
            first: None,
            from: 0,
            last: 0,
            is_later: false,
        });
    }

    /// Notes that an element ends.
    pub(super) fn closes(&mut self) {
        let Some(mut closed) = self.open.pop() else {
            return;
        };
        self.texts.extend(closed.settled());
        if let Some(around) = self.open.last_mut()
            && closed.is_inline
            && !around.is_block
        {
            around.reach(self.line, self.is_text);
        }
    }

    /// Returns the lines that stay.
    pub(super) fn fixed(&self) -> HashSet<usize> {
        self.texts.iter().flat_map(|(first, last)| *first..=*last).collect()
    }
}

impl Open {
    /// Notes that its text reaches to a line.
    fn reach(&mut self, line: usize, is_text: bool) {
        if self.first.is_none() {
            self.first = Some(line);
            self.from = line + usize::from(!is_text);
        }
        self.last = line;
    }

    /// Ends the text that is read; returns its lines where one of them is told with the white space before it.
    fn settled(&mut self) -> Option<(usize, usize)> {
        let first = self.first.take()?;
        (first < self.last || self.is_later).then_some((self.from, self.last))
    }
}
