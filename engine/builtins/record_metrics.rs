//! Counters so far and what happened in, counters now out.

use super::{Builtin, optional, required};

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
    body: None,
};
