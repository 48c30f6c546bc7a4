//! Findings in, what a tracker template shows out.

use super::{Builtin, optional, required};

pub(super) const TRACKER: Builtin = Builtin {
    name: "tracker",
    parameters: &[
        required("findings", "all findings"),
        optional("set_aside", "reports that did not survive their check"),
    ],
    returns: "a map: counts, `findings`, `fixes`, `set_aside`",
    summary: "prepares findings for a tracker document",
    page: include_str!("../../spec/builtins/tracker.md"),
    body: None,
};
