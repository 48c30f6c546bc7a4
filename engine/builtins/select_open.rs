//! Findings in, what is open, what is blocked and the counts out.

use super::{Builtin, optional, required};

pub(super) const SELECT_OPEN: Builtin = Builtin {
    name: "select-open",
    parameters: &[
        required("findings", "a list of findings"),
        optional(
            "material",
            "the severities that decide whether to go on; critical, high and medium",
        ),
    ],
    returns: "a map: `open`, `blocked`, `material`, `total`, `pending`, `in_progress`, `fixed`, `dismissed`, `deferred`, `all_fixed`",
    summary: "says what is still to do among findings",
    page: include_str!("../../spec/builtins/select-open.md"),
    body: None,
};
