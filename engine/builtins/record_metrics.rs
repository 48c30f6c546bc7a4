//! Counters so far and what happened in, counters now out.

mod counters;

use super::{Arguments, Builtin, BuiltinError, Value, optional, required};
use counters::Counters;

pub(super) const RECORD_METRICS: Builtin = Builtin {
    name: "record-metrics",
    parameters: &[
        optional("metrics", "the counters so far; empty at the start"),
        required("at", "the time now"),
        optional("elapsed", "the seconds the run has worked"),
        optional("rounds", "review rounds to add"),
        optional("fix_iterations", "fix iterations to add"),
        optional("found", "findings to add"),
        optional("fixed", "fixed findings to add"),
        optional("blocked", "blocked findings to add"),
        optional("loops", "detected loops to add"),
        optional("backoff", "seconds that were waited before somebody was asked again"),
        optional(
            "replies",
            "replies of agents; calls, failures and recoveries are counted from them",
        ),
        optional(
            "trigger",
            "why this happened: initial, issues_remain, confidence_low, recovery, loop_detected, safety_limit, user_stop or complete",
        ),
        optional("confidence", "the final score"),
        optional("reason", "how the run ended; closes the counters"),
    ],
    returns: "a map of counters, with `summary` and `json`",
    summary: "adds to the counters of a run",
    page: include_str!("../../spec/builtins/record-metrics.md"),
    body: Some(record_metrics),
};

/// Why a round or an iteration was started, or what ended it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trigger {
    Initial,
    IssuesRemain,
    ConfidenceLow,
    Recovery,
    LoopDetected,
    SafetyLimit,
    UserStop,
    Complete,
}

impl Trigger {
    const ALL: [Trigger; 8] = [
        Trigger::Initial,
        Trigger::IssuesRemain,
        Trigger::ConfidenceLow,
        Trigger::Recovery,
        Trigger::LoopDetected,
        Trigger::SafetyLimit,
        Trigger::UserStop,
        Trigger::Complete,
    ];

    fn name(self) -> &'static str {
        match self {
            Trigger::Initial => "initial",
            Trigger::IssuesRemain => "issues_remain",
            Trigger::ConfidenceLow => "confidence_low",
            Trigger::Recovery => "recovery",
            Trigger::LoopDetected => "loop_detected",
            Trigger::SafetyLimit => "safety_limit",
            Trigger::UserStop => "user_stop",
            Trigger::Complete => "complete",
        }
    }

    fn named(name: &str) -> Option<Trigger> {
        Trigger::ALL.into_iter().find(|trigger| trigger.name() == name)
    }
}

fn record_metrics(arguments: &Arguments<'_>) -> Result<Value, BuiltinError> {
    let so_far = arguments.get("metrics");
    let mut counters = match so_far.is_empty() {
        true => Counters::started(arguments.get("at").to_string()),
        false => {
            Counters::read(so_far).ok_or_else(|| arguments.bad("metrics", "what `record-metrics` answered before"))?
        }
    };
    counters.review_rounds += arguments.count("rounds")?;
    counters.fix_iterations += arguments.count("fix_iterations")?;
    counters.found += arguments.count("found")?;
    counters.fixed += arguments.count("fixed")?;
    counters.blocked += arguments.count("blocked")?;
    counters.loops += arguments.count("loops")?;
    let waited = arguments.number_or("backoff", 0.0)?;
    if waited < 0.0 {
        return Err(arguments.bad("backoff", "a number of seconds, 0 or more"));
    }
    counters.backoff += waited;
    for reply in arguments.get("replies").items() {
        counters.called(reply.get("status") == Some(&Value::from("failed")));
    }
    let trigger = arguments.get("trigger");
    if !trigger.is_empty() {
        let known = Trigger::named(&trigger.to_string());
        let trigger = known.ok_or_else(|| arguments.bad("trigger", "one of the words on its page"))?;
        counters.triggers.push(trigger.name().to_owned());
    }
    if !arguments.get("elapsed").is_empty() {
        counters.worked(arguments.number("elapsed")?);
    }
    if !arguments.get("confidence").is_empty() {
        counters.final_confidence = arguments.number("confidence")?;
    }
    let reason = arguments.get("reason");
    if !reason.is_empty() {
        counters.close(arguments.get("at").to_string(), reason.to_string());
    }
    Ok(counters.answer())
}

#[cfg(test)]
mod tests;
