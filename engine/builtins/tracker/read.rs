//! A tracker file in, the findings it lists out.

use super::safe::shown;
use crate::builtins::finding::{Id, Severity, State};
use std::fmt;

const START: &str = "<!-- ISSUES_START -->";
const END: &str = "<!-- ISSUES_END -->";

/// What a tracker lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracker {
    /// Its findings, in their order.
    pub findings: Vec<Listed>,
}

/// One finding of a tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What it is called.
    pub id: Id,
    /// How much it matters.
    pub severity: Severity,
    /// Where it stands.
    pub state: State,
    /// What it says, in one line.
    pub claim: String,
}

/// Why a file is no tracker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// The marks around the findings are not there.
    NoMarks,
    /// A heading between the marks is not that of a finding.
    Heading {
        /// The line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
}

impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMarks => write!(formatter, "it has no lines `{START}` and `{END}` around its findings"),
            Self::Heading { line, text } => {
                write!(formatter, "line {line} is no heading of a finding: `{text}`")
            }
        }
    }
}

impl std::error::Error for Unread {}

impl Tracker {
    /// Returns how many findings a fixer has to do something about.
    pub fn pending(&self) -> usize {
        self.findings.iter().filter(|finding| finding.state.is_open()).count()
    }

    /// Returns how many findings wait for a person.
    pub fn blocked(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.state == State::Blocked)
            .count()
    }
}

/// Reads a tracker that was written with the template of the standard library.
pub fn read(text: &str) -> Result<Tracker, Unread> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let start = lines.iter().position(|line| *line == START).ok_or(Unread::NoMarks)?;
    let length = lines
        .iter()
        .skip(start)
        .position(|line| *line == END)
        .ok_or(Unread::NoMarks)?;
    let mut findings: Vec<Listed> = Vec::new();
    let mut wants_claim = false;
    for (at, line) in lines.iter().enumerate().skip(start + 1).take(length - 1) {
        if is_heading(line) {
            let heading = line.strip_prefix("### ");
            let listed = heading.and_then(listed).ok_or_else(|| Unread::Heading {
                line: at + 1,
                text: (*line).to_owned(),
            })?;
            findings.push(listed);
            wants_claim = true;
        } else if wants_claim && !line.is_empty() {
            wants_claim = false;
            if let Some(finding) = findings.last_mut() {
                finding.claim = shown(line);
            }
        }
    }
    Ok(Tracker { findings })
}

/// Says whether a line is a heading of any level, or meant as that of a finding.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_set_off = text.is_empty() || text.starts_with([' ', '\t']);
    level > 0 && (level <= 6 && is_set_off || listed(text).is_some())
}

/// Reads `F-1 · high · open`.
fn listed(heading: &str) -> Option<Listed> {
    let mut parts = heading.split('·').map(str::trim);
    let (id, severity, state) = (parts.next()?, parts.next()?, parts.next()?);
    let is_over = parts.next().is_none();
    is_over.then_some(Listed {
        id: Id::read(id)?,
        severity: Severity::read(severity)?,
        state: State::read(state)?,
        claim: String::new(),
    })
}
