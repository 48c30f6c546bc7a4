//! A text and edits in, the edited text out.

use super::{Builtin, required};

pub(super) const APPLY_EDITS: Builtin = Builtin {
    name: "apply-edits",
    parameters: &[required("text", "the text"), required("edits", "a list of edits")],
    returns: "a map: `text`, `applied`, `rejected`",
    summary: "applies edits to a text",
    page: include_str!("../../spec/builtins/apply-edits.md"),
    body: None,
};
