//! Findings in, text for people and machines out.
//!
//! Projects come one after another and are dropped: a report keeps what it needs of a finding, never a source.

mod excerpt;
mod github;
mod json;
mod ledger;
mod located;
#[cfg(test)]
mod sample;
mod sarif;
mod text;

pub use ledger::{Counts, Ledger, Summary};
pub use located::{Located, LocatedFix, Place};
pub(super) use sarif::{Noted, log_of};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Source, Span};
use std::io::{self, Write};

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one object with version, findings and summary
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub workflows: annotations on the changed lines
    Github,
}

/// How text for people is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether colours are used.
    pub color: bool,
    /// Whether lines are drawn with more than ASCII.
    pub unicode: bool,
    /// Whether long sentences are wrapped at the width.
    pub wrap: bool,
    /// How many columns there are.
    pub width: usize,
}

/// What a report knows of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleEntry {
    /// Its name.
    pub code: Code,
    /// How much its findings matter unless somebody says otherwise.
    pub severity: Severity,
    /// What it finds, in one line.
    pub summary: &'static str,
    /// Its page of the spec.
    pub page: &'static str,
}

/// One project that was checked.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'a> {
    /// Its sources; the number in a span is the place in this list.
    pub sources: &'a [&'a Source],
    /// How many of them the person asked about.
    pub files: usize,
    /// The way to the project as the person wrote it; empty for the current folder.
    pub root: &'a str,
    /// What was found, in any order.
    pub findings: &'a [Diagnostic],
}

impl<'a> Checked<'a> {
    /// Returns the source a span is in.
    pub fn source(&self, span: Span) -> Option<&'a Source> {
        self.sources.get(span.source.0 as usize).copied()
    }
}

/// Prints findings, one by one, in the order they are read.
pub trait Report {
    /// Prints what comes before the first finding.
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()>;

    /// Prints one finding.
    fn finding(&mut self, checked: &Checked<'_>, finding: &Diagnostic, out: &mut dyn Write) -> io::Result<()>;

    /// Prints several findings.
    fn findings(&mut self, checked: &Checked<'_>, findings: &[&Diagnostic], out: &mut dyn Write) -> io::Result<()> {
        let mut each = findings.iter();
        each.try_for_each(|finding| self.finding(checked, finding, out))
    }

    /// Prints what comes after the last finding.
    fn finish(&mut self, summary: &Summary, out: &mut dyn Write) -> io::Result<()>;
}

/// Makes the report that a person asked for.
pub fn report(format: Format, look: Look, rules: &[RuleEntry]) -> Box<dyn Report> {
    match format {
        Format::Text => Box::new(text::Text::new(look)),
        Format::Json => Box::new(json::Json::default()),
        Format::Sarif => Box::new(sarif::SarifLog::new(rules)),
        Format::Github => Box::new(github::Github),
    }
}
