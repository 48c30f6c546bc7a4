//! Places where something was to be filled in and was not.

use super::{About, Check, Exists, Finding, Severity};
use crate::drivers::offline::claim::say;
use crate::drivers::offline::page::Page;
use crate::source::{SourceId, Span};
use crate::syntax::{HoleKind, holes};
use std::collections::BTreeSet;
use std::ops::Range;

/// Places where something was to be filled in and was not.
pub(super) const CHECK: Check = Check {
    name: "placeholder",
    claims: &[OPEN, DUMMY_TEXT, MANY],
    needs: "the author says what belongs there",
    about: About::Content,
    find,
};

const OPEN: &str = "the placeholder {} is not filled in";
const DUMMY_TEXT: &str = "dummy text stands where text belongs";
const MANY: &str = "{} placeholders such as {} are not filled in: the document reads as a template";
/// So many different placeholders are one thing to do and not many.
const MANY_NAMES: usize = 8;

/// How a placeholder in brackets begins.
const OPENINGS: &[&str] = &[
    "your ",
    "your-",
    "your_",
    "insert ",
    "placeholder",
    "to be determined",
    "to be defined",
    "to be decided",
    "fill in",
    "enter ",
];
/// The text that printers use where there is no text yet.
const DUMMY: &str = "lorem ipsum";
/// Names that descriptions of code give to types.
const TYPES: &[&str] = &[
    "any", "array", "boolean", "buffer", "function", "integer", "number", "object", "promise", "string",
];
/// What joins the parts of a pattern.
const JOINTS: &[char] = &['.', '-', '_', '/', ':'];
/// The longest text in brackets that is looked at.
const LONGEST: usize = 80;

fn find(page: &Page, _: Exists<'_>) -> Vec<Finding> {
    let mut found = gathered(page, braces(page));
    found.extend(brackets(page, '[', ']'));
    found.extend(brackets(page, '<', '>'));
    let lower = page.prose.to_ascii_lowercase();
    found.extend(lower.match_indices(DUMMY).map(|(at, words)| Finding {
        message: DUMMY_TEXT.to_owned(),
        ..open(page, at..at + words.len(), Severity::Medium)
    }));
    found
}

/// Makes one finding of very many.
fn gathered(page: &Page, found: Vec<Finding>) -> Vec<Finding> {
    let names: BTreeSet<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    let (count, is_template) = (names.len().to_string(), names.len() >= MANY_NAMES);
    match found.first() {
        Some(first) if is_template => {
            let written = page.prose.get(first.range.clone()).unwrap_or("");
            vec![Finding {
                severity: Severity::Medium,
                message: say(MANY, [&count, written]),
                evidence: format!("the first is on line {}", page.line(first.range.start)),
                suggestion: "write what belongs there, or call the file a template".to_owned(),
                ..first.clone()
            }]
        }
        Some(_) | None => found,
    }
}

fn open(page: &Page, range: Range<usize>, severity: Severity) -> Finding {
    let written = page.prose.get(range.clone()).unwrap_or("");
    Finding {
        check: CHECK.name,
        severity,
        message: say(OPEN, [written]),
        evidence: format!("line {} shows it as it was in the template", page.line(range.start)),
        suggestion: "write what belongs there, or take the sentence out".to_owned(),
        repair: Vec::new(),
        range,
    }
}

fn braces(page: &Page) -> Vec<Finding> {
    let whole = Span::new(SourceId(0), 0, page.prose.len());
    let mut found = Vec::new();
    for hole in holes(&page.prose, whole) {
        let range = hole.span.range();
        let severity = match hole.kind {
            HoleKind::Double if !is_attribute(hole.name) => Severity::Medium,
            HoleKind::Single if is_type(page, range.start, hole.name) => continue,
            HoleKind::Single if is_hole(&page.prose, &range, hole.name) => Severity::Low,
            HoleKind::Double | HoleKind::Single | HoleKind::Block | HoleKind::Rendered => continue,
        };
        found.push(open(page, range, severity));
    }
    found
}

/// `style={{ width: 1 }}` is code of a page and `{{.}}` a mark of a template language.
fn is_attribute(name: &str) -> bool {
    name.contains(':') || name.contains('\'') || name == "."
}

/// Says whether braces hold the type of what is described: they follow its name, the code that an item begins with, or
/// a tag such as `@param`; or they are the first word of an item, or of what follows a colon, and name a type.
fn is_type(page: &Page, at: usize, name: &str) -> bool {
    let line = page.visible.get(page.near(at).0..at).unwrap_or("").trim_start();
    let before = line.trim_end_matches(' ');
    let item = line.strip_prefix(['-', '*', '+']).map(str::trim);
    let is_named =
        item.is_some_and(|item| item.starts_with('`') && item.ends_with('`') && item.matches('`').count() == 2);
    let is_tagged = before
        .rsplit(' ')
        .next()
        .is_some_and(|last| last.len() > 1 && last.starts_with('@'));
    let is_first = item == Some("") || before.ends_with(':');
    let is_known = || TYPES.iter().any(|known| name.eq_ignore_ascii_case(known));
    line.ends_with(' ') && (is_named || is_tagged || (is_first && is_known()))
}

/// Tells a hole from the parts of a path such as `/users/{id}` or of a pattern such as `{year}-{month}`, and from
/// formulas and sets.
fn is_hole(text: &str, range: &Range<usize>, name: &str) -> bool {
    let before = text[..range.start].chars().next_back().unwrap_or(' ');
    let in_formula = before.is_alphanumeric() || "\\^_$#%=@}".contains(before);
    let follows = text[..range.start]
        .strip_suffix(JOINTS)
        .is_some_and(|left| left.ends_with('}'));
    let is_joined = follows
        || text[range.end..]
            .strip_prefix(JOINTS)
            .is_some_and(|right| right.starts_with('{'));
    name.len() > 1 && before != '/' && !in_formula && !is_joined
}

fn brackets(page: &Page, left: char, right: char) -> Vec<Finding> {
    let text = page.prose.as_str();
    let mut found = Vec::new();
    for (at, _) in text.match_indices(left) {
        let inside = &text[at + 1..];
        let Some(length) = inside.find([right, left, '\n']).filter(|length| *length <= LONGEST) else {
            continue;
        };
        let words = &inside[..length];
        let end = at + 1 + length + 1;
        let is_closed = inside[length..].starts_with(right);
        let lower = words.trim_start_matches(['_', '*', ' ']).to_lowercase();
        let opens = OPENINGS.iter().any(|opening| lower.starts_with(opening));
        if is_closed && opens && !is_link(text, at, end) && !words.contains('=') {
            found.push(open(page, at..end, Severity::Medium));
        }
    }
    found
}

/// Says whether brackets are the text of a link, an image, the definition of one, or the title of a `:::note[box]`.
fn is_link(text: &str, start: usize, end: usize) -> bool {
    let is_link = text[end..].starts_with(['(', '[', ':']);
    let before = text[..start].chars().next_back().unwrap_or(' ');
    is_link || before.is_alphanumeric() || "!]\\".contains(before)
}
