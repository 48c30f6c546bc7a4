//! What a check found: where, what is wrong, what shows it, and how it could be put right.

use super::page::Page;
use crate::builtins::Value;
use crate::machine::sha256;
use std::ops::Range;

/// The longest quote.
const LONGEST_QUOTE: usize = 200;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The name of the check.
    pub(super) check: &'static str,
    pub(super) severity: Severity,
    /// The words it is about.
    pub(super) range: Range<usize>,
    /// One sentence that is true or false of the text; one of the claims of its check.
    pub(super) message: String,
    /// What shows it.
    pub(super) evidence: String,
    /// The smallest change that would make the message false.
    pub(super) suggestion: String,
    /// The change itself, where there is only one that can be meant; empty where somebody has to decide.
    pub(super) repair: Vec<Change>,
}

/// A change of the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stands there afterwards.
    pub(super) new: String,
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

impl Finding {
    /// Returns the finding as workflows know it.
    pub(super) fn value(&self, page: &Page, file: &str) -> Value {
        let line = page.line(self.range.start);
        let quote = self.quote(page);
        let text = |text: &str| Value::from(text);
        map([
            ("check", text(self.check)),
            ("category", text(self.check)),
            ("severity", text(self.severity.name())),
            ("file", text(file)),
            ("line", Value::Number(f64::from(line))),
            ("quote", text(&quote)),
            ("message", text(&self.message)),
            ("claim", text(&self.message)),
            ("evidence", text(&self.evidence)),
            ("suggestion", text(&self.suggestion)),
            ("anchor", text(&self.anchor(page, file))),
            (
                "place",
                map([
                    ("file", text(file)),
                    ("section", text(self.section(page))),
                    ("quote", text(&quote)),
                ]),
            ),
        ])
    }

    /// Returns the heading that it stands under.
    pub(super) fn section<'p>(&self, page: &'p Page) -> &'p str {
        page.section(self.range.start)
            .map_or("", |heading| heading.text.as_str())
    }

    /// Returns words that stand in the document exactly so.
    pub(super) fn quote(&self, page: &Page) -> String {
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
        let section = self.section(page);
        let words = page.text().get(self.range.clone()).unwrap_or("");
        let mut hash = sha256(format!("{file}\n{section}\n{}\n{words}", self.check).as_bytes());
        hash.truncate(16);
        hash
    }
}

/// Makes a map from names and values.
pub(super) fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let named = pairs.into_iter().map(|(name, value)| (name.to_owned(), value));
    Value::Map(named.collect())
}
