//! What a reviewer wrote in, a report that can be checked out, or why it is none.

use super::place::Place;
use super::severity::Severity;
use super::{Finding, SetAside, votes};
use crate::builtins::Value;
use crate::builtins::given::{field, is_blank, items, plain, words};

/// One finding as one reviewer reported it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    pub(crate) severity: Severity,
    pub(crate) category: String,
    pub(crate) claim: String,
    pub(crate) place: Place,
    pub(crate) evidence: String,
    pub(crate) suggestion: String,
    /// Who reported it; empty where nobody says.
    pub(crate) reviewer: String,
    pub(crate) votes: Vec<(String, f64)>,
    /// What was written.
    pub(crate) raw: Value,
}

/// What came of one round: reports, what could not be read, and who answered.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    pub(crate) read: Vec<Report>,
    pub(crate) aside: Vec<SetAside>,
    /// Everybody who answered, also those that found nothing.
    pub(crate) reviewers: Vec<String>,
}

/// Words that reviewers use for the claim.
pub(super) const CLAIM: &[&str] = &[
    "claim",
    "message",
    "statement",
    "description",
    "issue",
    "finding",
    "title",
    "summary",
];

impl Reports {
    /// Reads findings, or the replies that hold them.
    pub(crate) fn read(found: &Value) -> Self {
        let mut reports = Self::default();
        for item in items(found) {
            match item.get("findings") {
                Some(findings) => reports.reply(&item, findings),
                None if is_reply(&item) => reports.reply(&item, &Value::Nothing),
                None => reports.take(item, ""),
            }
        }
        reports.reviewers.sort();
        reports.reviewers.dedup();
        reports
    }

    /// Takes the findings of one reply; one that failed was silent and said nothing.
    fn reply(&mut self, reply: &Value, findings: &Value) {
        let is_failed = words(reply, &["status"]).eq_ignore_ascii_case("failed");
        let reviewer = words(reply, &["agent", "reviewer"]);
        if !is_failed && !reviewer.is_empty() {
            self.reviewers.push(reviewer.clone());
        }
        for item in items(findings) {
            self.take(item, &reviewer);
        }
    }

    fn take(&mut self, item: Value, reviewer: &str) {
        let own = words(&item, &["reviewer", "agent", "reported_by"]);
        let reviewer = if own.is_empty() { reviewer.to_owned() } else { own };
        if !reviewer.is_empty() {
            self.reviewers.push(reviewer.clone());
        }
        match Report::read(&item, reviewer) {
            Ok(report) => self.read.push(report),
            Err(why) => self.aside.push(SetAside::new(item, why)),
        }
    }
}

/// Says whether a map is what an agent answered as a whole, and not a finding.
fn is_reply(item: &Value) -> bool {
    item.get("agent").is_some() && item.get("status").is_some() && CLAIM.iter().all(|name| item.get(name).is_none())
}

impl Report {
    /// Returns what a finding says, as if it were reported now.
    pub(crate) fn of(finding: &Finding) -> Self {
        Self {
            severity: finding.severity,
            category: finding.category.clone(),
            claim: finding.claim.clone(),
            place: finding.place.clone(),
            evidence: finding.evidence.join(" "),
            suggestion: finding.suggestion.clone(),
            reviewer: String::new(),
            votes: Vec::new(),
            raw: Value::Nothing,
        }
    }

    fn read(item: &Value, reviewer: String) -> Result<Self, String> {
        if !matches!(item, Value::Map(_)) {
            return Err(format!("a finding is a map with a claim; this is {}", kind(item)));
        }
        let claim = words(item, CLAIM);
        if claim.is_empty() {
            return Err("it makes no claim".to_owned());
        }
        let votes = votes::read(item.get("votes"));
        Ok(Self {
            severity: severity(item, &votes)?,
            category: words(item, &["category", "lens", "method", "check"]),
            claim,
            place: Place::read(item),
            evidence: words(item, &["evidence", "proof", "because"]),
            suggestion: words(item, &["suggestion", "suggested_fix", "fix", "recommendation"]),
            reviewer,
            votes,
            raw: item.clone(),
        })
    }
}

/// Reads the severity of a report. One that is not given is that of the highest vote, or medium: it decides the order
/// and never whether somebody looks.
pub(super) fn severity(item: &Value, votes: &[(String, f64)]) -> Result<Severity, String> {
    let Some(written) = field(item, &["severity", "priority"]) else {
        let voted = votes.iter().filter_map(|(name, _)| Severity::read(name)).max();
        return Ok(voted.unwrap_or(Severity::Medium));
    };
    let word = plain(written);
    Severity::read(&word).ok_or_else(|| {
        let names = Severity::ALL.map(Severity::name).join(", ");
        format!("its severity `{word}` is none of {names}")
    })
}

/// Says what a value is, for a person.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        value if is_blank(value) && !matches!(value, Value::Map(_) | Value::List(_)) => "nothing",
        Value::Nothing => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}
