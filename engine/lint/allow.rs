//! `bmad: allow(rule)` in a comment: the author knows, and says so.
//!
//! A comment speaks for its own line and for the element or the line after it; before anything else in a file, and as
//! `allow-file` anywhere, it speaks for the whole file.

use super::rule;
use crate::diagnostic::Diagnostic;
use crate::model::{Document, Library};
use crate::source::{SourceId, Span};
use crate::syntax::{Child, Element, Format};
use std::ops::RangeInclusive;

/// What comments allow, file by file.
pub(super) struct Permits<'a> {
    library: &'a Library,
    /// The file that was asked about last, with its comments that allow something: its findings come one after the other.
    last: Option<(SourceId, Vec<(Span, Permit<'a>)>)>,
}

impl<'a> Permits<'a> {
    pub(super) fn of(library: &'a Library) -> Self {
        Self { library, last: None }
    }

    /// Says whether a comment allows a finding.
    pub(super) fn allow(&mut self, diagnostic: &Diagnostic) -> bool {
        let document = self.library.document(diagnostic.span.source);
        let mut permits = self.of_file(document).iter();
        permits.any(|(comment, permit)| {
            let is_in_reach = || reach(document, *comment).contains(&(diagnostic.span.start as usize));
            permit.lists(diagnostic.code.0) && (permit.of_file || is_in_reach() || is_first(document, *comment))
        })
    }

    fn of_file(&mut self, document: &'a Document) -> &[(Span, Permit<'a>)] {
        let id = document.source.id();
        let last = self.last.take().filter(|(file, _)| *file == id);
        let read = || {
            let comments = document.parsed.comments.iter();
            let permit = |comment: &Span| Some((*comment, Permit::read(document.source.slice(*comment))?));
            (id, comments.filter_map(permit).collect())
        };
        &self.last.insert(last.unwrap_or_else(read)).1
    }
}

/// What a comment of a document allows that cannot be allowed: a name that is no rule's, or none at all.
pub(super) fn mistaken(document: &Document) -> impl Iterator<Item = (Span, &str)> {
    let source = &document.source;
    document.parsed.comments.iter().flat_map(move |comment| {
        let permit = Permit::read(source.slice(*comment));
        let wrong = permit.map(|permit| permit.wrong()).unwrap_or_default();
        wrong
            .into_iter()
            .map(move |(at, name)| (comment.inner(at, at + name.len()), name))
    })
}

/// What a comment says that allows something.
struct Permit<'a> {
    /// It speaks for the whole file, wherever it stands.
    of_file: bool,
    /// What stands behind the word, and where in the comment that begins.
    rest: &'a str,
    start: usize,
}

impl<'a> Permit<'a> {
    fn read(comment: &'a str) -> Option<Self> {
        let rest = comment.trim_start().strip_prefix("bmad:")?.trim_start();
        let (of_file, rest) = match rest.strip_prefix("allow-file") {
            Some(rest) => (true, rest),
            None => (false, rest.strip_prefix("allow")?),
        };
        let start = comment.len() - rest.len();
        Some(Self { of_file, rest, start })
    }

    /// Returns what stands in `(one, two)`, piece by piece, each with its place in the comment; nothing without it.
    fn pieces(&self) -> Option<impl Iterator<Item = (usize, &'a str)>> {
        let inside = self.rest.trim_start().strip_prefix('(')?;
        let start = self.start + self.rest.len() - inside.len();
        let pieces = inside.split(')').next()?.split(',');
        let mut at = start;
        Some(pieces.map(move |piece| {
            let name = piece.trim();
            let begin = at + piece.len() - piece.trim_start().len();
            at += piece.len() + 1;
            (begin, name)
        }))
    }

    fn lists(&self, code: &str) -> bool {
        let pieces = self.pieces();
        pieces.is_some_and(|mut pieces| pieces.any(|(_, name)| matches!(name, "all") || name == code))
    }

    /// Returns the names that are no rule's; where none is given in brackets, what stands there instead.
    fn wrong(&self) -> Vec<(usize, &'a str)> {
        let is_known = |name: &str| name == "all" || rule(name).is_some();
        match self.pieces() {
            Some(pieces) => pieces.filter(|(_, name)| !is_known(name)).collect(),
            None if self
                .rest
                .starts_with(|next: char| next.is_alphanumeric() || next == '-') =>
            {
                Vec::new()
            }
            None => {
                let said = self.rest.trim_start();
                let at = self.start + self.rest.len() - said.len();
                vec![(at, said.lines().next().unwrap_or_default().trim_end())]
            }
        }
    }
}

/// Says whether a comment stands before anything else in a file but its frontmatter, declarations and other comments.
fn is_first(document: &Document, comment: Span) -> bool {
    let start = document.body().start;
    if comment.start < start {
        return false;
    }
    let source = &document.source;
    let before = source.slice(source.span(start as usize, comment.start as usize));
    let mut rest = before.trim_start_matches('\u{feff}').trim_start();
    while let Some(end) = remark_end(rest, document.parsed.format) {
        // What does not end is what the comment itself begins with.
        rest = rest.split_once(end).map_or("", |(_, after)| after.trim_start());
    }
    rest.is_empty()
}

