//! A review in, a log for code scanning services out.

use super::outcome::{Finding, Review};
use crate::cli::Exit;
use crate::cli::failure::Failure;
use crate::cli::report::{Noted, log_of};
use crate::cli::session::Session;
use crate::diagnostic::Severity;
use crate::machine::sha256;
use std::io::Write as _;

/// Writes a review as a SARIF log; what needs no more work is marked as suppressed, with the reason,
/// and where nobody looked the log says that it tells nothing.
pub(super) fn write(review: &Review, session: &mut Session<'_>) -> Result<(), Failure> {
    let findings: Vec<Noted<'_>> = review.findings.iter().map(noted).collect();
    let is_lost = !review.is_reviewed() && review.exit() != Exit::Clean;
    let failure = is_lost.then(|| format!("nothing was reviewed: {}", review.reason));
    let log = log_of(&findings, failure.as_deref()).map_err(|error| Failure::work(error.to_string()))?;
    writeln!(session.output, "{log}")?;
    Ok(())
}

fn noted(finding: &Finding) -> Noted<'_> {
    let message = match finding.suggestion.as_str() {
        "" => finding.claim.clone(),
        suggestion => format!("{}\nhelp: {suggestion}", finding.claim),
    };
    let last = finding.history.last().map(|(_, _, reason)| reason.as_str());
    let settled = (!finding.is_left()).then(|| match last.unwrap_or_default() {
        "" => finding.state.clone(),
        reason => format!("{}: {reason}", finding.state),
    });
    Noted {
        rule: if finding.category.is_empty() {
            "review"
        } else {
            &finding.category
        },
        severity: match finding.severity.as_str() {
            "critical" | "high" => Severity::Error,
            "medium" => Severity::Warning,
            _ => Severity::Info,
        },
        message,
        path: &finding.file,
        line: finding.line,
        fingerprint: fingerprint(finding),
        settled,
    }
}

/// Tells a finding from others by its place and its words: identifiers are new in every review.
fn fingerprint(finding: &Finding) -> String {
    let words = [&finding.file, &finding.section, &finding.category, &finding.claim];
    let mut hash = sha256(words.map(String::as_str).join("\n").as_bytes());
    hash.truncate(16);
    hash
}
