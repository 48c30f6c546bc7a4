//! What a fixer wrote in, where its edit belongs out, or why it belongs nowhere.

use crate::builtins::Value;
use crate::builtins::document::{Document, Documents, Meant, text_hash};
use crate::builtins::given::words;
use memchr::memmem;
use std::ops::Range;

/// One edit as a fixer proposed it.
#[derive(Debug)]
pub(super) struct Edit {
    file: String,
    section: String,
    old: String,
    new: String,
    /// The hash of the text that the finding is about.
    anchor: String,
}

impl Edit {
    /// Reads an edit; `old` and `new` are taken exactly as they are.
    pub(super) fn read(item: &Value) -> Result<Self, String> {
        if !matches!(item, Value::Map(_)) {
            return Err("an edit is a map with `old` and `new`".to_owned());
        }
        let exact = |name: &str| match item.get(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
            Some(Value::Nothing | Value::List(_) | Value::Map(_)) | None => None,
        };
        let old = exact("old").unwrap_or_default();
        if old.trim().is_empty() {
            return Err("it names no old text".to_owned());
        }
        let Some(new) = exact("new") else {
            return Err("it names no new text; an empty one takes the old text away".to_owned());
        };
        if old == new {
            return Err("its new text is its old text".to_owned());
        }
        Ok(Self {
            file: words(item, &["file", "path"]),
            section: words(item, &["section"]),
            anchor: words(item, &["anchor"]),
            old,
            new,
        })
    }

    /// Returns the text that it changes.
    pub(super) fn file(&self, documents: &Documents) -> Result<usize, String> {
        match documents.meant(&self.file) {
            Meant::File(file) => Ok(file),
            Meant::Unnamed | Meant::Several => {
                let has =
                    |(_, file): &(usize, &Document)| memmem::find(file.text.as_bytes(), self.old.as_bytes()).is_some();
                let mut having = documents.files.iter().enumerate().filter(has);
                match (having.next(), having.next()) {
                    (Some((file, _)), None) => Ok(file),
                    (None, _) if documents.files.len() == 1 => Ok(0),
                    (None, _) => Err("its old text is in no file that is under review".to_owned()),
                    (Some(_), Some(_)) => Err("it names no file, and its old text is in several".to_owned()),
                }
            }
            Meant::Unknown => Err(format!("the file `{}` is not under review", self.file)),
            Meant::Outside => Err(format!("the path `{}` leads out of the project", self.file)),
        }
    }

    /// Finds the one place of its old text and returns what comes there: in its section, where its finding is, or
    /// anywhere.
    pub(super) fn find(&self, document: &Document) -> Result<(Range<usize>, String), String> {
        let text = document.text.as_str();
        let has_returns = text.contains("\r\n") && !self.old.contains('\r');
        let (old, new) = if has_returns && memmem::find(text.as_bytes(), self.old.as_bytes()).is_none() {
            (self.old.replace('\n', "\r\n"), self.new.replace('\n', "\r\n"))
        } else {
            (self.old.clone(), self.new.clone())
        };
        let outline = document.outline();
        let sections = outline
            .named(&self.section)
            .into_iter()
            .filter_map(|at| outline.sections.get(at));
        let sections = sections.map(|section| section.whole.clone());
        let anchored = outline.blocks.iter().filter(|block| {
            let is_meant = |text: &str| !self.anchor.is_empty() && text_hash(text) == self.anchor;
            text.get((*block).clone()).is_some_and(is_meant)
        });
        let mut found = places(text, &old, sections);
        if found.len() != 1 && !self.anchor.is_empty() {
            let near = places(text, &old, anchored.cloned());
            if near.len() == 1 {
                found = near;
            }
        }
        if found.is_empty() {
            found = places(text, &old, std::iter::once(0..text.len()));
        }
        match found.as_slice() {
            [] => Err("its old text is not there".to_owned()),
            [start] => Ok((*start..*start + old.len(), new)),
            several => Err(format!("its old text stands in {} places", several.len())),
        }
    }
}

/// Returns where `old` begins in any of the ranges, overlapping places as well.
fn places(text: &str, old: &str, ranges: impl Iterator<Item = Range<usize>>) -> Vec<usize> {
    let mut found = Vec::new();
    for range in ranges {
        let mut from = range.start;
        while let Some(at) = text.get(from..range.end).and_then(|part| part.find(old)) {
            found.push(from + at);
            from += at
                + text
                    .get(from + at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(1, char::len_utf8);
            if found.len() > MOST_PLACES {
                return found;
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// How many places are counted at most.
const MOST_PLACES: usize = 99;
