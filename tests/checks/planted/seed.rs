//! A document with one mistake in it, and the ways to make one.

/// A document with one mistake in it.
#[derive(Debug)]
pub(in crate::checks) struct Seed {
    pub(in crate::checks) text: String,
    /// What was changed, for a person.
    pub(in crate::checks) what: String,
}

/// Replaces a part of a text.
pub(super) fn replaced(text: &str, start: usize, end: usize, new: &str) -> Seed {
    Seed {
        text: format!("{}{new}{}", &text[..start], &text[end..]),
        what: format!("{:?} became {new:?} in {:?}", &text[start..end], line_at(text, start)),
    }
}

pub(super) fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    text[start..].lines().next().unwrap_or("")
}

/// A line that is no code and no frontmatter.
pub(super) struct Place<'t> {
    pub(super) start: usize,
    pub(super) line: &'t str,
}

impl Place<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.line.len()
    }
}

/// Returns the lines of a document that are no code and no frontmatter.
pub(super) fn prose(text: &str) -> Vec<Place<'_>> {
    let body = text
        .strip_prefix("---\n")
        .map_or(0, |rest| rest.find("---\n").unwrap() + 8);
    let mut is_code = false;
    let mut at = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let is_fence = line.starts_with("```");
        if at >= body && !is_code && !is_fence {
            let line = line.trim_end_matches('\n');
            found.push(Place { start: at, line });
        }
        is_code ^= is_fence;
        at += line.len();
    }
    found
}

/// Says whether a byte of a line stands in inline code.
pub(super) fn is_code(line: &str, at: usize) -> bool {
    line[..at].matches('`').count() % 2 == 1
}

/// A heading: where its line starts, its level and its words.
pub(super) struct Title<'t> {
    pub(super) start: usize,
    pub(super) line: &'t str,
    pub(super) level: usize,
    pub(super) words: &'t str,
}

pub(super) fn titles(text: &str) -> Vec<Title<'_>> {
    let headings = prose(text).into_iter().filter(|place| place.line.starts_with('#'));
    headings
        .map(|place| {
            let words = place.line.trim_start_matches('#');
            Title {
                start: place.start,
                line: place.line,
                level: place.line.len() - words.len(),
                words: words.trim(),
            }
        })
        .collect()
}
