//! What is wrong, where, and what to do: plain data. Rendering is the cli's.

mod near;

pub use near::nearest;
pub(crate) use near::{differ_in_number, first_nearest, fold, is_misspelt, is_slip};

use crate::source::Span;
use std::fmt;
use std::str::FromStr;

/// The name of a rule: lower case, words joined by hyphens; it reads "allow ⟨name⟩".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

/// How much a finding matters, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A better way to write it exists.
    Hint,
    /// Worth knowing; nothing is wrong.
    Info,
    /// Probably a mistake.
    Warning,
    /// A mistake: the workflow does not do what it says.
    Error,
}

impl Severity {
    /// Returns the name a person reads and writes.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Hint => "hint",
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "hint" => Ok(Severity::Hint),
            "info" => Ok(Severity::Info),
            "warning" | "warn" => Ok(Severity::Warning),
            "error" | "deny" => Ok(Severity::Error),
            other => Err(format!("`{other}` is not a severity; use error, warning, info or hint")),
        }
    }
}

/// A second place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A change that removes a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an order: "close the tag".
    pub title: String,
    /// The replacements, none overlapping.
    pub edits: Vec<Edit>,
    /// Whether `--fix` may apply it unasked.
    pub safe: bool,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that speaks.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong: lower case, no period, values in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// What to do next.
    pub help: Option<String>,
    /// A change that would do it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Makes a finding with nothing but its place and message.
    pub fn new(code: Code, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a change that removes the finding.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
