//! How a review ended in, a document that says so out.

use super::{Builtin, optional, required};

pub(super) const CERTIFICATE: Builtin = Builtin {
    name: "certificate",
    parameters: &[
        required(
            "outcome",
            "complete, blocked, timeout, stopped-by-limit, diverging or user-stop",
        ),
        required("reason", "why it ended"),
        required("findings", "all findings"),
        required("metrics", "the closed counters"),
        required("before", "the text that was reviewed first"),
        required("after", "the text as it is now"),
        optional("decided_by", "engine or person"),
        optional("level", "the level of the review"),
        optional("confidence", "the last confidence"),
        optional("set_aside", "reports that did not survive their check"),
        optional("silent", "reviewers that did not answer in the last round"),
    ],
    returns: "a map: `text`, `json`, `digest`",
    summary: "states how a review ended so that it can be checked",
    page: include_str!("../../spec/builtins/certificate.md"),
    body: None,
};
