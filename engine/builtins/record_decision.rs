//! A decision of a person in, findings with their new states out.

use super::document::Documents;
use super::finding::{Change, Finding, Findings, Id, State};
use super::given::{is_blank, plain};
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const RECORD_DECISION: Builtin = Builtin {
    name: "record-decision",
    parameters: &[
        required("findings", "all findings"),
        required("decision", "`reopen`, `defer` or `dismiss`"),
        required("reason", "why, in the words of the person"),
        optional(
            "finding",
            "the identifier of one finding; without it the decision holds for everything that is open or blocked",
        ),
        optional(
            "content",
            "the text as the person saw it, so that a later change of its place is noticed",
        ),
        optional("round", "the number of the round"),
    ],
    returns: "the list of findings",
    summary: "records what a person decided about findings",
    page: include_str!("../../spec/builtins/record-decision.md"),
    body: Some(record),
};

/// What a person can decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    Reopen,
    Defer,
    Dismiss,
}

impl Decision {
    fn read(word: &str) -> Option<Self> {
        match word.to_lowercase().as_str() {
            "reopen" => Some(Self::Reopen),
            "defer" => Some(Self::Defer),
            "dismiss" => Some(Self::Dismiss),
            _ => None,
        }
    }

    fn state(self) -> State {
        match self {
            Self::Reopen => State::Open,
            Self::Defer => State::Deferred,
            Self::Dismiss => State::Dismissed,
        }
    }
}

fn record(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let decision = Decision::read(&plain(arguments.get("decision")));
    let decision = decision.ok_or_else(|| arguments.bad("decision", "`reopen`, `defer` or `dismiss`"))?;
    let reason = plain(arguments.get("reason"));
    if decision == Decision::Dismiss && reason.is_empty() {
        return Err(arguments.refused("a finding is dismissed only with a reason"));
    }
    let mut findings = Findings::read(arguments.get("findings"));
    let wanted = wanted(arguments, &findings, decision)?;
    let content = arguments.get("content");
    let documents = (!is_blank(content)).then(|| Documents::read(content));
    let round = arguments.get("round").number();
    for finding in findings.all.iter_mut().filter(|finding| wanted.contains(&finding.id)) {
        decide(finding, decision, &reason, round);
        let spot = documents
            .as_ref()
            .and_then(|documents| Some((documents, documents.spot(&finding.place).ok()?)));
        if let Some((documents, spot)) = spot {
            finding.anchor = documents.anchor(&spot);
        }
    }
    Ok(findings.value())
}

/// Returns the findings that a decision is about.
fn wanted(arguments: &Arguments<'_>, findings: &Findings, decision: Decision) -> Result<Vec<Id>, BuiltinError> {
    let named = plain(arguments.get("finding"));
    if named.is_empty() {
        let undecided = findings.all.iter().filter(|finding| !finding.state.is_done());
        return Ok(undecided.map(|finding| finding.id).collect());
    }
    let found = Id::read(&named).and_then(|id| findings.get(id));
    match found {
        Some(finding) if finding.state == State::Fixed && decision != Decision::Reopen => {
            Err(arguments.refused(format!("{} is fixed; only `reopen` changes that", finding.id)))
        }
        Some(finding) => Ok(vec![finding.id]),
        None => Err(arguments.refused(format!("no finding is called `{named}`"))),
    }
}

fn decide(finding: &mut Finding, decision: Decision, reason: &str, round: Option<f64>) {
    let because = match (decision, reason) {
        (_, "") => "a person decided so".to_owned(),
        (Decision::Reopen, reason) => {
            reason.clone_into(&mut finding.guidance);
            format!("a person gave guidance: {reason}")
        }
        (Decision::Defer | Decision::Dismiss, reason) => format!("a person decided so: {reason}"),
    };
    if decision == Decision::Reopen {
        finding.blocked_because.clear();
    }
    finding.turn(Change::new(round, decision.state(), because));
}

#[cfg(test)]
mod tests;
