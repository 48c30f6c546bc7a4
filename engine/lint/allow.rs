//! `bmad: allow(rule)` in a comment: the author knows, and says so.
//!
//! A comment speaks for its own line and for the line after it; before anything else in a file, and as `allow-file`
//! anywhere, it speaks for the whole file.

use crate::diagnostic::Diagnostic;
use crate::model::{Document, Library};
use crate::source::{Source, Span};
use crate::syntax::Format;

/// Says whether a comment allows a finding.
pub(super) fn allows(library: &Library, diagnostic: &Diagnostic) -> bool {
    let document = library.document(diagnostic.span.source);
    let source = &document.source;
    document.parsed.comments.iter().any(|comment| {
        let text = source.slice(*comment);
        let Some(rest) = text.trim_start().strip_prefix("bmad:") else {
            return false;
        };
        let rest = rest.trim_start();
        if let Some(names) = rest.strip_prefix("allow-file") {
            return lists(names, diagnostic.code.0);
        }
        let allowed = rest
            .strip_prefix("allow")
            .is_some_and(|names| lists(names, diagnostic.code.0));
        let at = diagnostic.span.start;
        allowed
            && (is_near(source, comment.end, at)
                || same_line(source, comment.start, at)
                || is_first(document, *comment))
    })
}

/// Reads `(one, two)`.
fn lists(text: &str, name: &str) -> bool {
    let inside = text
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.split(')').next());
    inside.is_some_and(|inside| {
        inside
            .split(',')
            .any(|rule| matches!(rule.trim(), "all") || rule.trim() == name)
    })
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

/// Says whether `at` is on the next line with text after `comment_end`.
fn is_near(source: &Source, comment_end: u32, at: u32) -> bool {
    if at < comment_end {
        return false;
    }
    let between = source.slice(source.span(comment_end as usize, at as usize));
    let mut lines = between.split('\n').skip(1).peekable();
    while lines
        .peek()
        .is_some_and(|line| line.trim().is_empty() || line.trim() == "\r")
    {
        let blank = lines.next();
        if lines.peek().is_none() {
            return blank.is_some();
        }
    }
    lines.count() <= 1
}

fn same_line(source: &Source, comment: u32, at: u32) -> bool {
    let (from, to) = (comment.min(at) as usize, comment.max(at) as usize);
    !source.slice(source.span(from, to)).contains('\n')
}
