//! The signals a run observed in, one score with its reasons out.

use super::{Builtin, optional, required};

pub(super) const CONFIDENCE: Builtin = Builtin {
    name: "confidence",
    parameters: &[
        required("tier", "how much is at stake, 0 to 4"),
        optional(
            "validation",
            "verdict of a validation: PASS, CONCERNS or FAIL, or a number of errors",
        ),
        optional(
            "memory",
            "how well memory knows work like this: exact, similar, weak or none",
        ),
        optional("reviewers", "a map of `reviewer_count` and `aligned_count`"),
        optional("party", "what a discussion ended with: full, partial or none"),
        optional("bonus", "points added after everything else"),
    ],
    returns: "a map: `score`, `threshold`, `signals`, `tier_adjustment`, `edge_case`, `capped`, `reason`",
    summary: "computes how sure a run can be of its work, from what it observed",
    page: include_str!("../../spec/builtins/confidence.md"),
    body: None,
};
