//! A review in, what a person at a terminal reads out.

use super::outcome::{Finding, Review};
use crate::cli::session::Session;
use crate::source::diff::{self, Piece};
use std::io::{self, Write as _};

/// Writes a review.
pub(super) fn write(review: &Review, session: &mut Session<'_>) -> io::Result<()> {
    session.output.write_all(tell(review).as_bytes())
}

/// Returns a review as lines of text.
pub(super) fn tell(review: &Review) -> String {
    let mut out = String::new();
    for finding in &review.findings {
        tell_finding(finding, &mut out);
    }
    for document in &review.documents {
        let pieces = diff::between(&document.before, &document.after);
        if !pieces.is_empty() {
            add(&mut out, &format!("changed in {}:", document.path));
            for piece in &pieces {
                tell_piece(piece, &mut out);
            }
            out.push('\n');
        }
    }
    for (claim, why) in &review.set_aside {
        add(&mut out, &format!("set aside: {claim} ({why})"));
    }
    if !review.silent.is_empty() {
        add(&mut out, &format!("no answer came from: {}", review.silent.join(", ")));
    }
    if !review.lenses.is_empty() {
        add(&mut out, &format!("tried: {}", review.lenses.join(", ")));
    }
    add(&mut out, &summary(review));
    add(&mut out, &format!("{}: {}", review.outcome, review.reason));
    if !review.tracker.is_empty() {
        add(&mut out, &format!("tracker: {}", review.tracker));
    }
    if !review.certificate.is_empty() {
        add(&mut out, &format!("certificate: {}", review.certificate));
    }
    out
}

fn tell_finding(finding: &Finding, out: &mut String) {
    let state = match finding.state.as_str() {
        "open" => String::new(),
        state => format!(", {state}"),
    };
    let (place, severity, claim) = (finding.place(), &finding.severity, &finding.claim);
    add(out, &format!("{place}: {severity}{state}: {claim} [{}]", finding.id));
    if !finding.quote.is_empty() {
        let quote = finding.quote.lines().next().unwrap_or_default();
        add(out, &format!("    > {quote}"));
    }
    if !finding.suggestion.is_empty() && finding.is_left() {
        add(out, &format!("    try: {}", finding.suggestion));
    }
    if finding.reviewers.len() > 1 {
        add(out, &format!("    seen by {}", finding.reviewers.join(" and ")));
    }
    if !finding.votes.is_empty() {
        let votes: Vec<String> = finding
            .votes
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        add(out, &format!("    votes: {}", votes.join(", ")));
    }
    if finding.state == "blocked"
        && let Some((_, _, why)) = finding.history.last()
    {
        add(out, &format!("    blocked: {why}"));
    }
    out.push('\n');
}

fn tell_piece(piece: &Piece<'_>, out: &mut String) {
    for line in &piece.removed {
        add(out, &format!("  - {line}"));
    }
    for line in &piece.added {
        add(out, &format!("  + {line}"));
    }
}

/// Counts in one line.
fn summary(review: &Review) -> String {
    let files = match review.documents.len() {
        1 => review.documents[0].path.clone(),
        many => format!("{many} files"),
    };
    if !review.is_reviewed() {
        return format!("nothing was reviewed: no reviewer looked at {files}");
    }
    let rounds = match review.rounds {
        1.0 => "1 round".to_owned(),
        rounds => format!("{rounds} rounds"),
    };
    if review.findings.is_empty() {
        return format!("no findings in {files} after {rounds}");
    }
    let mut parts = Vec::new();
    for state in [
        "open",
        "in-progress",
        "regressed",
        "blocked",
        "fixed",
        "dismissed",
        "deferred",
    ] {
        match review.count(state) {
            0 => {}
            count => parts.push(format!("{count} {state}")),
        }
    }
    let findings = match review.findings.len() {
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    format!("{findings} in {files} after {rounds}: {}", parts.join(", "))
}

/// Adds one line: what agents wrote neither breaks it nor does anything to the terminal.
fn add(out: &mut String, line: &str) {
    let shown = |each: char| {
        let turns = matches!(each, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if each.is_control() || turns { ' ' } else { each }
    };
    out.extend(line.trim_end().chars().map(shown));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::add;

    #[test]
    fn what_agents_wrote_stays_in_its_line_and_commands_no_terminal() {
        let mut out = String::new();
        add(&mut out, "  - a\nb\r\n\u{1b}[2J\u{9b}c\u{202e}d\u{2029}e \n");
        assert_eq!(out, "  - a b   [2J c d e\n");
    }
}
