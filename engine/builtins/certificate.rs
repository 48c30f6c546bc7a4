//! How a review ended in, a document that says so out.
//!
//! The document holds its facts as JSON and can be made again from them: whoever has it can check all of it.

mod check;
mod facts;
mod page;

pub use check::{Facts, Hashed, Stated, Why, check};

use super::finding::Findings;
use super::given::plain;
use super::outcome::Outcome;
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use crate::source::sha256;

pub(super) const CERTIFICATE: Builtin = Builtin {
    name: "certificate",
    parameters: &[
        required(
            "outcome",
            "complete, blocked, timeout, stopped-by-limit, diverging or user-stop",
        ),
        required("reason", "why it ended"),
        required("findings", "all findings"),
        required("metrics", "the closed counters"),
        required(
            "before",
            "the text that was reviewed first, or several as a list of `path` and `text`",
        ),
        required("after", "the text as it is now"),
        optional("decided_by", "engine or person"),
        optional("level", "the level of the review"),
        optional("confidence", "the last confidence"),
        optional("set_aside", "reports that did not survive their check"),
        optional("silent", "reviewers that did not answer in the last round"),
    ],
    returns: "a map: `text`, `json`, `digest`",
    summary: "states how a review ended so that it can be checked",
    page: include_str!("../../spec/builtins/certificate.md"),
    body: Some(certify),
};

fn certify(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let outcome = Outcome::read(&plain(arguments.get("outcome")));
    let expected = "complete, blocked, timeout, stopped-by-limit, diverging or user-stop";
    let outcome = outcome.ok_or_else(|| arguments.bad("outcome", expected))?;
    let findings = Findings::read(arguments.get("findings"));
    if outcome == Outcome::Complete {
        let open = findings.all.iter().filter(|finding| !finding.state.is_done());
        let open = open.map(|finding| format!("{} is {}", finding.id, finding.state));
        let unread = findings
            .unreadable
            .iter()
            .map(|item| format!("an entry cannot be read ({})", item.why));
        let left: Vec<String> = open.chain(unread).collect();
        if !left.is_empty() {
            return Err(arguments.refused(format!("the review is not complete: {}", left.join(", "))));
        }
    }
    let json = facts::json(arguments, outcome, &findings);
    Ok(Value::of([
        ("text", Value::Text(page::text(&json))),
        ("digest", Value::Text(digest(&json))),
        ("json", Value::Text(json)),
    ]))
}

/// Returns the hash over the facts.
fn digest(json: &str) -> String {
    format!("sha256:{}", sha256(json.as_bytes()))
}

#[cfg(test)]
mod tests;
