//! Findings of several reviewers in, one list of distinct findings with states out.

use super::{Builtin, optional, required};

pub(super) const MERGE_FINDINGS: Builtin = Builtin {
    name: "merge-findings",
    parameters: &[
        required("found", "the findings of this round, of all reviewers"),
        optional("known", "the findings of earlier rounds"),
        required("content", "the text under review"),
        required("round", "the number of the round"),
    ],
    returns: "a map: `findings`, `new`, `set_aside`, `oscillating`, `agreement`, `text`",
    summary: "merges what reviewers found with what is known",
    page: include_str!("../../spec/builtins/merge-findings.md"),
    body: None,
};
