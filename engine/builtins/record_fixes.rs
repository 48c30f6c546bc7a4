//! Claims and verdicts in, findings with their new states out.

use super::{Builtin, optional, required};

pub(super) const RECORD_FIXES: Builtin = Builtin {
    name: "record-fixes",
    parameters: &[
        required("findings", "all findings"),
        required("claims", "what `check-fixes` answered"),
        optional("verdicts", "a list of `finding`, `holds`, `because`"),
        optional("round", "the number of the round"),
        optional(
            "checks",
            "what the project's check commands said: a list of `command`, `ok`, `output`",
        ),
    ],
    returns: "a map: `findings`, `fixed`, `blocked`, `reopened`",
    summary: "records what came of fixes",
    page: include_str!("../../spec/builtins/record-fixes.md"),
    body: None,
};
