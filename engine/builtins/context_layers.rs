//! What happened so far in, a bounded text for the next agent out.

use super::{Builtin, optional};

pub(super) const CONTEXT_LAYERS: Builtin = Builtin {
    name: "context-layers",
    parameters: &[
        optional("layers", "the layers so far; empty at the start"),
        optional("stable", "what never changes; kept from the first call that gives it"),
        optional("outputs", "texts that reviews or turns produced"),
        optional("errors", "what went wrong"),
        optional("patterns", "fixes that worked"),
        optional(
            "bounds",
            "a map of `outputs` (5), `errors` (5), `patterns` (3), `entry_length` (500), `total_length` (5000)",
        ),
    ],
    returns: "a map: `stable`, `outputs`, `errors`, `patterns`, `text`",
    summary: "keeps what agents are told about earlier work, in four bounded layers",
    page: include_str!("../../spec/builtins/context-layers.md"),
    body: None,
};
