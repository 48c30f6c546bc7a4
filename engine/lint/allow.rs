//! `bmad: allow(rule)` in a comment: the author knows, and says so.
//!
//! A comment speaks for its own line and for the line after it; `allow-file` speaks for the whole file.

use crate::diagnostic::Diagnostic;
use crate::model::Library;
use crate::source::Source;

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
        rest.strip_prefix("allow")
            .is_some_and(|names| lists(names, diagnostic.code.0) && is_near(source, comment.end, diagnostic.span.start))
            || rest.strip_prefix("allow").is_some_and(|names| {
                lists(names, diagnostic.code.0) && same_line(source, comment.start, diagnostic.span.start)
            })
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
