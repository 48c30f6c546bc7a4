//! Findings in, what a tracker template shows out.

mod read;
mod safe;

pub use read::{Listed, Tracker, Unread, read};
pub(super) use safe::safe;

use super::finding::{Finding, Findings, Place, SetAside, Severity, State};
use super::given::number;
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const TRACKER: Builtin = Builtin {
    name: "tracker",
    parameters: &[
        required("findings", "all findings"),
        optional("set_aside", "reports that did not survive their check"),
    ],
    returns: "a map: counts, `findings`, `fixes`, `set_aside`",
    summary: "prepares findings for a tracker document",
    page: include_str!("../../spec/builtins/tracker.md"),
    body: Some(prepare),
};

fn prepare(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let findings = Findings::read(arguments.get("findings"));
    let mut aside = findings.unreadable.clone();
    aside.extend(SetAside::read(arguments.get("set_aside")));
    let weighing = |severity| number(findings.weighing(severity));
    let count = |state| number(findings.count(state));
    let remaining = findings.all.iter().filter(|finding| finding.state.is_open()).count();
    Ok(Value::of([
        ("total", number(findings.all.len())),
        ("critical", weighing(Severity::Critical)),
        ("high", weighing(Severity::High)),
        ("medium", weighing(Severity::Medium)),
        ("low", weighing(Severity::Low)),
        ("fixed", count(State::Fixed)),
        ("blocked", count(State::Blocked)),
        ("dismissed", count(State::Dismissed)),
        ("deferred", count(State::Deferred)),
        ("remaining", number(remaining)),
        ("findings", Value::List(findings.all.iter().map(shown).collect())),
        ("fixes", fixes(&findings)),
        ("set_aside", Value::List(aside.iter().map(listed).collect())),
    ]))
}

/// Returns a finding as texts that are safe in Markdown.
fn shown(finding: &Finding) -> Value {
    let text = |text: &str| Value::Text(safe(text));
    Value::of([
        ("id", Value::Text(finding.id.to_string())),
        ("severity", text(finding.severity.name())),
        ("state", text(finding.state.name())),
        ("claim", text(&finding.claim)),
        ("category", text(&finding.category)),
        ("place", text(&place(&finding.place))),
        ("evidence", text(&finding.evidence.join("; "))),
        ("suggestion", text(&finding.suggestion)),
        ("reviewers", text(&finding.reviewers.join(", "))),
        ("reason", text(reason(finding))),
    ])
}

/// Returns why a finding is what it is now; nothing of one that was only reported.
fn reason(finding: &Finding) -> &str {
    let last = finding.history.last().filter(|change| change.state == finding.state);
    last.filter(|_| finding.state != State::Open || finding.history.len() > 1)
        .map_or("", |change| change.because.trim())
}

/// Returns a place in words.
pub(super) fn place(place: &Place) -> String {
    let mut parts = Vec::new();
    if !place.file.is_empty() {
        parts.push(place.file.clone());
    }
    if !place.section.is_empty() {
        parts.push(format!("section {}", place.section));
    }
    if !place.quote.is_empty() {
        parts.push(format!("\"{}\"", place.quote));
    }
    if parts.is_empty() {
        return "the text as a whole".to_owned();
    }
    parts.join(", ")
}

/// Returns every attempt at a fix, in the order of the rounds.
fn fixes(findings: &Findings) -> Value {
    let mut entries: Vec<(f64, Value)> = Vec::new();
    for finding in &findings.all {
        let tried = finding
            .history
            .iter()
            .filter_map(|change| Some((change, change.fix.as_ref()?)));
        entries.extend(tried.map(|(change, fix)| {
            let round = change.round.unwrap_or(0.0);
            let text = |text: &str| Value::Text(safe(text));
            let entry = Value::of([
                ("round", change.round.map_or(Value::from("?"), Value::Number)),
                ("finding", Value::Text(finding.id.to_string())),
                ("status", text(&fix.status)),
                ("description", text(&sentence(&fix.description))),
                ("verification", text(&fix.verification)),
            ]);
            (round, entry)
        }));
    }
    entries.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    Value::List(entries.into_iter().map(|(_, entry)| entry).collect())
}

/// Ends a text with a full stop.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?']) {
        return text.to_owned();
    }
    format!("{text}.")
}

fn listed(aside: &SetAside) -> Value {
    Value::of([
        ("claim", Value::Text(safe(&aside.claim))),
        ("why", Value::Text(safe(&aside.why))),
        ("reviewer", Value::Text(safe(&aside.reviewer))),
    ])
}

#[cfg(test)]
mod tests;
