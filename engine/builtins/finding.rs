//! What agents wrote in, findings with an identity, a state and a history out; and back into values.
//!
//! Reading never fails: what is no finding is set aside with the reason, and what a finding says beyond these fields is
//! kept as it is.

mod aside;
mod change;
mod list;
mod place;
mod report;
mod severity;
mod state;
mod votes;

pub(crate) use aside::SetAside;
pub(crate) use change::{Change, Fix};
pub(crate) use list::Findings;
pub(crate) use place::{Place, without_line};
pub(crate) use report::{Report, Reports};
pub use severity::Severity;
pub use state::State;

use super::Value;
use super::given::{field, items, plain, texts, words};
use std::fmt;

/// A finding that is kept until it is fixed or somebody decided about it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) id: Id,
    pub(crate) severity: Severity,
    /// The lens or method that showed it.
    pub(crate) category: String,
    /// One sentence that is true or false of the text.
    pub(crate) claim: String,
    pub(crate) place: Place,
    /// What shows it, in the words of each reviewer.
    pub(crate) evidence: Vec<String>,
    /// The smallest change that would make the claim false.
    pub(crate) suggestion: String,
    pub(crate) reviewers: Vec<String>,
    pub(crate) votes: Vec<(String, f64)>,
    pub(crate) state: State,
    /// What is missing, for a blocked one.
    pub(crate) blocked_because: String,
    /// What a person told its fixer.
    pub(crate) guidance: String,
    /// The hash of the text it is about, as it was when somebody last looked; empty for the text as a whole.
    pub(crate) anchor: String,
    pub(crate) history: Vec<Change>,
    /// Fields that this version does not know.
    more: Vec<(String, Value)>,
}

/// The identifier of a finding: `F-7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub(crate) u32);

impl Id {
    /// The greatest number that is read: there is always room for more after it.
    const LAST: u32 = 9_999_999;

    /// Returns the one after it.
    pub(crate) fn after(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Reads an identifier in any case, with or without its hyphen.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['`', '#', '*']);
        let digits = text.strip_prefix(['F', 'f'])?;
        let digits = digits.trim_start_matches(['-', ' ', '_']);
        let number = digits.parse().ok().filter(|number| (1..=Self::LAST).contains(number))?;
        digits
            .bytes()
            .all(|digit| digit.is_ascii_digit())
            .then_some(Self(number))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "F-{}", self.0)
    }
}

const FIELDS: &[&str] = &[
    "id",
    "severity",
    "category",
    "claim",
    "place",
    "evidence",
    "suggestion",
    "reviewers",
    "votes",
    "state",
    "blocked_because",
    "guidance",
    "anchor",
    "history",
];

impl Finding {
    /// Makes a finding of its first report.
    pub(crate) fn new(id: Id, report: &Report) -> Self {
        let mut finding = Self {
            id,
            severity: report.severity,
            category: report.category.clone(),
            claim: report.claim.clone(),
            place: report.place.clone(),
            evidence: Vec::new(),
            suggestion: report.suggestion.clone(),
            reviewers: Vec::new(),
            votes: Vec::new(),
            state: State::Open,
            blocked_because: String::new(),
            guidance: String::new(),
            anchor: String::new(),
            history: Vec::new(),
            more: Vec::new(),
        };
        finding.hear(report);
        finding
    }

    /// Takes what another report says about the same thing: the highest severity wins and nothing that was said is lost.
    pub(crate) fn hear(&mut self, report: &Report) {
        self.severity = self.severity.max(report.severity);
        if self.suggestion.is_empty() {
            self.suggestion.clone_from(&report.suggestion);
        }
        if !report.reviewer.is_empty() && !self.reviewers.contains(&report.reviewer) {
            self.reviewers.push(report.reviewer.clone());
        }
        votes::add(&mut self.votes, &report.votes);
        let evidence = self.said(report);
        if !evidence.is_empty() && !self.evidence.contains(&evidence) {
            self.evidence.push(evidence);
        }
    }

    /// Returns what a report shows: who says it, the claim where it is worded differently, and the evidence.
    fn said(&self, report: &Report) -> String {
        let claim = if report.claim == self.claim {
            String::new()
        } else {
            format!("\"{}\"", report.claim)
        };
        let parts = [&report.reviewer, &claim, &report.evidence];
        let said: Vec<&str> = parts
            .into_iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        let is_only_a_name = claim.is_empty() && report.evidence.is_empty();
        if is_only_a_name { String::new() } else { said.join(": ") }
    }

    /// Moves it to a state and writes down why.
    pub(crate) fn turn(&mut self, change: Change) {
        self.state = change.state;
        self.history.push(change);
    }

    /// Returns how often it came back after it was fixed.
    pub(crate) fn returns(&self) -> usize {
        let turns = self.history.iter().filter(|change| change.state == State::Regressed);
        turns.count()
    }

    /// Reads a finding of a list; `id` is what it gets where it has none.
    fn read(value: &Value, id: Id) -> Result<Self, String> {
        let Value::Map(entries) = value else {
            return Err(format!(
                "a finding is a map with a claim; this is {}",
                report::kind(value)
            ));
        };
        let claim = words(value, report::CLAIM);
        if claim.is_empty() {
            return Err("it makes no claim".to_owned());
        }
        let votes = votes::read(value.get("votes"));
        let list = |name: &str| value.get(name).map(items).unwrap_or_default();
        let more = entries.iter().filter(|(name, _)| !FIELDS.contains(&name.as_str()));
        Ok(Self {
            id: Id::read(&words(value, &["id"])).unwrap_or(id),
            // A severity that nobody can read decides nothing but the order.
            severity: report::severity(value, &votes).unwrap_or(Severity::Medium),
            category: words(value, &["category"]),
            claim,
            place: Place::read(value),
            evidence: list("evidence")
                .iter()
                .map(plain)
                .filter(|said| !said.is_empty())
                .collect(),
            suggestion: words(value, &["suggestion"]),
            reviewers: list("reviewers")
                .iter()
                .map(plain)
                .filter(|name| !name.is_empty())
                .collect(),
            votes,
            // A state that nobody can read is not done.
            state: State::read(&words(value, &["state"])).unwrap_or(State::Open),
            blocked_because: words(value, &["blocked_because"]),
            guidance: words(value, &["guidance"]),
            anchor: field(value, &["anchor"]).map(plain).unwrap_or_default(),
            history: list("history").iter().filter_map(Change::read).collect(),
            more: more.cloned().collect(),
        })
    }

    /// Returns it as a map.
    pub(crate) fn value(&self) -> Value {
        let text = |text: &str| Value::from(text);
        let known = Value::of([
            ("id", Value::Text(self.id.to_string())),
            ("severity", text(self.severity.name())),
            ("category", text(&self.category)),
            ("claim", text(&self.claim)),
            ("place", self.place.value()),
            ("evidence", texts(&self.evidence)),
            ("suggestion", text(&self.suggestion)),
            ("reviewers", texts(&self.reviewers)),
            ("votes", votes::value(&self.votes)),
            ("state", text(self.state.name())),
            ("blocked_because", text(&self.blocked_because)),
            ("guidance", text(&self.guidance)),
            ("anchor", text(&self.anchor)),
            ("history", Value::List(self.history.iter().map(Change::value).collect())),
        ]);
        match known {
            Value::Map(mut entries) => {
                entries.extend(self.more.iter().cloned());
                Value::Map(entries)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests;
