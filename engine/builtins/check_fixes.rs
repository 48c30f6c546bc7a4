//! What fixers claim and the text before and after in, which claims have something to show out.

use super::{Builtin, optional, required};

pub(super) const CHECK_FIXES: Builtin = Builtin {
    name: "check-fixes",
    parameters: &[
        required("findings", "all findings"),
        required("fixes", "what the fixers report"),
        required("before", "the text before the fixes"),
        required("after", "the text after them"),
        optional("rejected", "edits that could not be applied"),
        optional(
            "wave",
            "the wave that was sent; what it holds and no fixer mentions is unanswered",
        ),
        optional(
            "checks",
            "what the project's check commands said: a list of `command`, `ok`, `output`",
        ),
    ],
    returns: "a map: `changed`, `refused`, `blocked`, `unanswered`",
    summary: "checks which claimed fixes really changed something",
    page: include_str!("../../spec/builtins/check-fixes.md"),
    body: None,
};
