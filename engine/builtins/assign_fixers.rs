//! Findings in, who fixes what and in which order out.

use super::{Builtin, optional, required};

pub(super) const ASSIGN_FIXERS: Builtin = Builtin {
    name: "assign-fixers",
    parameters: &[
        required("findings", "all findings; the open ones are shared out"),
        optional("per_fixer", "the most findings one fixer gets; 5"),
        optional("at_once", "the most fixers that work at the same time; 3"),
    ],
    returns: "a map: `waves`, `findings`, `fixers`",
    summary: "shares open findings out to fixers, in waves",
    page: include_str!("../../spec/builtins/assign-fixers.md"),
    body: None,
};
