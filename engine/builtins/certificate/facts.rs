//! What is known about a review in, JSON out.

use crate::builtins::document::{Document, Documents};
use crate::builtins::finding::{Finding, Findings, SetAside, State};
use crate::builtins::given::{items, number, plain, texts, words};
use crate::builtins::outcome::Outcome;
use crate::builtins::{Arguments, Value};

/// What the JSON says it is.
pub(super) const KIND: &str = "bmad-review-certificate";

/// Parts of the counters that repeat the others as text.
const REPEATED: &[&str] = &["json", "summary"];

/// Writes the facts.
pub(super) fn json(arguments: &Arguments<'_>, outcome: Outcome, findings: &Findings) -> String {
    let decided_by = plain(arguments.get("decided_by"));
    let mut aside = SetAside::read(arguments.get("set_aside"));
    aside.extend(findings.unreadable.iter().cloned());
    let facts = Value::of([
        ("kind", Value::from(KIND)),
        ("version", Value::Number(1.0)),
        ("outcome", Value::from(outcome.name())),
        ("reason", Value::Text(plain(arguments.get("reason")))),
        (
            "decided_by",
            Value::from(if decided_by.is_empty() { "engine" } else { &decided_by }),
        ),
        ("level", Value::Text(part(arguments.get("level"), "name"))),
        ("confidence", Value::Text(part(arguments.get("confidence"), "score"))),
        ("metrics", metrics(arguments.get("metrics"))),
        ("texts", hashes(arguments)),
        ("counts", counts(findings)),
        ("findings", Value::List(findings.all.iter().map(finding).collect())),
        ("set_aside", Value::List(aside.iter().map(set_aside).collect())),
        ("silent", texts(items(arguments.get("silent")))),
    ]);
    // Nothing in a value keeps it from being written.
    serde_json::to_string_pretty(&facts).unwrap_or_default()
}

/// Returns a part of a map, or the value itself where it is none.
fn part(value: &Value, name: &str) -> String {
    let part = words(value, &[name]);
    match value {
        Value::Map(_) => part,
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => plain(value),
    }
}

fn metrics(value: &Value) -> Value {
    match value {
        Value::Map(entries) => {
            let kept = entries.iter().filter(|(name, _)| !REPEATED.contains(&name.as_str()));
            Value::Map(kept.cloned().collect())
        }
        Value::Nothing | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => Value::Map(Vec::new()),
    }
}

/// Returns the hash of every text before and after.
fn hashes(arguments: &Arguments<'_>) -> Value {
    let before = Documents::read(arguments.get("before"));
    let after = Documents::read(arguments.get("after"));
    let hash = |file: Option<&Document>| {
        let hash = file.map(|file| format!("sha256:{}", file.hash()));
        hash.map_or(Value::Nothing, Value::Text)
    };
    let entry = |path: &str, before: Option<&Document>, after: Option<&Document>| {
        Value::of([
            ("path", Value::from(path)),
            ("before", hash(before)),
            ("after", hash(after)),
        ])
    };
    if let ([one], [other], true) = (
        before.files.as_slice(),
        after.files.as_slice(),
        before.is_one && after.is_one,
    ) {
        return Value::List(vec![entry(&other.path, Some(one), Some(other))]);
    }
    let of = |files: &'_ Documents, path: &str| files.files.iter().position(|file| file.path == path);
    let mut paths: Vec<&str> = before
        .files
        .iter()
        .chain(&after.files)
        .map(|file| file.path.as_str())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let entries = paths.into_iter().map(|path| {
        let earlier = of(&before, path).and_then(|at| before.files.get(at));
        let later = of(&after, path).and_then(|at| after.files.get(at));
        entry(path, earlier, later)
    });
    Value::List(entries.collect())
}

fn counts(findings: &Findings) -> Value {
    let mut counts: Vec<(String, Value)> = vec![("total".to_owned(), number(findings.all.len()))];
    let states = State::ALL.into_iter();
    counts.extend(states.map(|state| (state.name().to_owned(), number(findings.count(state)))));
    Value::Map(counts)
}

fn finding(finding: &Finding) -> Value {
    let because = match finding.state {
        State::Blocked => finding.blocked_because.as_str(),
        State::Open | State::InProgress | State::Regressed | State::Fixed | State::Dismissed | State::Deferred => {
            finding.history.last().map_or("", |change| change.because.as_str())
        }
    };
    Value::of([
        ("id", Value::Text(finding.id.to_string())),
        ("severity", Value::from(finding.severity.name())),
        ("state", Value::from(finding.state.name())),
        ("claim", Value::Text(finding.claim.clone())),
        ("place", finding.place.value()),
        ("reviewers", texts(&finding.reviewers)),
        ("because", Value::from(because)),
    ])
}

fn set_aside(aside: &SetAside) -> Value {
    Value::of([
        ("claim", Value::Text(aside.claim.clone())),
        ("why", Value::Text(aside.why.clone())),
        ("reviewer", Value::Text(aside.reviewer.clone())),
    ])
}
