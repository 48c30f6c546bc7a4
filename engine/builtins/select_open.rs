//! Findings in, what is open, what is blocked and the counts out.

use super::finding::{Finding, Findings, SetAside, Severity, State};
use super::given::number;
use super::{Arguments, Builtin, BuiltinError, Value, optional, required};

pub(super) const SELECT_OPEN: Builtin = Builtin {
    name: "select-open",
    parameters: &[
        required("findings", "a list of findings"),
        optional(
            "material",
            "the severities that decide whether to go on; critical, high and medium",
        ),
    ],
    returns: "a map: `open`, `blocked`, `material`, `total`, `pending`, `in_progress`, `fixed`, `dismissed`, `deferred`, `all_fixed`, `unreadable`",
    summary: "says what is still to do among findings",
    page: include_str!("../../spec/builtins/select-open.md"),
    body: Some(select),
};

fn select(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let findings = Findings::read(arguments.get("findings"));
    let material = Severity::material(arguments)?;
    let open = findings.sorted(|finding| finding.state.is_open());
    let weighty = open.iter().filter(|finding| material.contains(&finding.severity));
    let count = |state| number(findings.count(state));
    let is_settled = |finding: &Finding| matches!(finding.state, State::Fixed | State::Dismissed);
    let all_fixed = !findings.all.is_empty() && findings.all.iter().all(is_settled) && findings.unreadable.is_empty();
    Ok(Value::of([
        ("open", list(open.iter().copied())),
        (
            "blocked",
            list(findings.sorted(|finding| finding.state == State::Blocked)),
        ),
        ("material", list(weighty.copied())),
        ("total", number(findings.all.len())),
        (
            "pending",
            number(findings.count(State::Open) + findings.count(State::Regressed)),
        ),
        ("in_progress", count(State::InProgress)),
        ("fixed", count(State::Fixed)),
        ("dismissed", count(State::Dismissed)),
        ("deferred", count(State::Deferred)),
        ("all_fixed", Value::Bool(all_fixed)),
        ("unreadable", SetAside::list(&findings.unreadable)),
    ]))
}

fn list<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Value {
    Value::List(findings.into_iter().map(Finding::value).collect())
}

#[cfg(test)]
mod tests;
