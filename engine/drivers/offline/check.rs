//! A document in, findings out: what can be shown to be wrong without understanding a word.
//!
//! Code, inline code and comments are left alone: what they say is shown, not meant.

mod anchor;
mod fence;
mod heading;
mod link;
mod mark;
mod placeholder;

use super::page::Page;
use crate::builtins::Value;
use crate::machine::sha256;
use std::ops::Range;

/// The longest quote.
const LONGEST_QUOTE: usize = 200;
/// The most findings of one document; a document with more is wrong in one way a thousand times.
const MOST: usize = 1000;

/// Words of a line that speaks about placeholders and marks.
const ABOUT: &[&str] = &[
    "placeholder",
    "marker",
    "remain",
    "search for",
    "look for",
    "unresolved",
];

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) severity: Severity,
    /// The words it is about.
    pub(super) range: Range<usize>,
    /// One sentence that is true or false of the text.
    pub(super) message: String,
}

/// How much it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// Worth improving.
    Low,
    /// Will cost time.
    Medium,
    /// Will have to be redone.
    High,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Severity::Low => "low",
            Severity::Medium => "medium",
            Severity::High => "high",
        }
    }
}

/// Says whether a path, as seen from the folder of the document, leads to something; none where that cannot be known.
pub(super) type Exists<'a> = &'a dyn Fn(&str) -> Option<bool>;

type Check = fn(&Page, Exists<'_>) -> Vec<Finding>;

/// Every check, in the order its findings are told.
pub(super) const CHECKS: &[(&str, Check)] = &[
    ("dead-link", link::files),
    ("dead-anchor", link::headings),
    ("placeholder", placeholder::check),
    ("open-mark", mark::check),
    ("empty-section", heading::empty),
    ("heading-jump", heading::jumps),
    ("duplicate-heading", heading::duplicates),
    ("unbalanced-fence", fence::check),
];

/// Runs every check over a Markdown document; findings come in the order of its lines.
pub(super) fn document(page: &Page, exists: Exists<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = CHECKS.iter().flat_map(|(_, check)| check(page, exists)).collect();
    found.retain(|finding| !speaks_about(page, finding));
    found.sort_by_key(|finding| finding.range.start);
    found.truncate(MOST);
    found
}

/// Says whether the line of a finding speaks about such findings: "no [x] markers remain" is a rule, not a gap.
fn speaks_about(page: &Page, finding: &Finding) -> bool {
    if !matches!(finding.check, "placeholder" | "open-mark") {
        return false;
    }
    let (start, end) = page.line_range(finding.range.start);
    let before = page.text().get(start..finding.range.start).unwrap_or("");
    let after = page
        .text()
        .get(finding.range.end..end.max(finding.range.end))
        .unwrap_or("");
    let line = format!("{before} {after}").to_lowercase();
    ABOUT.iter().any(|words| line.contains(words))
}

/// Runs the checks that make sense for any text.
pub(super) fn plain(page: &Page) -> Vec<Finding> {
    mark::check(page, &|_| None)
}

impl Finding {
    /// Returns the finding as workflows know it.
    pub(super) fn value(&self, page: &Page, file: &str) -> Value {
        let line = page.line(self.range.start);
        let quote = self.quote(page);
        let section = page
            .section(self.range.start)
            .map_or("", |heading| heading.text.as_str());
        let text = |text: &str| Value::from(text);
        let pairs = [
            ("check", text(self.check)),
            ("category", text(self.check)),
            ("severity", text(self.severity.name())),
            ("file", text(file)),
            ("line", Value::Number(f64::from(line))),
            ("quote", text(&quote)),
            ("message", text(&self.message)),
            ("claim", text(&self.message)),
            ("anchor", text(&self.anchor(page, file))),
            (
                "place",
                Value::Map(vec![
                    ("file".to_owned(), text(file)),
                    ("section".to_owned(), text(section)),
                    ("quote".to_owned(), text(&quote)),
                ]),
            ),
        ];
        Value::Map(
            pairs
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        )
    }

    /// Returns words that stand in the document exactly so.
    fn quote(&self, page: &Page) -> String {
        let line = page.line_at(self.range.start);
        if line.chars().count() <= LONGEST_QUOTE {
            return line.to_owned();
        }
        let words = page.text().get(self.range.clone()).unwrap_or(line);
        let first = words.lines().next().unwrap_or("");
        first.chars().take(LONGEST_QUOTE).collect()
    }

    /// Returns what stays the same when lines above it come and go.
    fn anchor(&self, page: &Page, file: &str) -> String {
        let section = page
            .section(self.range.start)
            .map_or("", |heading| heading.text.as_str());
        let words = page.text().get(self.range.clone()).unwrap_or("");
        let mut hash = sha256(format!("{file}\n{section}\n{}\n{words}", self.check).as_bytes());
        hash.truncate(16);
        hash
    }
}

#[cfg(test)]
mod tests;
