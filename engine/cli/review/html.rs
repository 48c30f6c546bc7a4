//! A review in, one page for a browser out: nothing is loaded from anywhere.

use super::outcome::{Finding, Review};
use crate::builtins::Value;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::machine::render;
use crate::source::diff;
use std::io::Write as _;

const PAGE: &str = include_str!("../../../stdlib/templates/review-report.html");
/// The states that are counted at the top, where there are any.
const STATES: &[&str] = &[
    "open",
    "in-progress",
    "regressed",
    "blocked",
    "fixed",
    "dismissed",
    "deferred",
];

/// Writes a review as a page.
pub(super) fn write(review: &Review, session: &mut Session<'_>) -> Result<(), Failure> {
    let page = page(review).map_err(|error| Failure::work(error.to_string()))?;
    session.output.write_all(page.as_bytes())?;
    Ok(())
}

/// Returns the page.
pub(super) fn page(review: &Review) -> Result<String, render::RenderError> {
    let fields = fields(review);
    let keys: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    let names = |name: &str| {
        let found = fields.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    render::ours(PAGE, &names, &keys)
}

fn fields(review: &Review) -> Vec<(String, Value)> {
    let count = |name: &&str| {
        let number = review.count(name);
        (number > 0).then(|| map([("name", text(name)), ("count", number_of(number))]))
    };
    let changed = review.documents.iter().filter_map(|document| {
        let pieces = diff::between(&document.before, &document.after);
        let lines = |lines: &[&str]| Value::List(lines.iter().map(|line| text(line)).collect());
        let piece = |piece: &diff::Piece<'_>| {
            map([
                ("line", number_of(piece.line)),
                ("removed", lines(&piece.removed)),
                ("added", lines(&piece.added)),
            ])
        };
        let shown = Value::List(pieces.iter().map(piece).collect());
        (!pieces.is_empty()).then(|| map([("path", text(&document.path)), ("pieces", shown)]))
    });
    let set_aside = review
        .set_aside
        .iter()
        .map(|(claim, why)| map([("claim", text(claim)), ("why", text(why))]));
    let paths: Vec<&str> = review.documents.iter().map(|document| document.path.as_str()).collect();
    let fields = [
        ("run", text(&review.run)),
        ("section", text(&review.section)),
        ("outcome", text(&review.outcome)),
        ("reason", text(&review.reason)),
        ("level", text(&review.level)),
        ("confidence", Value::Number(review.confidence)),
        ("rounds", Value::Number(review.rounds)),
        ("looked", Value::Bool(review.is_reviewed())),
        ("reviewed", text(&paths.join(", "))),
        ("states", Value::List(STATES.iter().filter_map(count).collect())),
        ("by_round", Value::List(by_round(review))),
        ("silent", text(&review.silent.join(", "))),
        ("lenses", text(&review.lenses.join(", "))),
        ("findings", Value::List(review.findings.iter().map(finding).collect())),
        ("changed", Value::List(changed.collect())),
        ("set_aside", Value::List(set_aside.collect())),
        ("certificate", text(&review.certificate)),
        ("certificate_text", text(&review.certificate_text)),
    ];
    fields.map(|(name, value)| (name.to_owned(), value)).into()
}

fn finding(finding: &Finding) -> Value {
    let votes: Vec<String> = finding
        .votes
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let change = |(round, state, reason): &(String, String, String)| {
        map([("round", text(round)), ("state", text(state)), ("reason", text(reason))])
    };
    map([
        ("id", text(&finding.id)),
        ("severity", text(&finding.severity)),
        ("state", text(&finding.state)),
        ("left", Value::Bool(finding.is_left())),
        ("category", text(&finding.category)),
        ("claim", text(&finding.claim)),
        ("place", text(&finding.place())),
        (
            "section",
            text(if finding.line.is_some() { &finding.section } else { "" }),
        ),
        ("quote", text(&finding.quote)),
        (
            "evidence",
            Value::List(finding.evidence.iter().map(|piece| text(piece)).collect()),
        ),
        ("suggestion", text(&finding.suggestion)),
        ("reviewers", text(&finding.reviewers.join(", "))),
        ("agreement", number_of(finding.reviewers.len())),
        ("votes", text(&votes.join(", "))),
        ("history", Value::List(finding.history.iter().map(change).collect())),
    ])
}

/// Counts what happened in each round, from what happened to each finding.
fn by_round(review: &Review) -> Vec<Value> {
    let numbers: Vec<String> = (1..=review.rounds.max(0.0) as usize)
        .map(|round| round.to_string())
        .collect();
    let mut rounds: Vec<(&str, [usize; 5])> = numbers.iter().map(|round| (round.as_str(), [0; 5])).collect();
    for finding in &review.findings {
        for (at, (round, state, _)) in finding.history.iter().enumerate() {
            let column = match state.as_str() {
                "open" if at == 0 => 0,
                "fixed" => 1,
                "open" | "regressed" => 2,
                "blocked" => 3,
                "dismissed" | "deferred" => 4,
                _ => continue,
            };
            let known = rounds.iter().position(|(known, _)| known == round);
            let place = known.unwrap_or_else(|| {
                rounds.push((round, [0; 5]));
                rounds.len() - 1
            });
            rounds[place].1[column] += 1;
        }
    }
    rounds.sort_by_key(|(round, _)| round.parse::<u32>().unwrap_or(u32::MAX));
    let row = |(round, [new, fixed, again, blocked, decided]): (&str, [usize; 5])| {
        map([
            ("round", text(round)),
            ("new", number_of(new)),
            ("fixed", number_of(fixed)),
            ("again", number_of(again)),
            ("blocked", number_of(blocked)),
            ("decided", number_of(decided)),
        ])
    };
    rounds.into_iter().map(row).collect()
}

/// Makes text safe between tags and in attributes.
fn text(text: &str) -> Value {
    let mut safe = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Nothing in a finding may turn the direction of the text around it.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => safe.push('\u{fffd}'),
            each if each.is_control() && each != '\n' && each != '\t' => safe.push('\u{fffd}'),
            each => safe.push(each),
        }
    }
    Value::Text(safe)
}

fn number_of(count: usize) -> Value {
    Value::Number(count as f64)
}

fn map<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Map(fields.map(|(name, value)| (name.to_owned(), value)).into())
}