/// Returns what a comment or a declaration ends with, where a text begins with one.
fn remark_end(text: &str, format: Format) -> Option<&'static str> {
    match format {
        Format::Xml | Format::Markdown if text.starts_with("<!--") => Some("-->"),
        Format::Xml if text.starts_with("<?") => Some("?>"),
        Format::Yaml | Format::Toml if text.starts_with('#') => Some("\n"),
        Format::Xml | Format::Markdown | Format::Yaml | Format::Toml | Format::Csv => None,
    }
}

/// Returns what a comment speaks for: from the beginning of its line to the end of the element that follows it, or of the
/// next line with text. Of a fence that is the first line between its marks.
fn reach(document: &Document, comment: Span) -> RangeInclusive<usize> {
    let text = document.source.text();
    let (start, end) = (comment.start as usize, comment.end as usize);
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let next = next_thing(text, end, document.parsed.format);
    let fences = &document.parsed.markdown.fences;
    let fence = fences.iter().find(|fence| fence.span.start as usize == next);
    let last = fence.map_or(next, |fence| fence.body.start as usize);
    let line_end = text[last..].find('\n').map_or(text.len(), |length| last + length);
    // What stands at the end of a line is about that line.
    let is_alone = text[line..start]
        .trim()
        .trim_end_matches(['<', '!', '-', '#'])
        .is_empty();
    let is_beside = !text[end..next].contains('\n');
    let follows = element_at(&document.parsed.tree, next).filter(|_| is_alone || is_beside);
    let reached = follows.map_or(line_end, |element| line_end.max(element.span.end as usize - 1));
    let is_data =
        matches!(document.parsed.format, Format::Yaml | Format::Toml) || comment.start < document.body().start;
    match is_data && is_alone {
        true => line..=reached.max(block_end(text, next, document.parsed.format)),
        false => line..=reached,
    }
}

/// Returns where the key or the item of data ends that begins at a place: with the lines that belong to it.
fn block_end(text: &str, at: usize, format: Format) -> usize {
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let first = text[at..].lines().next().unwrap_or_default();
    let column = at - begin;
    let is_table = format == Format::Toml && first.starts_with('[');
    let is_item = first.starts_with('-');
    let belongs = |line: &str| {
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        match format {
            Format::Toml if is_table => !inner.starts_with('['),
            _ if inner.is_empty() || indent > column => true,
            Format::Toml => inner.starts_with([']', '}']),
            // The items of a list may stand right below its key.
            _ => indent == column && !is_item && inner.starts_with('-'),
        }
    };
    let mut end = at + first.len();
    let mut next = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    for line in text[next..]
        .split_inclusive('\n')
        .take_while(|line| belongs(line.trim_end()))
    {
        next += line.len();
        end = next;
    }
    end
}

/// Returns where the first thing after a comment begins; other comments are none.
fn next_thing(text: &str, comment_end: usize, format: Format) -> usize {
    let mut rest = text[comment_end..].trim_start_matches("-->").trim_start();
    while let Some((_, after)) = remark_end(rest, format).and_then(|end| rest.split_once(end)) {
        rest = after.trim_start();
    }
    text.len() - rest.len()
}

/// Finds the element that begins at a place.
fn element_at(children: &[Child], at: usize) -> Option<&Element> {
    children.iter().find_map(|child| match child {
        Child::Element(element) if element.span.start as usize == at => Some(&**element),
        Child::Element(element) if element.span.range().contains(&at) => element_at(&element.children, at),
        Child::Element(_) | Child::Text(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::Permits;
    use crate::diagnostic::{Code, Diagnostic, Severity};
    use crate::model::{Document, Library};
    use crate::source::{ProjectPath, Source, SourceId, Span};
    use crate::syntax::{Format, parse};

    #[test]
    fn what_a_file_allows_is_known_in_whichever_order_files_come() {
        let texts = [
            "# One\n\n<!-- bmad: allow-file(one) -->\n\nText.\n",
            "# Two\n\nText.\n",
            "# Three\n\n<!-- A remark. -->\n<!-- bmad: allow-file(one, two) -->\n",
        ];
        let documents = (0..).zip(texts).map(|(id, text)| {
            let path = ProjectPath::new(&format!("{id}.md")).unwrap();
            let source = Source::new(SourceId(id), path, text.to_owned());
            let parsed = parse(&source, Format::Markdown);
            Box::new(Document::new(source, parsed))
        });
        let library = Library::new(documents.collect(), Vec::new(), Box::new(|_| false));
        let mut permits = Permits::of(&library);
        for file in [0, 1, 0, 2, 2, 1, 1, 0, 0, 2] {
            for code in ["one", "two"] {
                let span = Span::new(SourceId(file), 2, 3);
                let finding = Diagnostic::new(Code(code), Severity::Warning, span, "");
                let expected = matches!((file, code), (0 | 2, "one") | (2, "two"));
                assert_eq!(permits.allow(&finding), expected, "{file} {code}");
            }
        }
    }
}
