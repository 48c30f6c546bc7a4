//! Counters and limits in, whether to stop and what is left out.

use super::{Builtin, optional, required};

pub(super) const CHECK_LIMITS: Builtin = Builtin {
    name: "check-limits",
    parameters: &[
        required("limits", "a map of limits"),
        required("metrics", "what `record-metrics` answered"),
        optional("round", "the number of the round"),
        optional("iteration", "the number of the fix iteration"),
    ],
    returns: "a map: `exceeded`, `limit`, `outcome`, `reason`, `remaining`",
    summary: "compares what was used with what is allowed",
    page: include_str!("../../spec/builtins/check-limits.md"),
    body: None,
};
