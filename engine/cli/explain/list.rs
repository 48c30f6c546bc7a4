//! Every rule, tag or built-in in one line each.

use crate::builtins::BUILTINS;
use crate::cli::explain::rows::table;
use crate::lint::RULES;
use crate::syntax::{Stratum, TAGS};

/// Lists the rules.
pub(super) fn rules() -> String {
    let row = |rule: &&crate::lint::Rule| {
        [
            rule.code.0.to_owned(),
            rule.severity.name().to_owned(),
            rule.summary.to_owned(),
        ]
    };
    table(RULES.iter().map(row))
}

/// Lists the tags.
pub(super) fn tags() -> String {
    table(TAGS.iter().map(|row| {
        let from = match row.stratum {
            Stratum::Dialect => "dialect",
            Stratum::Frame => "frame",
            Stratum::Engine => "engine",
        };
        [row.name.to_owned(), from.to_owned(), row.summary.to_owned()]
    }))
}

/// Lists the built-ins.
pub(super) fn builtins() -> String {
    table(
        BUILTINS
            .iter()
            .map(|builtin| [builtin.name.to_owned(), builtin.summary.to_owned()]),
    )
}
