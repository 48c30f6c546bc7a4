//! A review in, what a program reads out.

use super::outcome::{Finding, Review};
use crate::builtins::Value::Number;
use crate::cli::session::Session;
use crate::source::diff;
use serde_json::{Value, json};
use std::io::{self, Write as _};

/// Writes a review as one JSON object.
pub(super) fn write(review: &Review, session: &mut Session<'_>) -> io::Result<()> {
    writeln!(session.output, "{:#}", value(review))
}

/// Returns a review as JSON.
pub(super) fn value(review: &Review) -> Value {
    let set_aside = review.set_aside.iter();
    let documents = review.documents.iter().map(|document| {
        let pieces = diff::between(&document.before, &document.after);
        let changes: Vec<Value> = pieces
            .iter()
            .map(|piece| json!({"line": piece.line, "removed": piece.removed, "added": piece.added}))
            .collect();
        json!({"path": document.path, "changes": changes})
    });
    json!({
        "version": 1,
        "run": review.run,
        "section": review.section,
        "outcome": review.outcome,
        "reason": review.reason,
        "reviewed": review.is_reviewed(),
        "level": review.level,
        "confidence": Number(review.confidence),
        "rounds": Number(review.rounds),
        "left": review.left().count(),
        "findings": review.findings.iter().map(finding).collect::<Vec<Value>>(),
        "set_aside": set_aside.map(|(claim, why)| json!({"claim": claim, "why": why})).collect::<Vec<Value>>(),
        "silent": review.silent,
        "lenses": review.lenses,
        "documents": documents.collect::<Vec<Value>>(),
        "metrics": review.metrics,
        "tracker": review.tracker,
        "certificate": review.certificate,
    })
}

fn finding(finding: &Finding) -> Value {
    let history: Vec<Value> = finding
        .history
        .iter()
        .map(|(round, state, reason)| json!({"round": number(round), "state": state, "reason": reason}))
        .collect();
    let votes: serde_json::Map<String, Value> = finding
        .votes
        .iter()
        .map(|(name, count)| (name.clone(), number(count)))
        .collect();
    json!({
        "id": finding.id,
        "severity": finding.severity,
        "state": finding.state,
        "category": finding.category,
        "claim": finding.claim,
        "file": finding.file,
        "line": finding.line,
        "section": finding.section,
        "quote": finding.quote,
        "evidence": finding.evidence,
        "suggestion": finding.suggestion,
        "reviewers": finding.reviewers,
        "agreement": finding.reviewers.len(),
        "votes": votes,
        "history": history,
    })
}

/// Returns a number as one; nothing where there is none, and other words as they are.
fn number(text: &str) -> Value {
    match text.parse::<u64>() {
        Ok(number) => Value::from(number),
        Err(_) if text.is_empty() => Value::Null,
        Err(_) => Value::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::value;
    use crate::builtins::Value;
    use crate::cli::review::outcome::Review;

    #[test]
    fn what_is_counted_is_written_as_whole_numbers() {
        let finding = r#"{"id": "F-1", "votes": {"high": 2}, "history": [{"round": 1, "state": "open"}, {"state": "in-progress"}]}"#;
        let returned =
            format!(r#"{{"outcome": "complete", "rounds": 1, "confidence": 92.5, "findings": [{finding}]}}"#);
        let returned: Value = serde_json::from_str(&returned).unwrap();
        let told = value(&Review::read(&returned, "r").unwrap());
        assert_eq!(
            (told["rounds"].to_string(), told["confidence"].to_string()),
            ("1".into(), "92.5".into())
        );
        let told = &told["findings"][0];
        assert_eq!(told["votes"].to_string(), r#"{"high":2}"#);
        assert_eq!(told["history"][0]["round"], 1);
        assert!(told["history"][1]["round"].is_null());
    }
}
