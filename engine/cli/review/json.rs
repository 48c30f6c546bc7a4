//! A review in, what a program reads out.

use super::diff;
use super::outcome::{Finding, Review};
use crate::cli::session::Session;
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
        "confidence": review.confidence,
        "rounds": review.rounds,
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
        .map(|(round, state, reason)| json!({"round": round, "state": state, "reason": reason}))
        .collect();
    let votes: serde_json::Map<String, Value> = finding
        .votes
        .iter()
        .map(|(name, count)| (name.clone(), Value::from(count.clone())))
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
