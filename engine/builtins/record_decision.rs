//! A decision of a person in, findings with their new states out.

use super::{Builtin, optional, required};

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
    ],
    returns: "the list of findings",
    summary: "records what a person decided about findings",
    page: include_str!("../../spec/builtins/record-decision.md"),
    body: None,
};
